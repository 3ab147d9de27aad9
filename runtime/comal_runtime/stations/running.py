"""Calling the author's code, and telling listeners what came of it."""

import asyncio
import logging
from typing import Final

from ..call import Call
from ..deps import Deps, OnProgress
from ..events import Event, EventDispatcher, ToolExecuted, ToolFailed
from ..invoke import CalledOff, Ending, Raised, Returned, TimedOut, contained, invoke
from ..progress import Progress
from ..result import ToolResult

log = logging.getLogger(__name__)

LISTENERS: Final = 10.0
"""Seconds that all listeners of one event get together."""

_LAST_PART: Final = 0.5  # seconds that what a tool told last gets to go out before its result


async def run_callback(call: Call, deps: Deps) -> Ending:
    """Call the author's code with the bound arguments; raises nothing.

    What could not be stopped is kept until it ends.
    """
    tool, reports = call.tool, _Reports(call, deps.on_progress)
    try:
        keywords = tool.bind(call.args, call.ctx)
    except BaseException as error:  # converting may run the author's own validators
        return Raised(contained(error), began=False)
    ending = await invoke(
        tool.callback, keywords, timeout=tool.options.timeout, report=reports.take
    )
    if isinstance(ending, TimedOut | CalledOff) and isinstance(ending.running, asyncio.Task):
        deps.late.add(ending.running)
        ending.running.add_done_callback(deps.late.discard)
    try:
        await reports.close()
    except asyncio.CancelledError:
        return _called_off(ending)
    return ending


def _called_off(ending: Ending) -> CalledOff:
    match ending:
        case CalledOff():
            return ending
        case TimedOut(running=running):
            return CalledOff(running=running)
        case _:
            return CalledOff(ending)


class _Reports:
    """Passes progress on beside the tool: the newest part only, and no fault of it comes back."""

    __slots__ = ("_call", "_newest", "_pass_on", "_passing")

    def __init__(self, call: Call, pass_on: OnProgress | None) -> None:
        self._call = call
        self._pass_on = pass_on
        self._newest: Progress | None = None
        self._passing: asyncio.Task[None] | None = None

    def take(self, part: Progress) -> None:
        """Take a part in place of an older one that still waits; never raises."""
        if self._pass_on is None:
            return
        self._newest = part
        if self._passing is None or self._passing.done():
            self._passing = asyncio.get_running_loop().create_task(self._run(self._pass_on))

    async def close(self) -> None:
        """Let the last part go out, within reason: nothing of it comes after the result."""
        self._pass_on = None
        if self._passing is None:
            return
        try:
            await asyncio.wait([self._passing], timeout=_LAST_PART)
        finally:
            self._passing.cancel()

    async def _run(self, pass_on: OnProgress) -> None:
        while self._newest is not None:
            part, self._newest = self._newest, None
            try:
                await pass_on(self._call, part)
            except Exception:  # the tool is not to blame, and must not be cut
                log.exception("progress.not_passed_on", extra={"tool": self._call.tool.name})


async def announce(call: Call, ending: Ending, result: ToolResult, deps: Deps) -> None:
    """Tell listeners what happened; nothing they do, or fail to do in time, changes it."""
    if deps.dispatcher is not None:
        await _tell(_event(call, ending, result), deps.dispatcher)


async def announce_served(call: Call, result: ToolResult, dispatcher: EventDispatcher) -> None:
    """Tell listeners that one of them answered in the tool's place."""
    event = ToolExecuted(
        tool=call.tool, arguments=dict(call.args), ctx=call.ctx, result=result, cache_served=True
    )
    await _tell(event, dispatcher)


async def _tell(event: Event, dispatcher: EventDispatcher) -> None:
    try:
        async with asyncio.timeout(LISTENERS):
            await dispatcher.dispatch(event)
    except Exception:  # a dispatcher of the host's own may raise anything
        log.exception("event.not_dispatched", extra={"event": event.name})


def _event(call: Call, ending: Ending, result: ToolResult) -> ToolExecuted | ToolFailed:
    args = dict(call.args)
    match ending:
        case Returned():
            return ToolExecuted(tool=call.tool, arguments=args, ctx=call.ctx, result=result)
        case Raised(error=error):
            failure: Exception = error
        case TimedOut() | CalledOff():
            failure = TimeoutError(result.error)
    return ToolFailed(tool=call.tool, arguments=args, ctx=call.ctx, error=failure, result=result)
