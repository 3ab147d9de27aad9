"""Ruling: a call whose route leaves it to a rule is granted or refused at once, by that rule."""

from dataclasses import replace
from typing import Final

from ..call import Call
from ..consent.question import call_question
from ..consent.repeating import Moot, moot
from ..consent.route import Route
from ..consent.verification import (
    VerificationEvent,
    VerificationKind,
    ask_rule,
    request_of,
    rule_name,
)
from ..consent.votes import act_of
from ..deps import Deps
from ..events import announce
from ..record import Question, QuestionState
from ..result import ErrorCode, ToolResult
from .lost import already_answered
from .station import Answer

_WITHIN: Final = 60.0  # seconds until an act that a rule allowed is void, when its call is lost


async def granted_by_rule(call: Call, route: Route, deps: Deps) -> Answer:
    """Let the call through, its act opened, if the rule of its route grants it."""
    before = await _asked_before(call, deps)
    if before is not None:
        return await already_answered(before, deps)
    now = deps.clock.now()
    ttl = route.lasts(call.tool.options.answer_within)
    fresh, _ = call_question(call.tool, call.args, call.ctx, route=route, now=now, ttl=ttl)
    said = await ask_rule(deps.verifiers, route.rule, request_of(fresh))
    if not said.is_satisfied:
        call.request.trail.decision = "rule_refused"
        return ToolResult.error(
            f"{call.tool.name!r} falls under route {route.name!r}, whose rule {route.rule!r} did "
            f"not grant it: {said.reason or said.outcome}. Nobody else is asked.",
            code=ErrorCode.FORBIDDEN,
        )
    granted = await _kept(fresh, rule_name(route.rule or ""), deps)
    if isinstance(granted, Moot):
        return ToolResult.error(f"Nothing is done: {granted.why}.", code=ErrorCode.FORBIDDEN)
    call.request.trail.question = granted.id
    event = VerificationEvent(
        kind=VerificationKind.GRANTED, request=request_of(granted), result=said
    )
    await announce(event, deps.dispatcher)
    return replace(call, question=granted)


async def _asked_before(call: Call, deps: Deps) -> Question | None:
    """Return the question of this very call, where it was made before its turn was resumed."""
    if call.ctx.call_key is None:
        return None
    async with deps.record.reading() as stored:
        return await stored.questions.by_call(str(call.ctx.call_key))


async def _kept(question: Question, by: str, deps: Deps) -> Question | Moot:
    """Store a question with a rule's yes to it and its act, which this very call is to claim."""
    now = deps.clock.now()
    async with deps.record.transaction() as tx:
        pointless = None if question.repeats is None else await moot(tx, question.repeats)
        if pointless is not None:
            return pointless
        if not await tx.questions.open(question):
            raise RuntimeError("another worker is making the same call of this turn")
        await tx.questions.decide(question.id, QuestionState.APPROVED, by=by, now=now, reason=None)
        await tx.acts.open(replace(act_of(question, now=now), execute_by=now + _WITHIN))
        stored = await tx.questions.get(question.id)
    return stored or question
