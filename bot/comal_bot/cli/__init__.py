"""The command line: `comal`."""

from .entry import main

__all__ = ["main"]
