"""The sweep: what nobody ended is ended, and said."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from ..clock import Clock
from ..events import EventDispatcher, announce
from ..record import Question, QuestionKind, QuestionState, Record, Transaction
from .alarms import ring
from .question import tell
from .terms import Terms
from .verification import (
    VerificationEvent,
    VerificationKind,
    VerificationOutcome,
    VerificationResult,
    request_of,
)

_BATCH = 200  # rows a transaction
_MOST = 10_000  # questions that one sweep ends, about

LOST = "the process that ran it is gone, so whether it was done is not known"


@dataclass(frozen=True, slots=True)
class Swept:
    """How many questions and acts one sweep ended, and how many it recalled or escalated."""

    expired: int = 0
    void: int = 0
    unknown: int = 0
    reminded: int = 0
    escalated: int = 0


async def sweep(record: Record, clock: Clock, dispatcher: EventDispatcher | None = None) -> Swept:
    """Expire questions, void acts that waited too long, call lost acts unknown, ring the alarms.

    An act is lost only when its own deadline passed and its owner's lease ended as well. Listeners
    hear of verifications that expired or were escalated, once they have.
    """
    now = clock.now()
    ended, void, unknown = await _end(record, clock, now)
    expired = ended
    while len(ended) == _BATCH and len(expired) < _MOST:
        ended, voided, lost = await _end(record, clock, now)
        expired, void, unknown = [*expired, *ended], void + voided, unknown + lost
    rung = await ring(record, now)
    if dispatcher is not None:
        await _announce(record, VerificationKind.EXPIRED, expired, dispatcher)
        await _announce(record, VerificationKind.ESCALATED, rung.escalated, dispatcher)
    return Swept(len(expired), void, unknown, len(rung.reminded), len(rung.escalated))


async def _end(record: Record, clock: Clock, now: float) -> tuple[list[str], int, int]:
    """End what nobody ended: which questions, and how many acts that waited or were lost."""
    async with record.reading() as stored:
        questions = await stored.questions.expired(now=now, limit=_BATCH)
        overdue = await stored.acts.overdue(now=now, limit=_BATCH)
        lost = await stored.acts.lost(
            boot_id=clock.boot_id(), boot=clock.boot(), now=now, limit=_BATCH
        )
    if not (questions or overdue or lost):
        return [], 0, 0
    void = unknown = 0
    async with record.transaction() as tx:
        expired = await _expire(tx, questions, now)
        for key in overdue:
            if await tx.acts.void(key, reason="it waited too long", now=now):
                void += 1
                tx.defer(tell(key))
        for act in lost:
            if await tx.acts.lose(act.key, act.attempt, reason=LOST, now=now):
                unknown += 1
                tx.defer(tell(act.key))
    return expired, void, unknown


async def _expire(tx: Transaction, questions: list[str], now: float) -> list[str]:
    expired: list[str] = []
    for question in questions:
        if await tx.questions.close(question, QuestionState.EXPIRED, now=now, reason=None):
            expired.append(question)
            tx.defer(tell(question))
    return expired


async def _announce(
    record: Record, kind: VerificationKind, keys: Sequence[str], dispatcher: EventDispatcher
) -> None:
    if not keys:
        return
    async with record.reading() as stored:
        found = [await stored.questions.get(question) for question in keys]
    told = (
        announce(_event(kind, question), dispatcher)
        for question in found
        if question is not None and question.kind is QuestionKind.VERIFICATION
    )
    await asyncio.gather(*told)  # at once: a slow listener must not hold the next sweep up


def _event(kind: VerificationKind, question: Question) -> VerificationEvent:
    stands = VerificationResult(
        outcome=VerificationOutcome.PENDING, needed=Terms.read(question.route).needed
    )
    if kind is VerificationKind.EXPIRED:
        stands = VerificationResult(outcome=VerificationOutcome.FAILED, reason="expired")
    return VerificationEvent(kind=kind, request=request_of(question), result=stands)
