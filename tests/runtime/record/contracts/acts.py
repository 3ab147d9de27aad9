"""What the acts repository promises."""

import asyncio
from typing import Any

import pytest

from comal_runtime.record import ActState, Attempt, Record

from .rows import NOW, act, claim, stored_act


async def claimed(record: Record, **changes: Any) -> int | None:
    async with record.transaction() as tx:
        return await tx.acts.claim("q1", claim(**changes))


def attempt_at(number: int, **changes: Any) -> Attempt:
    fields: dict[str, Any] = {"instance": "worker", "boot": 1000.0, **changes}
    return Attempt(key="q1", number=number, **fields)


async def ended(record: Record, number: int, frm: ActState, to: ActState) -> bool:
    async with record.transaction() as tx:
        return await tx.acts.end(attempt_at(number), frm=frm, to=to, result="{}", now=NOW + 2)


async def state_of(record: Record, key: str = "q1") -> ActState:
    async with record.reading() as stored:
        row = await stored.acts.get(key)
    assert row is not None
    return row.state


async def lost(record: Record, *, boot: float, now: float, boot_id: str = "boot-1") -> list[str]:
    async with record.reading() as stored:
        found = await stored.acts.lost(boot_id=boot_id, boot=boot, now=now, limit=9)
    return [one.key for one in found]


class ActsContract:
    """Inherit it and give a `record`."""

    async def test_an_act_is_read_as_it_was_stored(self, record: Record) -> None:
        row = await stored_act(record, question="q1", reason="r", args='{"a":1}')

        async with record.reading() as stored:
            assert await stored.acts.get("q1") == row

    async def test_the_second_act_with_a_key_is_not_stored(self, record: Record) -> None:
        await stored_act(record)

        async with record.transaction() as tx:
            won = await tx.acts.open(act(tool="other"))

        async with record.reading() as stored:
            row = await stored.acts.get("q1")
        assert not won
        assert row is not None
        assert row.tool == "wipe"

    async def test_of_many_claims_at_once_one_wins(self, record: Record) -> None:
        await stored_act(record)

        won = await asyncio.gather(*(claimed(record, instance=f"w{n}") for n in range(30)))

        winners = [number for number, attempt in enumerate(won) if attempt is not None]
        async with record.reading() as stored:
            row = await stored.acts.get("q1")
        assert len(winners) == 1
        assert row is not None
        assert (row.state, row.attempt) == (ActState.STARTED, 1)
        assert row.instance == f"w{winners[0]}"
        assert (row.claimed_boot, row.deadline_boot) == (1000.0, 1035.0)
        assert (row.deadline_at, row.started_at) == (NOW + 35, NOW)

    @pytest.mark.parametrize("state", [one for one in ActState if one is not ActState.APPROVED])
    async def test_only_an_approved_act_is_claimed(self, record: Record, state: ActState) -> None:
        await stored_act(record, state=state)

        assert await claimed(record) is None
        assert await state_of(record) is state

    async def test_an_act_is_not_claimed_from_the_moment_it_is_overdue(
        self, record: Record
    ) -> None:
        await stored_act(record, execute_by=NOW + 10)

        at_the_end = await claimed(record, now=NOW + 10)
        before = await claimed(record, now=NOW + 9.9)

        assert (at_the_end, before) == (None, 1)

    async def test_an_abandoned_act_is_claimed_again_as_a_new_attempt(self, record: Record) -> None:
        await stored_act(record)
        first = await claimed(record)
        async with record.transaction() as tx:
            wrong = await tx.acts.abandon(attempt_at(7))
            given_back = await tx.acts.abandon(attempt_at(1))

        second = await claimed(record)

        assert (first, wrong, given_back, second) == (1, False, True, 2)

    @pytest.mark.parametrize("changes", [{"instance": "other"}, {"boot": 999.0}])
    async def test_a_claim_that_was_not_stored_moves_nothing_of_the_next_with_its_number(
        self, record: Record, changes: dict[str, Any]
    ) -> None:
        await stored_act(record)
        await claimed(record)
        rolled_back = attempt_at(1, **changes)

        async with record.transaction() as tx:
            given_back = await tx.acts.abandon(rolled_back)
            ended = await tx.acts.end(
                rolled_back, frm=ActState.STARTED, to=ActState.FAILED, result="{}", now=NOW
            )

        assert (given_back, ended) == (False, False)
        assert await state_of(record) is ActState.STARTED

    async def test_an_end_is_written_by_the_attempt_that_runs_and_by_no_other(
        self, record: Record
    ) -> None:
        await stored_act(record)
        await claimed(record)

        foreign = await ended(record, 2, ActState.STARTED, ActState.DONE)
        own = await ended(record, 1, ActState.STARTED, ActState.DONE)
        again = await ended(record, 1, ActState.STARTED, ActState.FAILED)

        async with record.reading() as stored:
            row = await stored.acts.get("q1")
        assert (foreign, own, again) == (False, True, False)
        assert row is not None
        assert (row.state, row.result, row.ended_at) == (ActState.DONE, "{}", NOW + 2)

    async def test_a_started_act_is_never_void(self, record: Record) -> None:
        await stored_act(record)
        await claimed(record)

        async with record.transaction() as tx:
            changed = await tx.acts.void("q1", reason="r", now=NOW)

        assert not changed
        assert await state_of(record) is ActState.STARTED

    async def test_a_void_act_says_why_and_is_never_claimed(self, record: Record) -> None:
        await stored_act(record)
        async with record.transaction() as tx:
            changed = await tx.acts.void("q1", reason="the right is gone", now=NOW + 1)

        async with record.reading() as stored:
            row = await stored.acts.get("q1")
        assert changed
        assert row is not None
        assert (row.state, row.reason) == (ActState.VOID, "the right is gone")
        assert await claimed(record) is None

    async def test_losing_and_ending_race_for_one_row(self, record: Record) -> None:
        await stored_act(record)
        await claimed(record)

        async def lose() -> bool:
            async with record.transaction() as tx:
                return await tx.acts.lose("q1", 1, reason="gone", now=NOW)

        done, unknown = await asyncio.gather(
            ended(record, 1, ActState.STARTED, ActState.DONE), lose()
        )

        assert {done, unknown} == {True, False}
        assert await state_of(record) is (ActState.DONE if done else ActState.UNKNOWN)

    async def test_an_act_is_lost_only_after_its_deadline_and_its_owners_lease(
        self, record: Record
    ) -> None:
        await stored_act(record)
        await claimed(record, deadline_boot=1035.0)
        async with record.transaction() as tx:
            await tx.leases.live("worker", boot_id="boot-1", lease_boot=1050, lease_at=NOW + 50)

        found = [await lost(record, boot=boot, now=NOW + 9999) for boot in (1034, 1040, 1051)]

        assert found == [[], [], ["q1"]]

    async def test_an_act_of_an_owner_that_never_said_it_lives_is_lost_at_its_deadline(
        self, record: Record
    ) -> None:
        await stored_act(record)
        await claimed(record, deadline_boot=1035.0)

        found = [await lost(record, boot=boot, now=NOW) for boot in (1035, 1035.1)]

        assert found == [[], ["q1"]]

    async def test_on_another_boot_the_wall_clock_tells_what_is_lost(self, record: Record) -> None:
        await stored_act(record)
        await claimed(record, deadline_at=NOW + 35)
        async with record.transaction() as tx:
            await tx.leases.live("worker", boot_id="boot-1", lease_boot=9e9, lease_at=NOW + 50)

        moments = (NOW + 40, NOW + 51)
        found = [await lost(record, boot=5, now=now, boot_id="boot-2") for now in moments]

        assert found == [[], ["q1"]]

    async def test_only_approved_acts_whose_time_is_over_are_overdue(self, record: Record) -> None:
        await stored_act(record, "over", execute_by=NOW)
        await stored_act(record, "waiting", execute_by=NOW + 1)
        await stored_act(record, "done", execute_by=NOW, state=ActState.DONE)

        async with record.reading() as stored:
            assert await stored.acts.overdue(now=NOW, limit=9) == ["over"]
