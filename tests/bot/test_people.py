"""People: those of the settings, and what the record knows of them besides."""

from pathlib import Path

import pytest

from comal_bot.people import LINK_RESTS, PeopleDirectory, Person
from comal_runtime.record import SqliteRecord, memory_record

from .rig import rig
from .wire import BRUNO

ANA = Person(
    name="Ana", identities=("telegram:1", "desk:ana"), roles=frozenset({"finance", "owner"})
)
SCOPES = {"finance": ("orders:read", "notes:read"), "owner": ("notes:read", "*")}
PEOPLE = PeopleDirectory([ANA, Person(name="Bo", identities=("telegram:2",))], SCOPES)


def test_every_identity_of_a_person_is_that_one_person() -> None:
    assert PEOPLE.person("telegram:1") == PEOPLE.person("desk:ana")
    assert PEOPLE.person("telegram:1") != PEOPLE.person("telegram:2")


def test_a_stranger_is_nobody_but_itself_and_may_nothing() -> None:
    assert PEOPLE.person("telegram:9") == "telegram:9"
    assert PEOPLE.roles("telegram:9") == frozenset()
    assert PEOPLE.scopes("telegram:9") == ()
    assert PEOPLE.name("telegram:9") is None


def test_a_persons_name_is_no_identity() -> None:
    assert PEOPLE.roles("Ana") == frozenset()
    assert PEOPLE.scopes("1") == ()


def test_scopes_are_what_all_roles_grant_once() -> None:
    assert PEOPLE.scopes("desk:ana") == ("*", "notes:read", "orders:read")


def test_nobody_holds_no_scope() -> None:
    assert PEOPLE.scopes(None) == ()


def test_a_role_without_scopes_grants_nothing() -> None:
    people = PeopleDirectory([Person(name="C", identities=("x:1",), roles=frozenset({"r"}))], {})

    assert people.roles("x:1") == {"r"}
    assert people.scopes("x:1") == ()


async def refreshed(people: PeopleDirectory, record: SqliteRecord) -> None:
    async with record.reading() as stored:
        await people.refresh(stored)


async def test_what_the_record_knows_is_learnt_by_refreshing() -> None:
    people, record = PeopleDirectory([ANA], SCOPES), memory_record()
    async with record.transaction() as tx:
        await tx.identities.add("telegram:9", by="test", now=1.0)
        await tx.identities.give("telegram:9", "finance", by="test", now=1.0)
    before = people.roles("telegram:9"), people.is_known("telegram:9")
    await refreshed(people, record)

    assert before == (frozenset(), False)
    assert people.roles("telegram:9") == {"finance"}
    assert people.scopes("telegram:9") == ("notes:read", "orders:read")
    assert people.holders("finance") == ("telegram:1", "desk:ana", "telegram:9")
    assert [one.name for one in people.known()] == ["Ana", "telegram:9"]


async def test_a_change_that_was_undone_is_forgotten() -> None:
    people, record = PeopleDirectory([], SCOPES), memory_record()
    with pytest.raises(ZeroDivisionError):
        async with record.transaction() as tx:
            await tx.identities.add("telegram:9", by="test", now=1.0)
            await tx.identities.give("telegram:9", "owner", by="test", now=1.0)
            await people.refresh(tx)
            raise ZeroDivisionError
    inside = people.roles("telegram:9")
    await refreshed(people, record)

    assert inside == {"owner"}
    assert people.roles("telegram:9") == frozenset()


async def test_links_join_people_over_several_accounts_and_move_no_role() -> None:
    people, record = PeopleDirectory([ANA], SCOPES), memory_record()
    async with record.transaction() as tx:
        await tx.identities.link("telegram:8", "telegram:9", now=10.0)
        await tx.identities.link("desk:ana", "telegram:8", now=20.0)
    await refreshed(people, record)

    assert people.person("telegram:9") == people.person("telegram:1") == "telegram:1"
    assert set(people.accounts("telegram:9")) == {
        "telegram:9", "telegram:8", "telegram:1", "desk:ana",
    }  # fmt: skip
    assert people.roles("telegram:9") == frozenset()
    assert people.scopes("telegram:9") == ()
    assert people.name("telegram:9") is None
    assert people.decides("telegram:9") is False


async def test_who_was_one_person_at_any_time_since_then_is_one() -> None:
    people, record = PeopleDirectory([], SCOPES), memory_record()
    async with record.transaction() as tx:
        await tx.identities.link("a:1", "a:2", now=10.0)
        await tx.identities.unlink("a:1", "a:2", now=20.0)
    await refreshed(people, record)

    assert people.person("a:1") != people.person("a:2")
    assert people.ever_one("a:1", "a:2", 15.0)
    assert not people.ever_one("a:1", "a:2", 20.1)


@pytest.mark.parametrize(
    ("who", "at", "counts"),
    [
        ("a:1", 10.0, True),
        ("a:2", 9.9, True),
        ("a:2", 10.0, False),
        ("a:2", 10.0 + LINK_RESTS - 0.1, False),
        ("a:2", 10.0 + LINK_RESTS, True),
    ],
)
async def test_only_the_new_identity_of_a_link_waits_a_day(
    who: str, at: float, counts: bool
) -> None:
    people, record = PeopleDirectory([], SCOPES), memory_record()
    async with record.transaction() as tx:
        await tx.identities.link("a:1", "a:2", now=10.0)
    await refreshed(people, record)

    assert people.counts(who, at) is counts


async def test_somebody_stripped_of_a_role_before_the_act_runs_acts_with_what_is_left(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path) as at:
        async with at.record.transaction() as tx:
            await tx.identities.add(f"telegram:{BRUNO}", by="test", now=at.clock.now())
            await tx.identities.give(f"telegram:{BRUNO}", "desk", by="test", now=at.clock.now())
        await at.say("call wipe {}", BRUNO)
        card, execute = at.wire.card(BRUNO), at.hands.handlers["execute_act"]
        at.hands.handlers = {**at.hands.handlers, "execute_act": _nothing}
        await at.tap(card.data[0], card, BRUNO)
        async with at.record.transaction() as tx:
            await tx.identities.take(f"telegram:{BRUNO}", "desk")
        await execute(at.one("SELECT id FROM questions"))

        assert at.rows("SELECT state FROM acts") == [("void",)]
        assert at.shop.ran == []


async def _nothing(key: str) -> None:
    """Lose a job."""
