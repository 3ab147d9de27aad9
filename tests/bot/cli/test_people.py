"""`comal people`: anybody may look, owners change; settings are changed in their file alone."""

import contextlib
import json
import re
import sqlite3
import time
from pathlib import Path

import pytest

from comal_bot.cli.acting import os_login
from comal_bot.tooling import directory
from comal_runtime.record import SqliteRecord

from ..rig import house_settings
from .conftest import Comal, Console

SETTINGS = """
[[people]]
name = "Ana"
identities = ["telegram:1003", "os:{login}"]
roles = [{roles}]
[[people]]
name = "Bo"
identities = ["telegram:1002"]
roles = ["desk"]
[roles.desk]
scopes = ["disk:write"]
"""


def write(folder: Path, *, roles: str = '"owner"', login: str | None = None) -> None:
    (folder / "comal.toml").write_text(
        SETTINGS.format(roles=roles, login=os_login() if login is None else login)
    )


@pytest.fixture
async def record(folder: Path) -> SqliteRecord:
    """Make the record that a host would have made, where Eve and Bo are linked."""
    write(folder)
    record = SqliteRecord(folder / "comal.db")
    async with record.transaction() as tx:
        await tx.identities.link("telegram:1002", "telegram:1009", now=time.time())
    await record.aclose()
    return record


def told(comal: Comal, *arguments: str) -> tuple[int, str]:
    ran = comal("people", *arguments)
    return ran.exit_code, ran.output


def rows(folder: Path, query: str) -> list[str]:
    with contextlib.closing(sqlite3.connect(folder / "comal.db")) as connection:
        return [str(row[0]) for row in connection.execute(query)]


def audited(folder: Path) -> list[str]:
    return rows(folder, "SELECT tool || ' ' || decision FROM audit")


def listed(comal: Comal) -> dict[str, list[str]]:
    code, output = told(comal, "list", "--json")
    assert code == 0
    return {one["identity"]: one["roles"] for one in json.loads(output)}


@pytest.mark.usefixtures("record")
def test_an_owner_gives_and_takes_roles_and_it_is_audited(comal: Comal, folder: Path) -> None:
    given = told(comal, "roles", "telegram:1009", "--add", "desk", "--as", "Ana")
    between = listed(comal)
    taken = told(comal, "roles", "telegram:1009", "--remove", "desk", "--as", "Ana")

    assert given == (0, "telegram:1009 is given desk, says Ana; it counts at once\n")
    assert between["telegram:1009"] == ["desk"]
    assert taken[0] == 0
    assert listed(comal)["telegram:1009"] == []
    assert audited(folder) == ["change_people executed"] * 2


@pytest.mark.usefixtures("record")
@pytest.mark.failure_mode(4)
@pytest.mark.parametrize(
    ("roles", "login", "acting"),
    [
        ('"desk"', None, ("--as", "Ana")),
        ('"owner"', "somebody-else", ("--as", "Ana")),
        ('"owner"', None, ("--as", "Bo")),
        ('"owner"', None, ()),
    ],
    ids=["no owner", "another OS user", "another person", "nobody"],
)
def test_whoever_is_no_owner_changes_nothing(
    comal: Comal, folder: Path, roles: str, login: str | None, acting: tuple[str, ...]
) -> None:
    write(folder, roles=roles, login=login)
    before = listed(comal)
    code, _ = told(comal, "roles", "telegram:1009", "--add", "owner", *acting)
    unlinked, _ = told(comal, "unlink", "telegram:1002", "telegram:1009", *acting)

    assert (code, unlinked) == (3, 3)
    assert listed(comal) == before


@pytest.mark.usefixtures("record")
def test_breaking_the_glass_changes_it_and_owners_will_hear(comal: Comal, folder: Path) -> None:
    wanted = ("roles", "telegram:1009", "--add", "owner", "--break-glass")
    silent, _ = told(comal, *wanted)
    code, output = told(comal, *wanted, "--reason", "Ana lost her phone")

    assert (silent, code) == (1, 0)
    assert output.startswith("BREAK-GLASS: telegram:1009 is given owner")
    assert listed(comal)["telegram:1009"] == ["owner"]
    assert audited(folder) == ["change_people break_glass"]
    assert "tell_override" in rows(folder, "SELECT kind FROM jobs")


@pytest.mark.usefixtures("record")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("roles", "Bo", "--add", "owner"), "Bo is a person of the settings; change their roles"),
        (("roles", "Bo", "--remove", "desk"), "under [[people]] in comal.toml"),
        (("roles", "telegram:9", "--add", "dsek"), "'dsek' is no role; did you mean 'desk'?"),
        (("roles", "telegram:9", "--remove", "desk"), "telegram:9 was not given 'desk'"),
        (("roles", "telegram:9"), "name roles with --add and --remove"),
        (("roles", "role:desk", "--add", "desk"), "'role:desk' is no identity"),
        (("roles", "break-glass:x", "--add", "desk"), "'break-glass:x' is no identity"),
        (("roles", "Boo", "--add", "desk"), "nobody known is called 'Boo'; did you mean 'Bo'?"),
        (("roles", "Ana", "--add", "desk"), "Ana has telegram:1003"),
        (("unlink", "telegram:1002", "telegram:7"), "are not linked in the record"),
        (("unlink", "telegram:1003", f"os:{os_login()}"), "the settings say that they are Ana"),
    ],
)
def test_what_cannot_be_changed_so_is_told_with_what_to_do(
    comal: Comal, arguments: tuple[str, ...], said: str
) -> None:
    code, output = told(comal, *arguments, "--as", "Ana")

    assert code == 1
    assert said in output


@pytest.mark.usefixtures("record")
def test_the_last_owner_stays_one(comal: Comal, folder: Path) -> None:
    write(folder, roles='"desk"')
    glass = ("--break-glass", "--reason", "test")
    told(comal, "roles", "telegram:1009", "--add", "owner", *glass)
    code, output = told(comal, "roles", "telegram:1009", "--remove", "owner", *glass)

    assert code == 1
    assert "is the last owner" in output
    assert listed(comal)["telegram:1009"] == ["owner"]


@pytest.mark.usefixtures("record")
def test_an_owner_ends_a_link_and_it_stays_known_that_there_was_one(
    comal: Comal, folder: Path
) -> None:
    [before] = json.loads(told(comal, "show", "telegram:1009", "--json")[1])
    code, _ = told(comal, "unlink", "telegram:1009", "telegram:1002", "--as", "Ana")
    [after] = json.loads(told(comal, "show", "telegram:1009", "--json")[1])

    assert code == 0
    assert before["accounts"] == ["telegram:1009", "telegram:1002"]
    assert before["votesCountFrom"] is not None
    assert after["accounts"] == ["telegram:1009"]


async def test_a_changed_role_counts_for_a_host_that_is_running(
    console: Console, folder: Path, record: SqliteRecord
) -> None:
    serving, people = SqliteRecord(folder / "comal.db"), directory(house_settings())
    async with serving.reading() as stored:
        await people.refresh(stored)
    before = people.scopes("telegram:1009")
    ran = console("people", "roles", "telegram:1009", "--add", "desk", "--as", "Ana")
    async with serving.reading() as stored:
        await people.refresh(stored)
    await serving.aclose()

    assert ran.returncode == 0, ran.stderr
    assert (before, people.scopes("telegram:1009")) == ((), ("disk:write",))


@pytest.mark.usefixtures("record")
def test_a_code_for_the_first_owner_is_printed_only_while_there_is_none(
    comal: Comal, folder: Path
) -> None:
    refused, why = told(comal, "owner-code")
    write(folder, roles='"desk"')
    code, output = told(comal, "owner-code")

    assert refused == 1
    assert "there is an owner already: telegram:1003" in why
    assert code == 0
    assert re.fullmatch(
        r"send `/owner [A-Z2-9]{4}-[A-Z2-9]{4}` to the bot in a private chat within 15 minutes\n",
        output,
    )


def test_without_a_record_people_of_the_settings_are_shown_and_no_code(
    comal: Comal, folder: Path
) -> None:
    write(folder)

    assert listed(comal)["telegram:1002"] == ["desk"]
    assert "Bo" in told(comal, "show", "Bo")[1]
    assert told(comal, "owner-code")[0] == 1


def test_somebody_with_several_identities_is_shown_with_each_of_them(
    comal: Comal, folder: Path
) -> None:
    write(folder)

    shown = json.loads(told(comal, "show", "Ana", "--json")[1])

    assert [one["identity"] for one in shown] == ["telegram:1003", f"os:{os_login()}"]
    assert told(comal, "roles", "Ana", "--add", "desk", "--as", "Ana")[0] == 1
