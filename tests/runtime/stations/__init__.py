"""Tests of the stations."""
