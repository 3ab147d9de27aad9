"""What the identities and admissions repositories promise."""

import asyncio

import pytest

from comal_runtime.record import IdentityLink, OwnerCode, Pairing, Record, Standing

from .rows import NOW


def code(name: str = "c1", **changes: float) -> OwnerCode:
    return OwnerCode(id=name, salt="00", hash="ff", expires_at=changes.get("expires_at", NOW + 9))


def pairing(question: str, principal: str = "telegram:5") -> Pairing:
    return Pairing(
        question=question,
        principal=principal,
        name="Eve",
        roles="desk",
        channel="main",
        chat="5",
        asked_at=NOW,
    )


class IdentitiesContract:
    """Inherit it and give a `record`."""

    async def standing(self, record: Record) -> Standing:
        async with record.reading() as stored:
            return await stored.identities.standing()

    async def test_what_somebody_was_given_is_there_until_it_is_taken(self, record: Record) -> None:
        async with record.transaction() as tx:
            await tx.identities.add("telegram:1", by="a", now=NOW)
            given = [await tx.identities.give("telegram:1", "desk", by="a", now=NOW) for _ in "12"]
        before = await self.standing(record)
        async with record.transaction() as tx:
            taken = [await tx.identities.take("telegram:1", "desk") for _ in "12"]
        after = await self.standing(record)

        assert (given, taken) == ([True, False], [True, False])
        assert before.roles == {"telegram:1": {"desk"}}
        assert (after.roles, after.since) == ({}, {"telegram:1": NOW})

    async def test_only_what_changes_something_changes_the_stamp(self, record: Record) -> None:
        stamps = []
        async with record.transaction() as tx:
            for _ in "12":
                await tx.identities.add("telegram:1", by="a", now=NOW)
                stamps.append(await tx.identities.stamp())
            await tx.identities.link("telegram:1", "telegram:2", now=NOW)
            stamps.append(await tx.identities.stamp())

        assert stamps[0] == stamps[1] != stamps[2]

    async def test_a_change_that_was_undone_leaves_no_stamp_that_comes_again(
        self, record: Record
    ) -> None:
        with pytest.raises(ZeroDivisionError):
            async with record.transaction() as tx:
                await tx.identities.add("telegram:1", by="a", now=NOW)
                undone = await tx.identities.stamp()
                raise ZeroDivisionError
        async with record.transaction() as tx:
            await tx.identities.add("telegram:2", by="a", now=NOW)

        assert (await self.standing(record)).stamp not in ("", undone)

    async def test_a_link_that_ended_is_kept_and_may_be_made_anew(self, record: Record) -> None:
        async with record.transaction() as tx:
            first = await tx.identities.link("telegram:1", "telegram:2", now=NOW)
            again = await tx.identities.link("telegram:1", "telegram:2", now=NOW + 1)
            ended = await tx.identities.unlink("telegram:2", "telegram:1", now=NOW + 2)
            nothing = await tx.identities.unlink("telegram:2", "telegram:1", now=NOW + 3)
            anew = await tx.identities.link("telegram:1", "telegram:2", now=NOW + 4)

        two = {"anchor": "telegram:1", "added": "telegram:2"}
        assert (first, again, ended, nothing, anew) == (True, False, True, False, True)
        assert (await self.standing(record)).links == (
            IdentityLink(**two, since=NOW, until=NOW + 2),
            IdentityLink(**two, since=NOW + 4),
        )

    async def test_an_offer_is_used_once_by_whom_it_names_and_in_time(self, record: Record) -> None:
        async with record.transaction() as tx:
            await tx.identities.offer("telegram:1", "telegram:2", now=NOW)
            late = await tx.identities.take_offer("telegram:1", "telegram:2", since=NOW)
            foreign = await tx.identities.take_offer("telegram:1", "telegram:3", since=NOW - 1)
            taken = [
                await tx.identities.take_offer("telegram:1", "telegram:2", since=NOW - 1)
                for _ in "12"
            ]

        assert (late, foreign, taken) == (False, False, [True, False])


class AdmissionsContract:
    """Inherit it and give a `record`."""

    async def test_of_many_who_know_the_code_one_uses_it(self, record: Record) -> None:
        async def spent() -> bool:
            async with record.transaction() as tx:
                return await tx.admissions.spend("c1", now=NOW)

        async with record.transaction() as tx:
            await tx.admissions.issue(code())
        won = await asyncio.gather(*(spent() for _ in range(9)))

        assert won.count(True) == 1

    async def test_a_code_is_good_until_its_end_or_until_another_is_made(
        self, record: Record
    ) -> None:
        async with record.transaction() as tx:
            await tx.admissions.issue(code("c1"))
            await tx.admissions.issue(code("c2"))
            live = await tx.admissions.code(now=NOW)
            over = await tx.admissions.code(now=NOW + 9)
            spent = [await tx.admissions.spend(one, now=NOW) for one in ("c1", "c2")]

        assert (live, over, spent) == (code("c2"), None, [False, True])

    async def test_a_wrong_code_counts_once_an_event(self, record: Record) -> None:
        async with record.transaction() as tx:
            await tx.admissions.issue(code())
            counts = [
                await tx.admissions.missed("c1", who, event)
                for who, event in (("a", "1"), ("a", "1"), ("b", "2"), ("a", "3"))
            ]

        assert counts == [(1, 1), (1, 1), (1, 2), (2, 3)]

    async def test_a_stranger_waits_for_one_answer_at_a_time(self, record: Record) -> None:
        async with record.transaction() as tx:
            asked = [await tx.admissions.ask(pairing(name)) for name in ("q1", "q2")]
            waiting = await tx.admissions.waiting()
            ended = [await tx.admissions.end("q1", "refused", now=NOW + 1) for _ in "12"]
            again = await tx.admissions.ask(pairing("q2"))
            refused = await tx.admissions.refused_at("telegram:5")
            other = await tx.admissions.refused_at("telegram:6")

        assert (asked, waiting, ended, again) == ([True, False], 1, [True, False], True)
        assert (refused, other) == (NOW + 1, None)

    async def test_what_is_stored_of_a_code_is_not_in_its_text(self) -> None:
        assert "ff" not in repr(code())
