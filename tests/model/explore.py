"""Walks every interleaving, breadth first, so that a fault is shown by a shortest story."""

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from .moves import Rules, moves
from .table import NONE
from .world import APPROVED, DIRECT, At, Worker, World, faults

ASKED = World()
NEEDS_NO_YES = World(question=NONE, shown=(NONE, NONE))
GRANTED_BY_A_RULE = World(
    question=APPROVED,
    act=APPROVED,
    shown=(APPROVED, APPROVED),
    workers=(Worker(At.CHECKED, DIRECT), Worker()),
)


@dataclass(slots=True)
class Explored:
    """Every state that can come to be, and how.

    `broken` is a shortest story that breaks the promise and what it breaks; the walk ends there.
    """

    came_from: dict[World, tuple[World, str] | None] = field(default_factory=dict)
    fair: dict[World, list[World]] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    broken: tuple[list[str], list[str]] | None = None

    def story(self, world: World) -> list[str]:
        """Return the steps that lead to a state."""
        steps: list[str] = []
        before = self.came_from[world]
        while before is not None:
            steps.append(before[1])
            before = self.came_from[before[0]]
        return steps[::-1]

    def stuck(self) -> list[str] | None:
        """Return a story after which nothing that happens by itself brings everything to an end."""
        leads_to: dict[World, list[World]] = {}
        for world, following in self.fair.items():
            for one in following:
                leads_to.setdefault(one, []).append(world)
        ends = _backwards((world for world in self.came_from if world.at_rest), leads_to)
        return next((self.story(one) for one in self.came_from if one not in ends), None)


def explored(start: World, rules: Rules | None = None) -> Explored:
    """Return every state that can follow from `start`, up to one that breaks the promise."""
    kept = rules or Rules()
    found = Explored(came_from={start: None})
    waiting = deque([start])
    while waiting:
        world = waiting.popleft()
        fair = found.fair.setdefault(world, [])
        for name, after, is_fair in moves(world, kept):
            found.names.add(name)
            if is_fair:
                fair.append(after)
            if after not in found.came_from:
                found.came_from[after] = (world, name)
                waiting.append(after)
                wrong = faults(after)
                if wrong:
                    found.broken = found.story(after), wrong
                    return found
    return found


def _backwards(ends: Iterable[World], leads_to: Mapping[World, list[World]]) -> set[World]:
    seen = set(ends)
    waiting = list(seen)
    while waiting:
        for before in leads_to.get(waiting.pop(), ()):
            if before not in seen:
                seen.add(before)
                waiting.append(before)
    return seen
