"""Fakes, emulated providers and checks that tests share."""
