"""An event loop that does nothing by itself: its driver says who goes on and how time passes."""

import asyncio
import selectors
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any, TypeVar, TypeVarTuple, Unpack

_T = TypeVar("_T")
_Ts = TypeVarTuple("_Ts")


class Gate:
    """Where one task of the process `owner` waits until it is let through."""

    __slots__ = ("opened", "owner", "place")

    def __init__(self, owner: str, place: str, opened: "asyncio.Future[None]") -> None:
        self.owner = owner
        self.place = place
        self.opened = opened


class Gates:
    """Everybody who waits to be let through."""

    def __init__(self) -> None:
        self.waiting: list[Gate] = []

    async def stop(self, owner: str, place: str) -> None:
        """Wait until the driver opens this gate."""
        gate = Gate(owner, place, asyncio.get_running_loop().create_future())
        self.waiting.append(gate)
        try:
            await gate.opened
        finally:
            if gate in self.waiting:
                self.waiting.remove(gate)

    def open(self, gate: Gate) -> None:
        """Let one task go on."""
        self.waiting.remove(gate)
        gate.opened.set_result(None)


class _Selector(selectors.SelectSelector):
    """Tells when nobody can go on instead of waiting; there is no I/O to wait for."""

    on_idle: Callable[[float | None], None]

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None or timeout > 0:
            self.on_idle(timeout)
        return []


class SteppedLoop(asyncio.SelectorEventLoop):
    """Runs until nobody can go on; its time stands still and what others do in threads is inline.

    `next_timer` is how many seconds away the earliest timer was when it stopped last.
    """

    def __init__(self) -> None:
        selector = _Selector()
        selector.on_idle = self._stop_idle
        super().__init__(selector)
        self.next_timer: float | None = None
        self._at = 0.0

    def time(self) -> float:
        return self._at

    def settle(self) -> None:
        """Run until every task waits for a gate, a timer or each other."""
        self.run_forever()

    def pass_time(self, seconds: float) -> None:
        """Let timers come due."""
        self._at += seconds

    def run_in_executor(
        self,
        executor: Executor | None,
        func: Callable[[Unpack[_Ts]], _T],
        *args: *_Ts,
    ) -> "asyncio.Future[_T]":
        done: asyncio.Future[Any] = self.create_future()
        try:
            done.set_result(func(*args))
        except Exception as error:
            done.set_exception(error)
        return done

    def _stop_idle(self, timer: float | None) -> None:
        self.next_timer = timer
        self.stop()
