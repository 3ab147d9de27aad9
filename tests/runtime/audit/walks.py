"""The walks of every path that ends a call, by (station, decision)."""

from collections.abc import Mapping

from .scene import Scene, Walk
from .walks_at_gates import AT_GATES
from .walks_running import WHILE_RUNNING

__all__ = ["WALKS", "Scene", "Walk"]

WALKS: Mapping[tuple[str, str], tuple[Walk, ...]] = {**AT_GATES, **WHILE_RUNNING}
