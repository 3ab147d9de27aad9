"""Tests of comal_runtime.http."""
