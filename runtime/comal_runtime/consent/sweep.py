"""The sweep: what nobody ended is ended, and said."""

import asyncio
from dataclasses import dataclass

from ..clock import Clock
from ..events import EventDispatcher, announce
from ..record import Question, QuestionKind, QuestionState, Record, Transaction
from .question import tell
from .verification import (
    VerificationEvent,
    VerificationKind,
    VerificationOutcome,
    VerificationResult,
    request_of,
)

_BATCH = 200  # rows a transaction

LOST = "the process that ran it is gone, so whether it was done is not known"


@dataclass(frozen=True, slots=True)
class Swept:
    """How many questions and acts one sweep ended."""

    expired: int
    void: int
    unknown: int


async def sweep(record: Record, clock: Clock, dispatcher: EventDispatcher | None = None) -> Swept:
    """Expire questions, void acts that waited too long, and call lost acts unknown.

    An act is lost only when its own deadline passed and its owner's lease ended as well. Listeners
    hear of verifications that expired, once they have.
    """
    now = clock.now()
    async with record.reading() as stored:
        questions = await stored.questions.expired(now=now, limit=_BATCH)
        overdue = await stored.acts.overdue(now=now, limit=_BATCH)
        lost = await stored.acts.lost(
            boot_id=clock.boot_id(), boot=clock.boot(), now=now, limit=_BATCH
        )
    if not (questions or overdue or lost):
        return Swept(0, 0, 0)
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
    if dispatcher is not None and expired:
        await _announce(record, expired, dispatcher)
    return Swept(len(expired), void, unknown)


async def _expire(tx: Transaction, questions: list[str], now: float) -> list[str]:
    expired: list[str] = []
    for question in questions:
        if await tx.questions.close(question, QuestionState.EXPIRED, now=now, reason=None):
            expired.append(question)
            tx.defer(tell(question))
    return expired


async def _announce(record: Record, expired: list[str], dispatcher: EventDispatcher) -> None:
    async with record.reading() as stored:
        found = [await stored.questions.get(question) for question in expired]
    told = (
        announce(_expiry(question), dispatcher)
        for question in found
        if question is not None and question.kind is QuestionKind.VERIFICATION
    )
    await asyncio.gather(*told)  # at once: a slow listener must not hold the next sweep up


def _expiry(question: Question) -> VerificationEvent:
    return VerificationEvent(
        kind=VerificationKind.EXPIRED,
        request=request_of(question),
        result=VerificationResult(outcome=VerificationOutcome.FAILED, reason="expired"),
    )
