"""Tests of comal_bot."""
