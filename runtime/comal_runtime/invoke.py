"""Running a tool's own code under its time limit, wherever it has to run."""

import asyncio
import contextvars
import inspect
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any, Final

from .callables import Way
from .eager import Came, begin
from .errors import ToolError
from .progress import Progress
from .result import ToolResult

_OURS: Final = frozenset(
    {"cache_served", "clamped", "ignored", "still_running", "timeout_exceeded"}
)
"""Meta that tells how the runtime ran a call, which no tool can say of itself."""

_STOPPING: Final = 0.5  # seconds a cancelled callback gets to end before it is left behind

Report = Callable[[Progress], None]
"""Takes what a streaming tool tells on the way, at once: its time is the tool's."""


@dataclass(frozen=True, slots=True)
class Returned:
    """The tool came back with this value; `late` if only after it was told to stop."""

    value: object
    late: bool = False


@dataclass(frozen=True, slots=True)
class Raised:
    """The tool raised; a `ToolError` means that nothing was applied. `began`: its body ran.

    `late` if only after it was told to stop.
    """

    error: Exception
    began: bool = True
    late: bool = False

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


def invoke(
    callback: Callable[..., object],
    keywords: dict[str, Any],
    *,
    way: Way,
    timeout: float,
    report: Report,
) -> Ended | Awaitable[Ending]:
    """Call a tool's body and say how it ended; raises nothing.

    On the event loop it runs in a task of its own, begun at once: one that waits for nothing has
    ended when this returns. In a thread it runs as a daemon, since it cannot be stopped and a pool
    would fill. Either sees the caller's context variables.

    Args:
        timeout: Seconds.
    """
    match way:
        case Way.AWAITED:
            return _worked(lambda: callback(**keywords), timeout)
        case Way.STREAMED:
            parts: Callable[..., Any] = callback
            return _worked(lambda: _last(parts(**keywords), report), timeout)
        case Way.THREADED:
            return _threaded(lambda: callback(**keywords), timeout, report)


def contained(error: BaseException) -> Exception:
    """Return what the author's code raised as something that ends its own call only."""
    if isinstance(error, Exception):
        return error
    if isinstance(error, asyncio.CancelledError):
        return ForeignCancellation(repr(error))
    return ForeignExit(repr(error))


@contextmanager
def only_itself() -> Iterator[None]:
    """Let what is awaited inside end nothing but itself: whatever it raises is an `Exception`.

    Whoever waits for it may still cancel it, and a person's Ctrl-C goes through.
    """
    try:
        yield
    except (Exception, KeyboardInterrupt):
        raise
    except BaseException as error:
        task = asyncio.current_task()
        if isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling():
            raise
        raise contained(error) from error


def wrapped(value: object) -> ToolResult:
    """Return what a tool gave as a result; a `ToolResult` keeps all but the runtime's own meta."""
    if not isinstance(value, ToolResult):
        return ToolResult.success(value)
    if _OURS.isdisjoint(value.meta):
        return value
    meta = {name: said for name, said in value.meta.items() if name not in _OURS}
    return ToolResult(value.ok, value.data, value.message, value.problem, meta)


def _worked(
    work: Callable[[], Any], timeout: float, *, began: bool = False
) -> Ended | Awaitable[Ending]:
    begun = _Work(began)
    came = begin(begun.run(work))
    return came.value if isinstance(came, Came) else _limited(begun, came, timeout)


class _Work:
    """What an async callback does; `began` once any of it has run."""

    __slots__ = ("began",)

    def __init__(self, began: bool) -> None:
        self.began = began

    def ended(self, task: "asyncio.Task[Ended]") -> Ended:
        """Return how its task ended, which is done."""
        if task.cancelled():  # by itself, in its first step or its last one
            return Raised(ForeignCancellation("cancelled"), began=self.began)
        return task.result()

    async def run(self, begin_work: Callable[[], Awaitable[object]]) -> Ended:
        """Await the work; whatever it raises is its end."""
        try:
            work = begin_work()
        except BaseException as error:  # such as keywords the author's function does not take
            return Raised(contained(error), began=self.began)
        self.began = True
        try:
            return Returned(await work)
        except BaseException as error:  # the author's code may raise anything
            return Raised(contained(error))


async def _limited(work: _Work, task: "asyncio.Task[Ended]", timeout: float) -> Ending:
    try:
        done, _ = await asyncio.wait([task], timeout=timeout)
        if done:
            return work.ended(task)
        task.cancel()
        done, _ = await asyncio.wait([task], timeout=_STOPPING)
    except asyncio.CancelledError:
        return await _called_off(work, task)
    if not done:
        return TimedOut(task)
    ended = work.ended(task)
    return TimedOut(None) if _was_cut(ended) else replace(ended, late=True)


async def _called_off(work: _Work, task: "asyncio.Task[Ended]") -> CalledOff:
    """Stop what a cancelled call left; a second cancellation shortens the wait."""
    task.cancel()
    with suppress(asyncio.CancelledError):
        await asyncio.wait([task], timeout=_STOPPING)
    if not task.done():
        return CalledOff(running=task)
    ended = work.ended(task)
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


async def _threaded(work: Callable[[], object], timeout: float, report: Report) -> Ending:
    began = time.monotonic()
    ended = _in_thread(work)
    try:
        done, _ = await asyncio.wait([ended], timeout=timeout)
    except asyncio.CancelledError:
        return CalledOff(ended.result()) if ended.done() else CalledOff(running=ended)
    if not done:
        return TimedOut(ended)
    ending = ended.result()
    rest = _rest_of(ending.value, report) if isinstance(ending, Returned) else None
    if rest is None:
        return ending
    left = max(0.0, timeout - (time.monotonic() - began))
    over = _worked(lambda: rest, left, began=True)
    return over if isinstance(over, Returned | Raised) else await over


def _rest_of(value: object, report: Report) -> Awaitable[object] | None:
    """Return what a wrapper that looks sync left to be awaited, or None if it gave its result."""
    if inspect.isasyncgen(value):
        return _last(value, report)
    if inspect.isgenerator(value):
        return _refused()
    return value if inspect.isawaitable(value) else None


async def _refused() -> object:
    raise TypeError("a tool gave a generator; make it an async one, or return a list")


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
    thread = threading.Thread(target=context.run, args=(run,), name="comal-tool", daemon=True)
    try:
        thread.start()
    except RuntimeError as error:  # there is no room for one more
        settle(Raised(error, began=False))
    return ended
