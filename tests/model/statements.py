"""The statement of the record behind each event of the table."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final

from comal_runtime.record import ActState, Attempt, QuestionState, Transaction
from tests.runtime.record.contracts.rows import NOW, act, claim, question

KEY: Final = "q1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """When and by whom a statement is tried: `now` on the wall clock, `number` of the attempt."""

    now: float = NOW
    number: int = 0


Statement = Callable[[Transaction, Moment], Awaitable[object]]
"""Tries one conditional change; what it returns is true if it won."""


def _deciding(state: QuestionState) -> Statement:
    return lambda tx, at: tx.questions.decide(KEY, state, by="telegram:1", now=at.now, reason=None)


def _closing(state: QuestionState) -> Statement:
    return lambda tx, at: tx.questions.close(KEY, state, now=at.now, reason=None)


def _ending(frm: ActState, to: ActState) -> Statement:
    return lambda tx, at: tx.acts.end(_attempt(at), frm=frm, to=to, result="{}", now=at.now)


def _settling(to: ActState) -> Statement:
    return lambda tx, at: tx.acts.settle(KEY, to, result="{}", by="service", now=at.now)


def _attempt(at: Moment) -> Attempt:
    return Attempt(key=KEY, number=at.number, instance="worker", boot=1000.0)


QUESTION_STATEMENTS: Final[Mapping[str, Statement]] = {
    "ask": lambda tx, at: tx.questions.open(question(KEY)),
    "vote": lambda tx, at: tx.questions.hold(KEY, now=at.now),
    "approve": _deciding(QuestionState.APPROVED),
    "redeem": _deciding(QuestionState.APPROVED),
    "rule": _deciding(QuestionState.APPROVED),
    "cancel": _deciding(QuestionState.CANCELLED),
    "reject": _deciding(QuestionState.REJECTED),
    "expire": _closing(QuestionState.EXPIRED),
    "refuse": _closing(QuestionState.APPROVED),
    "change": _deciding(QuestionState.SUPERSEDED),
    "edit": lambda tx, at: tx.questions.replace(KEY, by="q2", editor="telegram:1", now=at.now),
    "forestall": _closing(QuestionState.SUPERSEDED),
}

ACT_STATEMENTS: Final[Mapping[str, Statement]] = {
    "open": lambda tx, at: tx.acts.open(act(KEY)),
    "claim": lambda tx, at: tx.acts.claim(KEY, claim(now=at.now)),
    "void": lambda tx, at: tx.acts.void(KEY, reason="r", now=at.now),
    "abandon": lambda tx, at: tx.acts.abandon(_attempt(at)),
    "end_done": _ending(ActState.STARTED, ActState.DONE),
    "end_failed": _ending(ActState.STARTED, ActState.FAILED),
    "end_unknown": _ending(ActState.STARTED, ActState.UNKNOWN),
    "lose": lambda tx, at: tx.acts.lose(KEY, at.number, reason="r", now=at.now),
    "late_done": _ending(ActState.UNKNOWN, ActState.DONE_LATE),
    "late_failed": _ending(ActState.UNKNOWN, ActState.SETTLED_NOT_DONE),
    "late_unknown": _ending(ActState.UNKNOWN, ActState.UNKNOWN),
    "settle_done": _settling(ActState.SETTLED_DONE),
    "settle_not_done": _settling(ActState.SETTLED_NOT_DONE),
    "leave": lambda tx, at: tx.acts.leave(KEY, by="telegram:1", now=at.now),
}
