"""Alarms: an open question is recalled, or others are asked about it as well, each once."""

from dataclasses import dataclass
from typing import Final

from ..record import Job, Record
from .question import new_id, tell

REMIND: Final = "remind"
"""The job that recalls questions to those who may answer; its key is the reminder's."""

SAY_ESCALATED: Final = "say_escalated"
"""The job that says that others are asked as well; its key is the question's."""

_AT_ONCE: Final = 500  # of each kind; after a leap of the clock the rest follows, sweep by sweep


@dataclass(frozen=True, slots=True)
class Rung:
    """Which questions were recalled, and about which others are asked as well."""

    reminded: list[str]
    escalated: list[str]


async def ring(record: Record, now: float) -> Rung:
    """Take the alarms that are due, with the jobs that follow, whoever else takes them too.

    All that are due together become one reminder. A question due for both is escalated.
    """
    async with record.reading() as stored:
        late = await stored.alarms.escalations(now=now, limit=_AT_ONCE)
        due = await stored.alarms.reminders(now=now, limit=_AT_ONCE)
    rung = Rung([], [])
    if not (late or due):
        return rung
    reminder = new_id()
    async with record.transaction() as tx:
        for one in late:
            if await tx.alarms.escalate(one, now=now):
                rung.escalated.append(one[0])
                tx.defer(tell(one[0]))
                tx.defer(_job(SAY_ESCALATED, one[0]))
        for one in due:
            if await tx.alarms.remind(one, reminder=reminder, now=now):
                rung.reminded.append(one[0])
        if rung.reminded:
            tx.defer(_job(REMIND, reminder))
    return rung


def _job(kind: str, key: str) -> Job:
    return Job(kind=kind, lane=f"{kind}:{key}", key=key)
