"""What the acts repository promises about acts of unknown outcome."""

from typing import Any

import pytest

from comal_runtime.record import Act, ActState, Attempt, Record

from .rows import NOW, claim, stored_act, stored_question

UNKNOWN = {
    "state": ActState.UNKNOWN,
    "attempt": 1,
    "instance": "worker",
    "claimed_boot": 1000.0,
    "boot_id": "boot-1",
    "deadline_boot": 1035.0,
    "deadline_at": NOW + 35,
}


async def read(record: Record) -> Act:
    async with record.reading() as stored:
        row = await stored.acts.get("q1")
    assert row is not None
    return row


async def settled(record: Record, to: ActState = ActState.SETTLED_DONE) -> bool:
    async with record.transaction() as tx:
        return await tx.acts.settle("q1", to, result="{}", by="telegram:1", now=NOW + 9)


async def ended(record: Record, frm: ActState, to: ActState, *, goes_on: bool = False) -> bool:
    attempt = Attempt(key="q1", number=1, instance="worker", boot=1000.0)
    async with record.transaction() as tx:
        return await tx.acts.end(attempt, frm=frm, to=to, result="{}", now=NOW + 2, goes_on=goes_on)


async def to_ask(record: Record, **when: Any) -> list[str]:
    moment: dict[str, Any] = {"boot_id": "boot-1", "boot": 2000.0, "now": NOW + 99, **when}
    async with record.reading() as stored:
        return [one.key for one in await stored.acts.to_ask(limit=9, **moment)]


class UnknownActsContract:
    """Inherit it and give a `record`."""

    @pytest.mark.parametrize("state", ActState)
    async def test_only_an_unknown_act_is_settled(self, record: Record, state: ActState) -> None:
        await stored_act(record, **{**UNKNOWN, "state": state})

        won = await settled(record)

        row = await read(record)
        assert won is (state is ActState.UNKNOWN)
        assert (row.state is ActState.SETTLED_DONE) is (won or state is ActState.SETTLED_DONE)
        assert (row.settled_by, row.settled_at) == (
            ("telegram:1", NOW + 9) if won else (None, None)
        )

    async def test_of_settling_and_a_late_end_the_first_wins(self, record: Record) -> None:
        await stored_act(record, **UNKNOWN)

        first = await settled(record, ActState.SETTLED_NOT_DONE)
        late = await ended(record, ActState.UNKNOWN, ActState.DONE_LATE)

        assert (first, late) == (True, False)
        assert (await read(record)).state is ActState.SETTLED_NOT_DONE

    async def test_an_act_is_left_once_and_can_be_settled_after_that(self, record: Record) -> None:
        await stored_act(record, **UNKNOWN)

        async with record.transaction() as tx:
            left = [await tx.acts.leave("q1", by=who, now=NOW) for who in ("Ana", "Bo")]
        after = await settled(record)

        assert left == [True, False]
        assert after
        assert (await read(record)).left_by == "Ana"

    async def test_what_started_goes_on_until_its_end_says_otherwise(self, record: Record) -> None:
        await stored_act(record)
        goes_on = []

        async with record.transaction() as tx:
            await tx.acts.claim("q1", claim())
        goes_on.append((await read(record)).goes_on)
        await ended(record, ActState.STARTED, ActState.UNKNOWN, goes_on=True)
        goes_on.append((await read(record)).goes_on)
        await ended(record, ActState.UNKNOWN, ActState.UNKNOWN)
        goes_on.append((await read(record)).goes_on)

        assert goes_on == [True, True, False]

    async def test_an_unknown_end_is_asked_about_once_its_deadline_has_passed(
        self, record: Record
    ) -> None:
        await stored_act(record, **{**UNKNOWN, "state": ActState.STARTED})
        await ended(record, ActState.STARTED, ActState.UNKNOWN)

        assert await to_ask(record) == ["q1"]
        assert await to_ask(record, now=NOW + 34) == []
        assert await to_ask(record, boot=1034.0) == []
        assert await to_ask(record, boot=1034.0, boot_id="boot-2") == ["q1"]

    async def test_of_two_who_take_an_act_to_ask_about_it_one_wins(self, record: Record) -> None:
        await stored_act(record, **UNKNOWN, ask_at=NOW)

        async with record.transaction() as tx:
            won = [await tx.acts.ask("q1", at=None, before=NOW) for _ in range(2)]
            counted = [await tx.acts.asked("q1", times=0) for _ in range(2)]

        assert (won, counted) == ([True, False], [True, False])
        assert await to_ask(record) == []

    async def test_acts_are_found_by_state_and_by_the_beginning_of_their_key(
        self, record: Record
    ) -> None:
        await stored_act(record, **UNKNOWN)
        await stored_act(record, "q2", created_at=NOW + 1)
        await stored_act(record, "Q1_", created_at=NOW + 2)

        async with record.reading() as stored:
            every = [one.key for one in await stored.acts.recent(state=None, limit=9)]
            unknown = [one.key for one in await stored.acts.recent(state="unknown", limit=9)]
            begun = [one.key for one in await stored.acts.beginning("q", limit=9)]
            wild = await stored.acts.beginning("%", limit=9)

        assert every == ["Q1_", "q2", "q1"]
        assert unknown == ["q1"]
        assert begun == ["q2", "q1"]
        assert wild == []

    async def test_questions_that_repeat_an_act_are_found_by_it(self, record: Record) -> None:
        await stored_question(record, "q1")
        await stored_question(record, "q2", repeats="q1")

        async with record.reading() as stored:
            found = [one.id for one in await stored.questions.repetitions("q1")]

        assert found == ["q2"]

    async def test_a_process_lives_as_long_as_it_has_said(self, record: Record) -> None:
        async with record.transaction() as tx:
            await tx.leases.live("worker", boot_id="boot-1", lease_boot=1010.0, lease_at=NOW + 10)

        async with record.reading() as stored:
            lives = [
                await stored.leases.lives(who, boot_id=boot_id, boot=boot, now=now)
                for who, boot_id, boot, now in (
                    ("worker", "boot-1", 1010.0, NOW + 99),
                    ("worker", "boot-1", 1010.5, NOW),
                    ("worker", "boot-2", 1.0, NOW + 10),
                    ("worker", "boot-2", 1.0, NOW + 11),
                    ("other", "boot-1", 1.0, NOW),
                )
            ]

        assert lives == [True, False, True, False, False]
