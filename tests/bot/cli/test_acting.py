"""Who acts at the command line is whoever the operating system says, and nobody a command names."""

import os
import pwd

import pytest

from comal_bot.cli import acting
from comal_bot.cli.acting import Acting, actor, announce, os_login
from comal_bot.cli.codes import REFUSED
from comal_bot.cli.complaints import CommandFailed, Refused
from comal_bot.people import PeopleDirectory, Person
from comal_runtime.consent.overriding import TELL_OVERRIDE
from comal_runtime.record import memory_record

ANA = Person(name="Ana", identities=("telegram:42", f"os:{os_login()}"), roles=frozenset())
BO = Person(name="Bo", identities=("telegram:43", "os:somebody-else"))
BARE = Person(name="Cy", identities=())
PEOPLE = PeopleDirectory([ANA, BO, BARE], {})


@pytest.mark.parametrize("named", ["Ana", "ana", "telegram:42", f"os:{os_login()}"])
def test_a_person_whose_os_user_this_is_acts_as_that_os_user(named: str):
    who = actor(PEOPLE, Acting(person=named, reason=" it is old "))

    assert (who.principal, who.name) == (f"os:{os_login()}", "Ana")
    assert (who.reason, who.breaks_glass) == ("it is old", False)


@pytest.mark.failure_mode(4, 39)
@pytest.mark.parametrize("named", ["Bo", "telegram:43", "os:somebody-else", "Cy"])
def test_nobody_acts_as_somebody_else_and_is_told_what_to_add(named: str):
    with pytest.raises(Refused, match=f"add 'os:{os_login()}' to the identities") as told:
        actor(PEOPLE, Acting(person=named))

    assert told.value.code == REFUSED


@pytest.mark.failure_mode(39)
def test_the_environment_does_not_say_who_somebody_is(monkeypatch: pytest.MonkeyPatch):
    for name in ("USER", "LOGNAME", "USERNAME", "SUDO_USER", "LNAME"):
        monkeypatch.setenv(name, "somebody-else")

    with pytest.raises(Refused):
        actor(PEOPLE, Acting(person="Bo"))

    assert os_login() == pwd.getpwuid(os.getuid()).pw_name


def test_a_user_without_a_login_is_their_number(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(os, "getuid", lambda: 4_123_456_789)

    assert acting.os_login() == "4123456789"


@pytest.mark.parametrize(
    ("told", "text"),
    [
        (Acting(), "nobody is said to act"),
        (Acting(reason="why"), "nobody is said to act"),
        (Acting(person="Ana", break_glass=True, reason="x"), "exclude each other"),
        (Acting(break_glass=True), "wants --reason TEXT"),
        (Acting(break_glass=True, reason=" \n "), "wants --reason TEXT"),
        (Acting(person="Anna"), "did you mean 'Ana'"),
        (Acting(person="zzz"), "known: Ana, Bo, Cy"),
    ],
)
def test_what_does_not_say_who_acts_is_told(told: Acting, text: str):
    with pytest.raises(CommandFailed, match=text):
        actor(PEOPLE, told)


def test_whoever_breaks_the_glass_is_named_by_their_os_user_and_gives_a_reason():
    who = actor(PEOPLE, Acting(break_glass=True, reason="disk is full"))

    assert (who.principal, who.reason) == (f"break-glass:{os_login()}", "disk is full")
    assert who.breaks_glass


@pytest.mark.parametrize("breaks", [True, False])
async def test_only_what_is_done_without_a_right_is_announced(breaks: bool):
    told = Acting(break_glass=True, reason="why") if breaks else Acting(person="Ana")
    record = memory_record(hosted=True)

    async with record.transaction() as tx:
        await announce(tx, actor(PEOPLE, told), "settled x", conversation="c1", now=1.0)

    async with record.transaction() as tx:
        jobs = await tx.jobs.claim("w", now=1e12, lease_until=1e12, limit=9)
        overrides = [await tx.overrides.get(one.job.key) for one in jobs]
    assert [one.job.kind for one in jobs] == [TELL_OVERRIDE] * breaks
    assert [one.did for one in overrides if one is not None] == ["settled x"] * breaks
