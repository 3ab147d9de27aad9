"""Runs recorded vectors against this project: `python -m tests.vectors PATH...`."""
