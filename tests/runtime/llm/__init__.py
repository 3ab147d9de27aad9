"""Tests of comal_runtime.llm."""
