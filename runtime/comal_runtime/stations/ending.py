"""Storing how an act ended: once, by whoever holds it, and for as long as that takes."""

import asyncio
import logging

from ..audit import Batch, Outcome, result_json
from ..call import Call
from ..consent.question import tell
from ..consent.settling import forestall
from ..deps import Deps
from ..record import ActState, RecordError, Transaction
from ..result import ErrorCode, ToolResult
from .claiming import Held
from .lasting import keep, until_stored

log = logging.getLogger(__name__)

_AGAIN = 0.25  # seconds until an end that was not stored is tried again


def ending(
    call: Call, deps: Deps, held: Held, state: ActState, result: ToolResult
) -> asyncio.Task[ToolResult]:
    """Begin to store the end. From here on the audit record is that task's, come what may."""
    call.request.trail.recorded = True
    return keep(deps, _end(call, deps, held, state, result))


def ending_late(deps: Deps, held: Held, state: ActState, result: ToolResult) -> None:
    """Begin to store what came after the time limit; its call has its audit record already."""
    _begin_again(deps, held, state, result, pause=0.0)


def unknown(text: str) -> ToolResult:
    """Say that nobody knows whether something was done."""
    return ToolResult.error(text, code=ErrorCode.OUTCOME_UNKNOWN)


async def _end(
    call: Call, deps: Deps, held: Held, state: ActState, result: ToolResult
) -> ToolResult:
    """Store the end with its audit record, after the records of what led to it."""
    if deps.audit.is_crowded:
        await deps.audit.flush()
    told = result.with_meta(took_ms=call.request.trail.took_ms())
    recorded: Batch | None = None
    try:
        async with deps.record.transaction() as tx:
            ended = await _ended_as(tx, held, state, told, deps)
            outcome = _outcome(call, deps, told, f"act_{ended or state}")
            recorded = await deps.audit.write(tx, outcome)
    except Exception as error:  # the act has run: no fault of what comes after it may hide that
        log.exception("act.end_not_stored", extra={"act": held.key})
        if recorded is not None:
            deps.audit.not_written(recorded)
        _begin_again(deps, held, state, told, pause=_AGAIN)
        lost = unknown(f"{call.tool.name} ran, but its end could not be stored yet.")
        deps.audit.hand_over(_outcome(call, deps, lost, "act_end_not_stored"))
        return lost if isinstance(error, RecordError) else told
    deps.audit.written(recorded)
    return told


def _begin_again(
    deps: Deps, held: Held, state: ActState, result: ToolResult, *, pause: float
) -> None:
    async def write(tx: Transaction) -> None:
        await _ended_as(tx, held, state, result, deps)

    keep(deps, until_stored(deps, held.key, write, pause=pause))


def _outcome(call: Call, deps: Deps, result: ToolResult, decision: str) -> Outcome:
    return deps.audit.outcome(call.request, call.args, result, decision)


def _late_state(state: ActState) -> ActState:
    match state:
        case ActState.DONE:
            return ActState.DONE_LATE
        case ActState.FAILED:
            return ActState.SETTLED_NOT_DONE
        case _:
            return ActState.UNKNOWN


async def _ended_as(
    tx: Transaction, held: Held, state: ActState, result: ToolResult, deps: Deps
) -> ActState | None:
    """Move our attempt to its end, wherever a sweep may have put it; the state it now has.

    A result past its deadline is late, and said to be.
    """
    now, text = deps.clock.now(), result_json(result)
    if deps.clock.boot() > held.claim.deadline_boot and state is not ActState.UNKNOWN:
        await tx.acts.lose(held.key, held.attempt, reason="it ended late", now=now)
    for frm, to in ((ActState.STARTED, state), (ActState.UNKNOWN, _late_state(state))):
        goes_on = held.goes_on and to is ActState.UNKNOWN
        if await tx.acts.end(held.stored, frm=frm, to=to, result=text, now=now, goes_on=goes_on):
            tx.defer(tell(held.key))
            if to is ActState.DONE_LATE:
                await forestall(tx, held.key, now=now)
            return to
    return None
