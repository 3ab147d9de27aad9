"""Tests of comal_runtime."""
