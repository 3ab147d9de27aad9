"""An event loop whose waits pass at once, so that a tool may take half a minute of its time."""

import asyncio
import selectors
from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")


async def in_virtual_time(work: Callable[[], Awaitable[T]]) -> T:
    """Run `work` in a thread, on a loop of its own where sleeping costs nothing."""
    return await asyncio.to_thread(_run, work)


def _run(work: Callable[[], Awaitable[T]]) -> T:
    async def main() -> T:
        return await work()

    with asyncio.Runner(loop_factory=_VirtualLoop) as runner:
        return runner.run(main())


class _VirtualLoop(asyncio.SelectorEventLoop):
    """A loop that moves its clock on instead of waiting for its next timer."""

    def __init__(self) -> None:
        self._passed = 0.0
        super().__init__(_Impatient(self.pass_by))

    def time(self) -> float:
        return self._passed

    def pass_by(self, seconds: float) -> None:
        """Let virtual time pass."""
        self._passed += seconds


class _Impatient(selectors.SelectSelector):
    """Looks for what is ready; a wait with an end is over at once."""

    def __init__(self, pass_by: Callable[[float], None]) -> None:
        super().__init__()
        self._pass_by = pass_by

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            return super().select(None)
        ready = super().select(0)
        if not ready:
            self._pass_by(timeout)
        return ready
