"""Running a tool's own code under its time limit, wherever it has to run."""

import asyncio
import inspect
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from .errors import ToolError
from .progress import Progress
from .result import ToolResult

_OURS: Final = frozenset({"cache_served", "clamped", "still_running", "timeout_exceeded"})
"""Meta that tells how the runtime ran a call, which no tool can say of itself."""

Report = Callable[[Progress], Awaitable[None]]
"""Takes what a streaming tool tells on the way."""


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


class ForeignCancellation(Exception):
    """A tool was cancelled from within; nobody cancelled the call."""


class ThreadEnded(Exception):
    """A sync tool ended its thread instead of returning."""


Ending = Returned | Raised | TimedOut


async def invoke(
    callback: Callable[..., object], keywords: dict[str, Any], *, timeout: float, report: Report
) -> Ending:
    """Call a sync, async or streaming tool and say how it ended; only cancellation is raised.

    A sync callback gets a daemon thread of its own: it cannot be stopped, and a pool would fill.

    Args:
        timeout: Seconds.
    """
    if inspect.isasyncgenfunction(callback):
        return await _limited(lambda: _last(callback(**keywords), report), timeout)
    if inspect.iscoroutinefunction(callback):
        return await _limited(lambda: callback(**keywords), timeout)
    return await _threaded(lambda: callback(**keywords), timeout)


def wrapped(value: object) -> ToolResult:
    """Return what a tool gave as a result; a `ToolResult` keeps all but the runtime's own meta."""
    if not isinstance(value, ToolResult):
        return ToolResult.success(value)
    if _OURS.isdisjoint(value.meta):
        return value
    meta = {name: said for name, said in value.meta.items() if name not in _OURS}
    return ToolResult(value.ok, value.data, value.message, value.problem, meta)


async def _limited(begin: Callable[[], Awaitable[object]], timeout: float) -> Ending:
    limit = asyncio.timeout(timeout)
    try:
        work = begin()
    except Exception as error:  # such as keywords the author's function does not take
        return Raised(error, began=False)
    try:
        async with limit:
            return Returned(await work)
    except TimeoutError as error:
        return TimedOut(None) if limit.expired() else Raised(error)
    except asyncio.CancelledError as error:
        if _was_asked_to_stop():
            raise
        return Raised(ForeignCancellation(repr(error)))
    except Exception as error:  # the author's code may raise anything
        return Raised(error)


def _was_asked_to_stop() -> bool:
    task = asyncio.current_task()
    return task is None or task.cancelling() > 0


async def _last(parts: AsyncIterator[object], report: Report) -> object:
    last: object = None
    async for part in parts:
        if isinstance(part, Progress):
            await report(part)
        else:
            last = part
    return last


async def _threaded(work: Callable[[], object], timeout: float) -> Ending:
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[Returned | Raised] = loop.create_future()

    def settle(ending: Returned | Raised) -> None:
        if not ended.done():
            ended.set_result(ending)

    def run() -> None:
        try:
            ending: Returned | Raised = Returned(work())
        except Exception as error:  # the author's code may raise anything
            ending = Raised(error)
        except BaseException as error:  # `sys.exit()` ends the tool, not the wait for it
            ending = Raised(ThreadEnded(repr(error)))
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(settle, ending)

    threading.Thread(target=run, name="comal-tool", daemon=True).start()
    done, _ = await asyncio.wait([ended], timeout=timeout)
    if not done:
        return TimedOut(ended)
    ending = ended.result()
    if isinstance(ending, Returned) and inspect.isawaitable(ending.value):
        begun = ending.value
        return await _limited(lambda: begun, timeout)
    return ending
