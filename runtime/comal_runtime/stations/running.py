"""Calling the author's code, and telling listeners what came of it."""

import asyncio
import logging
from collections.abc import Awaitable
from typing import Final

from ..call import Arguments, Call
from ..deps import Deps, OnProgress
from ..events import EventDispatcher, ToolExecuted, ToolFailed, announce
from ..invoke import CalledOff, Ended, Ending, Raised, Returned, TimedOut, contained, invoke
from ..json_values import frozen, plain
from ..progress import Progress
from ..result import ToolResult
from .lasting import outlive

log = logging.getLogger(__name__)

ENDED: Final = (Returned, Raised)
"""What a callback that waited for nothing came to."""

_LAST_PART: Final = 0.5  # seconds that what a tool told last gets to go out before its result


def run_callback(call: Call, deps: Deps) -> Ended | Awaitable[Ending]:
    """Call the author's code with the bound arguments; raises nothing.

    One that waits for nothing has ended when this returns.
    """
    tool = call.tool
    try:
        keywords = tool.bind(_own(call.args), call.ctx)
    except BaseException as error:  # converting may run the author's own validators
        return Raised(contained(error), began=False)
    reports = _Reports(call, deps.on_progress)
    came = invoke(
        tool.callback, keywords, way=tool.way, timeout=tool.options.timeout, report=reports.take
    )
    if isinstance(came, ENDED) and reports.is_quiet:
        return came
    return _watched(came, reports, deps)


async def _watched(came: Ended | Awaitable[Ending], reports: "_Reports", deps: Deps) -> Ending:
    """Wait for the end; what could not be stopped is kept until it ends."""
    ending = came if isinstance(came, ENDED) else await came
    if isinstance(ending, TimedOut | CalledOff):
        outlive(deps, ending.running)
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


def _own(args: Arguments) -> Arguments:
    """Return arguments whose parts the tool may change; the record keeps what it was given."""
    for value in args.values():
        if isinstance(value, dict | list):
            return plain(args)  # type: ignore[no-any-return]  # of a mapping it is a mapping
    return args


class _Reports:
    """Passes progress on beside the tool: the newest part only, and no fault of it comes back."""

    __slots__ = ("_call", "_newest", "_pass_on", "_passing")

    def __init__(self, call: Call, pass_on: OnProgress | None) -> None:
        self._call = call
        self._pass_on = pass_on
        self._newest: Progress | None = None
        self._passing: asyncio.Task[None] | None = None

    @property
    def is_quiet(self) -> bool:
        """Whether nothing was told."""
        return self._passing is None

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


def answerable(call: Call) -> bool:
    """Tell whether a listener may answer in the tool's place: for what no one need consent to."""
    return not (call.is_act or call.tool.options.mutating)


async def announce_end(call: Call, ending: Ending, result: ToolResult, deps: Deps) -> None:
    """Tell listeners what happened; nothing they do, or fail to do in time, changes it."""
    if deps.dispatcher is None:
        return
    name = ToolExecuted.name if isinstance(ending, Returned) else ToolFailed.name
    try:
        event = _event(call, ending, result) if deps.dispatcher.has_listeners(name) else None
    except Exception:  # what the tool did to its arguments may be anything
        log.exception("event.not_dispatched", extra={"event": name})
        return
    if event is not None:
        await announce(event, deps.dispatcher)


async def announce_served(call: Call, result: ToolResult, dispatcher: EventDispatcher) -> None:
    """Tell listeners that one of them answered in the tool's place."""
    event = ToolExecuted(
        tool=call.tool,
        arguments=frozen(call.args),
        ctx=call.ctx,
        result=result,
        cache_served=True,
        answerable=True,
        began=call.request.trail.started,
    )
    await announce(event, dispatcher)


def _event(call: Call, ending: Ending, result: ToolResult) -> ToolExecuted | ToolFailed:
    args = frozen(call.args)
    match ending:
        case Returned():
            return ToolExecuted(
                tool=call.tool,
                arguments=args,
                ctx=call.ctx,
                result=result,
                answerable=answerable(call),
                began=call.request.trail.started,
            )
        case Raised(error=error):
            failure: Exception = error
        case TimedOut() | CalledOff():
            failure = TimeoutError(result.error)
    return ToolFailed(tool=call.tool, arguments=args, ctx=call.ctx, error=failure, result=result)
