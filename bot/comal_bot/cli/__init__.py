"""The command line: `comal`."""

from .program import main

__all__ = ["main"]
