"""Running a tool's own code under its time limit, wherever it has to run."""

import asyncio
import contextvars
import inspect
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from .errors import ToolError
from .progress import Progress
from .result import ToolResult

_OURS: Final = frozenset({"cache_served", "clamped", "still_running", "timeout_exceeded"})
"""Meta that tells how the runtime ran a call, which no tool can say of itself."""

_STOPPING: Final = 0.5  # seconds a cancelled callback gets to end before it is left behind

Report = Callable[[Progress], None]
"""Takes what a streaming tool tells on the way, at once: its time is the tool's."""


@dataclass(frozen=True, slots=True)
class Returned:
    """The tool came back with this value."""

    value: object


@dataclass(frozen=True, slots=True)
class Raised:
    """The tool raised; a `ToolError` means that nothing was applied. `began`: its body ran."""

    error: Exception
    began: bool = True

    @property
    def applied_nothing(self) -> bool:
        """Whether the author says so, or nothing of the tool has run."""
        return isinstance(self.error, ToolError) or not self.began


@dataclass(frozen=True, slots=True)
class TimedOut:
    """The limit passed; `running` ends later when the code could not be stopped."""

    running: "asyncio.Future[Returned | Raised] | None"


@dataclass(frozen=True, slots=True)
class CalledOff:
    """The call was cancelled, and whoever reads this must cancel on once it is noted.

    `ended` is how the callback ended all the same, `running` what could not be stopped; with
    neither it was cut in its middle.
    """

    ended: Returned | Raised | None = None
    running: "asyncio.Future[Returned | Raised] | None" = None


class ForeignCancellation(Exception):
    """A tool was cancelled from within; nobody cancelled the call."""


class ForeignExit(Exception):
    """A tool tried to end its host, such as with `sys.exit()`, instead of returning."""


Ended = Returned | Raised
Ending = Ended | TimedOut | CalledOff


async def invoke(
    callback: Callable[..., object], keywords: dict[str, Any], *, timeout: float, report: Report
) -> Ending:
    """Call a sync, async or streaming tool and say how it ended; raises nothing.

    An async callback runs in a task of its own, a sync one in a daemon thread of its own, since
    it cannot be stopped and a pool would fill. Both see the caller's context variables.

    Args:
        timeout: Seconds.
    """
    if inspect.isasyncgenfunction(callback):
        return await _limited(_Work(lambda: _last(callback(**keywords), report)), timeout)
    if inspect.iscoroutinefunction(callback):
        return await _limited(_Work(lambda: callback(**keywords)), timeout)
    return await _threaded(lambda: callback(**keywords), timeout)


def contained(error: BaseException) -> Exception:
    """Return what the author's code raised as something that ends its own call only."""
    if isinstance(error, Exception):
        return error
    if isinstance(error, asyncio.CancelledError):
        return ForeignCancellation(repr(error))
    return ForeignExit(repr(error))


def wrapped(value: object) -> ToolResult:
    """Return what a tool gave as a result; a `ToolResult` keeps all but the runtime's own meta."""
    if not isinstance(value, ToolResult):
        return ToolResult.success(value)
    if _OURS.isdisjoint(value.meta):
        return value
    meta = {name: said for name, said in value.meta.items() if name not in _OURS}
    return ToolResult(value.ok, value.data, value.message, value.problem, meta)


class _Work:
    """What an async callback does, in a task of its own; `began` once any of it has run."""

    __slots__ = ("began", "task")

    def __init__(self, begin: Callable[[], Awaitable[object]], *, began: bool = False) -> None:
        self.began = began
        self.task = asyncio.get_running_loop().create_task(self._run(begin))

    def ended(self) -> Ended:
        """Return how it ended; the task is done."""
        if self.task.cancelled():  # before its first step, or by itself in its last one
            return Raised(ForeignCancellation("cancelled"), began=self.began)
        return self.task.result()

    async def _run(self, begin: Callable[[], Awaitable[object]]) -> Ended:
        try:
            work = begin()
        except BaseException as error:  # such as keywords the author's function does not take
            return Raised(contained(error), began=self.began)
        self.began = True
        try:
            return Returned(await work)
        except BaseException as error:  # the author's code may raise anything
            return Raised(contained(error))


async def _limited(work: _Work, timeout: float) -> Ending:
    task = work.task
    try:
        done, _ = await asyncio.wait([task], timeout=timeout)
        if done:
            return work.ended()
        task.cancel()
        done, _ = await asyncio.wait([task], timeout=_STOPPING)
    except asyncio.CancelledError:
        return await _called_off(work)
    if not done:
        return TimedOut(task)
    ended = work.ended()
    return TimedOut(None) if _was_cut(ended) else ended


async def _called_off(work: _Work) -> CalledOff:
    """Stop what a cancelled call left; a second cancellation shortens the wait."""
    work.task.cancel()
    with suppress(asyncio.CancelledError):
        await asyncio.wait([work.task], timeout=_STOPPING)
    if not work.task.done():
        return CalledOff(running=work.task)
    ended = work.ended()
    return CalledOff() if _was_cut(ended) and work.began else CalledOff(ended)


def _was_cut(ended: Ended) -> bool:
    return isinstance(ended, Raised) and isinstance(ended.error, ForeignCancellation)


async def _last(parts: AsyncIterator[object], report: Report) -> object:
    last: object = None
    async for part in parts:
        if isinstance(part, Progress):
            report(part)
        else:
            last = part
    return last


async def _threaded(work: Callable[[], object], timeout: float) -> Ending:
    began = time.monotonic()
    ended = _in_thread(work)
    try:
        done, _ = await asyncio.wait([ended], timeout=timeout)
    except asyncio.CancelledError:
        return CalledOff(ended.result()) if ended.done() else CalledOff(running=ended)
    if not done:
        return TimedOut(ended)
    ending = ended.result()
    if isinstance(ending, Returned) and inspect.isawaitable(ending.value):
        begun = ending.value
        left = max(0.0, timeout - (time.monotonic() - began))
        return await _limited(_Work(lambda: begun, began=True), left)
    return ending


def _in_thread(work: Callable[[], object]) -> "asyncio.Future[Ended]":
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[Ended] = loop.create_future()

    def settle(ending: Ended) -> None:
        if not ended.done():
            ended.set_result(ending)

    def run() -> None:
        try:
            ending: Ended = Returned(work())
        except BaseException as error:  # the author's code may raise anything
            ending = Raised(contained(error))
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(settle, ending)

    context = contextvars.copy_context()
    threading.Thread(target=context.run, args=(run,), name="comal-tool", daemon=True).start()
    return ended
