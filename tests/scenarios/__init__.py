"""Whole stories, from a message to what it left behind."""
