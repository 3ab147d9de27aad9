"""The tests; they mirror the three packages."""
