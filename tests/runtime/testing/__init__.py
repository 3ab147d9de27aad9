"""Tests of comal_runtime.testing."""
