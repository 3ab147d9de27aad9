"""Running an act: claimed in the record before the callback, ended there after it."""

import asyncio
import logging
from dataclasses import replace

from ..call import Call
from ..deps import Deps
from ..invoke import CalledOff, Ended, Ending, Raised, Returned, TimedOut, wrapped
from ..record import ActState
from ..result import ErrorCode, ToolResult
from .claiming import Held, claim_fresh, give_back, with_idempotency
from .ending import ending, ending_late, unknown
from .foretelling import foretold_otherwise
from .lasting import keep
from .promise import refused, void_redeemed
from .running import ENDED, announce_end, run_callback
from .wording import raised, timed_out, told_late

log = logging.getLogger(__name__)


async def run_act(call: Call, deps: Deps) -> ToolResult:
    """Claim, run and end an act. What cannot be known is said, never guessed."""
    refusal = await _foretold_otherwise(call, deps)
    if refusal is not None:
        return refusal
    held = await claim_fresh(call, deps)
    if not isinstance(held, Held):
        return held
    call = with_idempotency(call, held.key)
    came = await _ran(call, deps)
    if isinstance(came, CalledOff) and _never_began(came):
        give_back(call, held, deps)
        raise asyncio.CancelledError
    state, result = _judged(call, came)
    running = came.running if isinstance(came, TimedOut | CalledOff) else None
    stored = ending(call, deps, replace(held, goes_on=running is not None), state, result)
    if running is not None:
        keep(deps, _end_late(call, deps, held, running))
    told = await asyncio.shield(stored)
    if isinstance(came, CalledOff):
        raise asyncio.CancelledError
    await announce_end(call, came, told, deps)
    return told


async def _foretold_otherwise(call: Call, deps: Deps) -> ToolResult | None:
    """Void the act of a call that would change something else than was shown."""
    why = await foretold_otherwise(call, deps)
    if why is None or call.question is None:
        return None
    refusal = refused(why)
    async with deps.record.transaction() as tx:
        await void_redeemed(tx, call.question, refusal.error or why, deps.clock.now())
    call.request.trail.decision = "not_as_shown"
    return refusal


async def _ran(call: Call, deps: Deps) -> Ending:
    """Run the callback; a fault of the host's own meanwhile leaves open what was done."""
    try:
        running = run_callback(call, deps)
        return running if isinstance(running, ENDED) else await running
    except Exception as error:
        return Raised(error)


def _never_began(came: CalledOff) -> bool:
    return isinstance(came.ended, Raised) and not came.ended.began


def _judged(call: Call, ending: Ending) -> tuple[ActState, ToolResult]:
    """Judge an end; what cannot even be read is unknown, for something may have been done."""
    try:
        return _judge(call, ending)
    except Exception as fault:  # the author's own result or error may raise when it is read
        log.error(
            "act.end_unreadable", extra={"tool": call.tool.name, "fault": type(fault).__name__}
        )
        name = call.tool.name
        return ActState.UNKNOWN, unknown(
            f"{name} ran, but what it gave cannot be read; whether it was done is not known."
        )


def _judge(call: Call, ending: Ending) -> tuple[ActState, ToolResult]:
    match ending:
        case Returned(value=value, late=late):
            result = told_late(wrapped(value), late)
            return (ActState.DONE if result.success else ActState.FAILED), result
        case Raised(late=late) if ending.applied_nothing:
            return ActState.FAILED, told_late(raised(call, ending.error), late)
        case Raised(error=error, late=late):
            said = raised(call, error)
            lost = unknown(f"{said.error}; whether it was done is not known.")
            return ActState.UNKNOWN, told_late(lost, late)
        case TimedOut(running=running):
            code = ErrorCode.OUTCOME_UNKNOWN
            return ActState.UNKNOWN, timed_out(call, running is not None, code)
        case CalledOff(ended=Returned() | Raised() as ended):
            return _judge(call, ended)
        case CalledOff():
            return ActState.UNKNOWN, _cancelled(call)


async def _end_late(call: Call, deps: Deps, held: Held, running: "asyncio.Future[Ended]") -> None:
    state, result = _judged(call, await running)
    ending_late(deps, held, state, result)


def _cancelled(call: Call) -> ToolResult:
    return unknown(f"{call.tool.name} was cancelled while it ran; whether it was done is unknown.")
