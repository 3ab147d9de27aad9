"""Microseconds of one call: medians of several rounds, wall clock and CPU."""

import statistics
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

Work = Callable[[], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Took:
    """What one call took, in microseconds: to the caller, and of the process's CPU."""

    wall: float
    cpu: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Own:
    """Work of ours. `after` is run once a round; it counts as CPU, not as the caller's wait."""

    name: str
    work: Work
    count: int
    shared_by: int = 1
    after: Work | None = None

    async def round(self) -> Took:
        """Do the work `count` times; `shared_by` calls are in each."""
        calls = self.count * self.shared_by
        began, cpu = time.perf_counter(), time.process_time()
        for _ in range(self.count):
            await self.work()
        wall = time.perf_counter() - began
        if self.after is not None:
            await self.after()
        return Took(wall / calls * 1e6, (time.process_time() - cpu) / calls * 1e6)


def median(rounds: list[Took]) -> Took:
    """Return the medians of several rounds."""
    return Took(
        statistics.median(one.wall for one in rounds), statistics.median(one.cpu for one in rounds)
    )
