"""The sweep: what nobody ended is ended, and said."""

from dataclasses import dataclass

from ..clock import Clock
from ..record import QuestionState, Record
from .question import tell

_BATCH = 200  # rows a transaction

LOST = "the process that ran it is gone, so whether it was done is not known"


@dataclass(frozen=True, slots=True)
class Swept:
    """How many questions and acts one sweep ended."""

    expired: int
    void: int
    unknown: int


async def sweep(record: Record, clock: Clock) -> Swept:
    """Expire questions, void acts that waited too long, and call lost acts unknown.

    An act is lost only when its own deadline passed and its owner's lease ended as well.
    """
    expired = void = unknown = 0
    now = clock.now()
    async with record.reading() as stored:
        questions = await stored.questions.expired(now=now, limit=_BATCH)
        overdue = await stored.acts.overdue(now=now, limit=_BATCH)
        lost = await stored.acts.lost(
            boot_id=clock.boot_id(), boot=clock.boot(), now=now, limit=_BATCH
        )
    if not (questions or overdue or lost):
        return Swept(0, 0, 0)
    async with record.transaction() as tx:
        for question in questions:
            if await tx.questions.close(question, QuestionState.EXPIRED, now=now, reason=None):
                expired += 1
                tx.defer(tell(question))
        for key in overdue:
            if await tx.acts.void(key, reason="it waited too long", now=now):
                void += 1
                tx.defer(tell(key))
        for act in lost:
            if await tx.acts.lose(act.key, act.attempt, reason=LOST, now=now):
                unknown += 1
                tx.defer(tell(act.key))
    return Swept(expired, void, unknown)
