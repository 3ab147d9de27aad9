"""Tests of comal_renderers."""
