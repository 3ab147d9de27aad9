"""Claiming an act in the record, freshly, before its callback; and giving a claim back."""

import asyncio
import logging
from dataclasses import dataclass, replace

from ..call import Call
from ..consent.grounds import ALTERED
from ..consent.question import digest, new_id, tell
from ..consent.votes import EXECUTE_WITHIN, act_of, execute
from ..deps import Deps
from ..record import (
    Act,
    ActState,
    Attempt,
    Claim,
    Question,
    QuestionState,
    RecordError,
    Transaction,
)
from ..result import ErrorCode, ToolResult
from ..tools import canonical_json
from .lasting import keep, until_stored
from .lost import lost_claim
from .promise import broken_since, refused, void_redeemed

log = logging.getLogger(__name__)

_FRESH = 1.0  # seconds between the claim and the callback, at most
_TRIES = 3
_NEVER_BEGAN = "cancelled before it began; nothing was done"
_NOT_SURE = "the record failed before it began; nothing was done"
_TOO_SLOW = "the host was too slow to start it; nothing was done"


@dataclass(frozen=True, slots=True)
class Held:
    """An act this process has started and alone may end; `goes_on`: its tool was not stopped."""

    key: str
    attempt: int
    claim: Claim
    goes_on: bool = False

    @property
    def stored(self) -> Attempt:
        """This claim, as the record knows it."""
        claim = self.claim
        return Attempt(key=self.key, number=self.attempt, instance=claim.instance, boot=claim.boot)


async def claim_fresh(call: Call, deps: Deps) -> Held | ToolResult:
    """Claim the act of this call; what it claims is given back when it cannot be run at once."""
    key = _key(call)
    for _ in range(_TRIES):
        held = await _claim(call, key, deps)
        if not isinstance(held, Held):
            return held
        if deps.clock.boot() - held.claim.boot <= _FRESH:
            return held
        log.warning("act.abandoned", extra={"act": held.key, "attempt": held.attempt})
        if not await _abandoned(call, held, deps):
            return await _not_claimed(call, held.key, deps)
    return await _put_off(call, key, deps)


async def _abandoned(call: Call, held: Held, deps: Deps) -> bool:
    try:
        async with deps.record.transaction() as tx:
            given_back = await tx.acts.abandon(held.stored)
            if not given_back:
                await _settle_not_done(tx, held, deps)
    except (asyncio.CancelledError, RecordError):
        give_back(call, held, deps)
        raise
    return given_back


def give_back(call: Call, held: Held, deps: Deps, why: str = _NEVER_BEGAN) -> None:
    """Begin to undo a claim whose callback never began; without a job to retry it it is void."""

    async def undo(tx: Transaction) -> None:
        if not await tx.acts.abandon(held.stored):
            await _settle_not_done(tx, held, deps)
        elif call.ctx.consent is not None:
            tx.defer(execute(held.key))
        else:
            await _void(tx, held.key, why, deps)

    keep(deps, until_stored(deps, held.key, undo))


async def _put_off(call: Call, key: str, deps: Deps) -> ToolResult:
    """Leave the act to its job's next try, if a job runs it; otherwise it is void."""
    call.request.trail.decision = "act_not_started"
    slow = f"{call.tool.name} was not started: this host is too slow now."
    async with deps.record.transaction() as tx:
        if call.ctx.consent is not None:
            tx.defer(execute(key), delay=_FRESH)
            return ToolResult.pending(f"{slow} It is tried again.", {"status": "running"})
        void = await _void(tx, key, _TOO_SLOW, deps)
    if not void:  # another caller of the same yes has it
        return await _not_claimed(call, key, deps)
    return ToolResult.error(f"{slow} Nothing was done.", code=ErrorCode.INTERNAL_ERROR)


async def _void(tx: Transaction, key: str, why: str, deps: Deps) -> bool:
    void = await tx.acts.void(key, reason=why, now=deps.clock.now())
    if void:
        tx.defer(tell(key))
    return void


async def _not_claimed(call: Call, key: str, deps: Deps) -> ToolResult:
    call.request.trail.decision = "act_not_claimed"
    return await lost_claim(key, deps)


async def _settle_not_done(tx: Transaction, held: Held, deps: Deps) -> None:
    nothing = ToolResult.error("Not done: it was stopped before it could start.")
    ended = await tx.acts.end(
        held.stored,
        frm=ActState.UNKNOWN,
        to=ActState.SETTLED_NOT_DONE,
        result=nothing.to_json(),
        now=deps.clock.now(),
    )
    if ended:
        tx.defer(tell(held.key))


async def _claim(call: Call, key: str, deps: Deps) -> Held | ToolResult:
    """Claim the act; the last look at what was promised is in the same transaction.

    For a token the yes and the act are as well.
    """
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
    attempt: int | None = None
    try:
        async with deps.record.transaction() as tx:
            refusal = await _open(call, key, tx, deps)
            if refusal is None:
                attempt = await tx.acts.claim(key, claim)
    except (asyncio.CancelledError, RecordError) as fault:
        if attempt is not None:  # it may be stored all the same
            why = _NOT_SURE if isinstance(fault, RecordError) else _NEVER_BEGAN
            give_back(call, Held(key, attempt, claim), deps, why)
        raise
    if refusal is not None:
        call.request.trail.decision = "not_as_shown"
        return refusal
    if attempt is None:
        return await _not_claimed(call, key, deps)
    return Held(key, attempt, claim)


async def _open(call: Call, key: str, tx: Transaction, deps: Deps) -> ToolResult | None:
    """Open the act, if it is not yet; a call that is not what was shown has it void instead."""
    question, now = call.question, deps.clock.now()
    if question is None:
        await tx.acts.open(_unasked(call, key, now))
        return None
    why = await broken_since(call, question, deps, tx)
    if why is None and question.state is QuestionState.OPEN:
        why = await _redeem(call, question, tx, now)
    if why is None:
        return None
    refusal = refused(why)
    await void_redeemed(tx, question, refusal.error or why, now)
    return refusal


async def _redeem(call: Call, question: Question, tx: Transaction, now: float) -> str | None:
    """Make a token the yes to its question, unless somebody decided before; say what is wrong."""
    redeemed = await tx.questions.decide(
        question.id, QuestionState.APPROVED, by=call.ctx.principal, now=now, reason=None
    )
    if redeemed and not await tx.acts.open(act_of(question, now=now)):
        return ALTERED
    return None


def with_idempotency(call: Call, key: str) -> Call:
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
