"""Lanes: work in order, one thing at a time a lane, everything else in parallel."""

from .lanes import Handler, Handlers, Lanes
from .sqlite import SqliteLanes
from .waking import Waking

__all__ = ["Handler", "Handlers", "Lanes", "SqliteLanes", "Waking"]
