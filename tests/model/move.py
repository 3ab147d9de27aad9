"""One step of the model."""

from typing import NamedTuple

from .world import World


class Move(NamedTuple):
    """One step. A `fair` one happens in the end if it stays possible; others may never."""

    name: str
    world: World
    fair: bool = False
