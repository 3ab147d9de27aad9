"""Calling the author's code, and telling listeners what came of it."""

import asyncio
import logging
from typing import Final

from ..call import Call
from ..deps import Deps
from ..events import Event, EventDispatcher, ToolExecuted, ToolFailed
from ..invoke import Ending, Raised, Returned, TimedOut, invoke
from ..progress import Progress
from ..result import ToolResult

log = logging.getLogger(__name__)

LISTENERS: Final = 10.0
"""Seconds that all listeners of one event get together."""


async def run_callback(call: Call, deps: Deps) -> Ending:
    """Call the author's code with the bound arguments."""

    async def report(part: Progress) -> None:
        if deps.on_progress is not None:
            await deps.on_progress(call, part)

    tool = call.tool
    try:
        keywords = tool.bind(call.args, call.ctx)
    except Exception as error:  # converting may run the author's own validators
        return Raised(error, began=False)
    return await invoke(tool.callback, keywords, timeout=tool.options.timeout, report=report)


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
        case TimedOut():
            failure = TimeoutError(result.error)
    return ToolFailed(tool=call.tool, arguments=args, ctx=call.ctx, error=failure, result=result)
