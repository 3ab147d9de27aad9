"""Tests of the rate limits."""
