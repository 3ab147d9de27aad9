"""Emit `tool.executing`: the last word of listeners, after every gate and before the tool."""

import asyncio
import logging
from collections.abc import Awaitable

from ..call import Call
from ..context import ToolContext
from ..deps import Deps
from ..events import LISTENERS, EventDispatcher, InterceptionSlot, ToolExecuting
from ..invoke import wrapped
from ..json_values import frozen
from ..result import ErrorCode, ToolResult
from ..tools import Tool
from .running import announce_served, answerable
from .station import Answer, Presence, RegistryWiring, Seen

log = logging.getLogger(__name__)


def emit_executing(call: Call, deps: Deps) -> Answer | Awaitable[Answer]:
    """Let the call through unless a listener stops it, answers for it, or fails."""
    if deps.dispatcher is None or not deps.dispatcher.has_listeners(ToolExecuting.name):
        return call
    return _ask_listeners(call, deps.dispatcher)


def inspect_emit_executing(tool: Tool, ctx: ToolContext, wiring: RegistryWiring) -> Seen:
    """Say whether anybody could listen."""
    if wiring.has_dispatcher:
        return Seen(Presence.CONDITIONAL, "a listener may stop the call or answer for it")
    return Seen(Presence.DORMANT, "no dispatcher is wired")


async def _ask_listeners(call: Call, dispatcher: EventDispatcher) -> Answer:
    slot = InterceptionSlot()
    try:
        event = ToolExecuting(
            tool=call.tool,
            arguments=frozen(call.args),
            ctx=call.ctx,
            answerable=answerable(call),
            slot=slot,
        )
        async with asyncio.timeout(LISTENERS):
            await dispatcher.dispatch(event)
    except Exception:  # whatever a listener raises, or its time limit, stops the call
        at_fault = slot.listener or slot.asked_last
        log.exception("listener.failed", extra={"tool": call.tool.name, "listener": at_fault})
        call.request.trail.decision = "listener_failed"
        return _stopped(at_fault, "it failed")
    if slot.has_result:
        return await _answered(call, slot, dispatcher)
    if slot.is_stopped:
        call.request.trail.decision = "vetoed"
        return _stopped(slot.listener, slot.reason)
    return call


async def _answered(call: Call, slot: InterceptionSlot, dispatcher: EventDispatcher) -> Answer:
    if not answerable(call):
        log.warning(
            "listener.short_circuit_refused",
            extra={"tool": call.tool.name, "listener": slot.listener},
        )
        call.request.trail.decision = "short_circuit_refused"
        return _stopped(slot.listener, "it answered for a call that only the tool may answer")
    call.request.trail.decision = "cache_served"
    result = wrapped(slot.result).with_meta(cache_served=True)
    await announce_served(call, result, dispatcher)
    return result


def _stopped(listener: str | None, reason: str) -> ToolResult:
    by = f"listener {listener}" if listener else "the event dispatcher"
    why = f": {reason}" if reason else ""
    stopped = ToolResult.blocked(f"Stopped by {by}{why}.")
    return stopped.with_meta(code=ErrorCode.FORBIDDEN, listener=listener)
