"""Tests of consent."""
