"""Running an act: claimed in the record before the callback, ended there after it."""

import asyncio
import logging
from collections.abc import Coroutine
from dataclasses import dataclass, replace
from typing import TypeVar

from ..audit import result_json
from ..call import Call
from ..consent.question import digest, new_id, tell
from ..consent.votes import EXECUTE_WITHIN, act_of, execute
from ..deps import Deps
from ..invoke import Ending, Raised, Returned, TimedOut, wrapped
from ..record import Act, ActState, Claim, QuestionState, RecordError, Transaction
from ..result import ErrorCode, ToolResult
from ..tools import canonical_json
from .lost import lost_claim
from .running import announce, run_callback
from .wording import raised, timed_out

log = logging.getLogger(__name__)

_FRESH = 1.0  # seconds between the claim and the callback, at most
_TRIES = 3

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Held:
    """An act this process has started and alone may end."""

    key: str
    attempt: int
    claim: Claim


async def run_act(call: Call, deps: Deps) -> ToolResult:
    """Claim, run and end an act. What cannot be known is said, never guessed."""
    held = await _claim_fresh(call, deps)
    if not isinstance(held, Held):
        return held
    call = _with_idempotency(call, held.key)
    try:
        ending = await run_callback(call, deps)
    except asyncio.CancelledError:
        await asyncio.shield(_ending(call, deps, held, ActState.UNKNOWN, _cancelled(call)))
        raise
    state, result = _judge(call, ending)
    stored = _ending(call, deps, held, state, result)
    if isinstance(ending, TimedOut) and ending.running is not None:
        _keep(deps, _end_late(call, deps, held, ending.running))
    told = await asyncio.shield(stored)
    await announce(call, ending, told, deps)
    return told


async def _claim_fresh(call: Call, deps: Deps) -> Held | ToolResult:
    key = _key(call)
    for _ in range(_TRIES):
        held = await _claim(call, key, deps)
        if not isinstance(held, Held):
            return held
        if deps.clock.boot() - held.claim.boot <= _FRESH:
            return held
        log.warning("act.abandoned", extra={"act": held.key, "attempt": held.attempt})
        async with deps.record.transaction() as tx:
            given_back = await tx.acts.abandon(held.key, held.attempt)
            if not given_back:
                await _settle_not_done(tx, held, deps)
        if not given_back:
            return await _not_claimed(call, held.key, deps)
    return await _put_off(call, key, deps)


async def _put_off(call: Call, key: str, deps: Deps) -> ToolResult:
    """Leave the act to its job's next try, if a job runs it; otherwise it is void."""
    call.request.trail.decision = "act_not_started"
    slow = f"{call.tool.name} was not started: this host is too slow now."
    async with deps.record.transaction() as tx:
        if call.ctx.consent is not None:
            tx.defer(execute(key), delay=_FRESH)
            return ToolResult.pending(f"{slow} It is tried again.", {"status": "running"})
        await tx.acts.void(key, reason="the host was too slow to start it", now=deps.clock.now())
    return ToolResult.error(f"{slow} Nothing was done.", code=ErrorCode.INTERNAL_ERROR)


async def _not_claimed(call: Call, key: str, deps: Deps) -> ToolResult:
    call.request.trail.decision = "act_not_claimed"
    return await lost_claim(key, deps)


async def _settle_not_done(tx: Transaction, held: Held, deps: Deps) -> None:
    nothing = ToolResult.error("Not done: the host was frozen before it could start.")
    ended = await tx.acts.end(
        held.key,
        held.attempt,
        frm=ActState.UNKNOWN,
        to=ActState.SETTLED_NOT_DONE,
        result=nothing.to_json(),
        now=deps.clock.now(),
    )
    if ended:
        tx.defer(tell(held.key))


async def _claim(call: Call, key: str, deps: Deps) -> Held | ToolResult:
    """Claim the act; for a token the yes, the act and the claim are one transaction."""
    now, boot = deps.clock.now(), deps.clock.boot()
    allowance = call.tool.options.timeout + deps.grace
    claim = Claim(
        instance=deps.instance,
        boot_id=deps.clock.boot_id(),
        boot=boot,
        deadline_boot=boot + allowance,
        deadline_at=now + allowance,
        now=now,
    )
    async with deps.record.transaction() as tx:
        await _open(call, key, tx, now)
        attempt = await tx.acts.claim(key, claim)
    if attempt is None:
        return await _not_claimed(call, key, deps)
    return Held(key, attempt, claim)


async def _open(call: Call, key: str, tx: Transaction, now: float) -> None:
    question = call.question
    if question is None:
        await tx.acts.open(_unasked(call, key, now))
    elif question.state is QuestionState.OPEN and await tx.questions.decide(
        question.id, QuestionState.APPROVED, by=call.ctx.principal, now=now, reason=None
    ):
        await tx.acts.open(act_of(question, now=now))


def _with_idempotency(call: Call, key: str) -> Call:
    """Let the tool know under which key an outside service should do this once."""
    asked = call.ctx.idempotency_key if call.question is None else call.question.idempotency_key
    ctx = replace(call.ctx, idempotency_key=asked or key)
    return replace(call, request=replace(call.request, ctx=ctx))


def _key(call: Call) -> str:
    if call.question is not None:
        return call.question.id
    return str(call.ctx.call_key) if call.ctx.call_key is not None else new_id()


def _unasked(call: Call, key: str, now: float) -> Act:
    ctx, args = call.ctx, canonical_json(call.args)
    return Act(
        key=key,
        question=None,
        tool=call.tool.name,
        args=args,
        args_digest=digest(args),
        principal=ctx.principal,
        channel=ctx.channel,
        conversation=ctx.conversation,
        state=ActState.APPROVED,
        execute_by=now + EXECUTE_WITHIN,
        idempotency_key=ctx.idempotency_key or key,
        created_at=now,
    )


def _judge(call: Call, ending: Ending) -> tuple[ActState, ToolResult]:
    match ending:
        case Returned(value=value):
            result = wrapped(value)
            return (ActState.DONE if result.success else ActState.FAILED), result
        case Raised() if ending.applied_nothing:
            return ActState.FAILED, raised(call, ending.error)
        case Raised(error=error):
            said = raised(call, error)
            return ActState.UNKNOWN, _unknown(f"{said.error}; whether it was done is not known.")
        case TimedOut(running=running):
            code = ErrorCode.OUTCOME_UNKNOWN
            return ActState.UNKNOWN, timed_out(call, running is not None, code)


def _ending(
    call: Call, deps: Deps, held: Held, state: ActState, result: ToolResult
) -> asyncio.Task[ToolResult]:
    """Begin to store the end. From here on the audit record is that task's, come what may."""
    call.request.trail.recorded = True
    return _keep(deps, _end(call, deps, held, state, result))


async def _end(
    call: Call, deps: Deps, held: Held, state: ActState, result: ToolResult
) -> ToolResult:
    """Store the end with its audit record."""
    told = result.with_meta(took_ms=call.request.trail.took_ms())
    try:
        async with deps.record.transaction() as tx:
            ended = await _ended_as(tx, held, state, told, deps)
            outcome = deps.audit.outcome(call.request, call.args, told, f"act_{ended or state}")
            await tx.audit.add([deps.audit.entry(outcome)])
    except RecordError:
        log.exception("act.end_not_stored", extra={"act": held.key})
        lost = _unknown(f"{call.tool.name} ran, but its end could not be stored.")
        deps.audit.hand_over(
            deps.audit.outcome(call.request, call.args, lost, "act_end_not_stored")
        )
        return lost
    return told


async def _end_late(
    call: Call, deps: Deps, held: Held, running: "asyncio.Future[Returned | Raised]"
) -> None:
    """Store what came after the time limit; its call has its audit record already."""
    state, result = _judge(call, await running)
    if state is ActState.UNKNOWN:
        return
    try:
        async with deps.record.transaction() as tx:
            await _ended_as(tx, held, state, result, deps)
    except RecordError:
        log.exception("act.end_not_stored", extra={"act": held.key})


def _keep(deps: Deps, work: Coroutine[object, object, _T]) -> asyncio.Task[_T]:
    task = asyncio.get_running_loop().create_task(work)
    deps.late.add(task)
    task.add_done_callback(deps.late.discard)
    return task


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
        if await tx.acts.end(held.key, held.attempt, frm=frm, to=to, result=text, now=now):
            tx.defer(tell(held.key))
            return to
    return None


def _unknown(text: str) -> ToolResult:
    return ToolResult.error(text, code=ErrorCode.OUTCOME_UNKNOWN)


def _cancelled(call: Call) -> ToolResult:
    return _unknown(f"{call.tool.name} was cancelled while it ran; whether it was done is unknown.")
