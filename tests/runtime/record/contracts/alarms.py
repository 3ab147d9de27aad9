"""What the alarms of questions promise."""

import asyncio
from typing import Any

from comal_runtime.record import QuestionKind, QuestionState, Record

from .rows import NOW, question

VERIFICATION = QuestionKind.VERIFICATION


async def asked(record: Record, *keys: str, **changes: Any) -> None:
    async with record.transaction() as tx:
        for key in keys:
            await tx.questions.open(question(key, **changes))


async def due(record: Record, *, now: float = NOW) -> tuple[list[str], list[str]]:
    """Return which questions are to be recalled, and which to be escalated."""
    async with record.reading() as stored:
        reminders = await stored.alarms.reminders(now=now, limit=9)
        escalations = await stored.alarms.escalations(now=now, limit=9)
    return [key for key, _ in reminders], [key for key, _ in escalations]


class AlarmsContract:
    """Inherit it and give a `record`."""

    async def test_a_question_is_due_from_its_time_on_until_it_ends(self, record: Record) -> None:
        await asked(record, "r", remind_at=NOW + 10)
        await asked(record, "e", escalate_at=NOW + 20)

        found = [await due(record, now=NOW + after) for after in (9, 10, 20, 60)]

        assert found == [([], []), (["r"], []), (["r"], ["e"]), ([], [])]

    async def test_a_question_that_ended_is_never_due(self, record: Record) -> None:
        await asked(record, "q1", remind_at=NOW, escalate_at=NOW + 1)
        async with record.transaction() as tx:
            await tx.questions.decide("q1", QuestionState.CANCELLED, by=None, now=NOW, reason=None)

        assert await due(record, now=NOW + 2) == ([], [])

    async def test_who_is_due_for_both_is_escalated_and_not_recalled(self, record: Record) -> None:
        await asked(record, "q1", remind_at=NOW + 1, escalate_at=NOW + 2)
        before = await due(record, now=NOW + 1)
        both = await due(record, now=NOW + 2)
        async with record.transaction() as tx:
            taken = await tx.alarms.escalate(("q1", NOW + 2), now=NOW + 2)

        assert (before, both, taken) == ((["q1"], []), ([], ["q1"]), True)
        assert await due(record, now=NOW + 3) == ([], [])

    async def test_a_reminder_that_comes_later_outlives_an_escalation(self, record: Record) -> None:
        await asked(record, "q1", remind_at=NOW + 30, escalate_at=NOW)
        async with record.transaction() as tx:
            await tx.alarms.escalate(("q1", NOW), now=NOW)

        async with record.reading() as stored:
            found = await stored.questions.get("q1")
        assert found is not None
        assert (found.escalated_at, found.escalate_at, found.remind_at) == (NOW, None, NOW + 30)

    async def test_of_many_who_take_an_alarm_one_does(self, record: Record) -> None:
        await asked(record, "q1", remind_at=NOW)
        await asked(record, "q2", escalate_at=NOW)

        async def take(name: str) -> tuple[bool, bool]:
            async with record.transaction() as tx:
                reminded = await tx.alarms.remind(("q1", NOW), reminder=name, now=NOW)
                return reminded, await tx.alarms.escalate(("q2", NOW), now=NOW)

        taken = await asyncio.gather(*(take(f"w{number}") for number in range(9)))

        assert [sum(one) for one in zip(*taken, strict=True)] == [1, 1]

    async def test_a_reminder_holds_those_that_still_wait_and_the_first_to_end_first(
        self, record: Record
    ) -> None:
        await asked(record, "late", remind_at=NOW, expires_at=NOW + 90)
        await asked(record, "soon", "other", remind_at=NOW)
        await asked(record, "ended", remind_at=NOW)
        async with record.transaction() as tx:
            for key in ("late", "soon", "ended"):
                await tx.alarms.remind((key, NOW), reminder="r1", now=NOW)
            await tx.alarms.remind(("other", NOW), reminder="r2", now=NOW)
            await tx.questions.close("ended", QuestionState.CANCELLED, now=NOW, reason=None)

        async with record.reading() as stored:
            held = await stored.alarms.recalled("r1", now=NOW)
            left = await stored.alarms.recalled("r1", now=NOW + 60)
        assert (held, left) == (["soon", "late"], ["late"])

    async def test_open_verifications_are_read_page_by_page_each_once(self, record: Record) -> None:
        await asked(record, "a", "c", "b", kind=VERIFICATION)
        await asked(record, "late", kind=VERIFICATION, expires_at=NOW + 90)
        await asked(record, "mine")
        after, seen = ("", 0.0), []
        async with record.reading() as stored:
            while page := await stored.alarms.verifications(after=after, limit=2):
                seen += [key for key, _ in page]
                after = page[-1]

        assert seen == ["a", "b", "c", "late"]
