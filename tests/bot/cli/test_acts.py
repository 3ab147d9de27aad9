"""`comal acts`: looking at acts, and who may settle what nobody knows the outcome of."""

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from comal_bot.cli.acting import os_login
from comal_runtime.record import ActState, SqliteRecord
from tests.runtime.record.contracts.rows import act, question

from .conftest import Comal

ME = f"os:{os_login()}"
KEY = "actact0000000000000001"
SETTINGS = """
[channels.main]
token = "7001:cli-token-0123456789abcdefghijklmno"

[[people]]
name = "Olga"
identities = ["telegram:1", {me}]
roles = ["{role}"]

[data]
url = "sqlite:///data/comal.db"
"""


def arrange(folder: Path, role: str = "owner", *, me: bool = True, **changes: Any) -> None:
    identity = f'"{ME}"' if me else '"telegram:9"'
    (folder / "comal.toml").write_text(SETTINGS.format(me=identity, role=role))
    (folder / "data").mkdir()

    async def store() -> None:
        record = SqliteRecord(folder / "data" / "comal.db")
        row = act(KEY, **{"principal": "telegram:77", "state": ActState.UNKNOWN, **changes})
        async with record.transaction() as tx:
            await tx.acts.open(row)
            await tx.acts.open(act("actact0000000000000002", state=ActState.DONE))
            if row.question is not None:
                await tx.questions.open(question(KEY, principal="telegram:77", state="approved"))
        await record.aclose()

    asyncio.run(store())


def stored(folder: Path, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(folder / "data" / "comal.db")) as connection:
        return connection.execute(query).fetchall()


def test_the_unknown_ones_are_listed_by_themselves(folder: Path, comal: Comal) -> None:
    arrange(folder)

    listed = json.loads(comal("acts", "list", "--state", "unknown", "--json").stdout)

    assert [one["key"] for one in listed] == [KEY]
    assert listed[0]["state"] == "unknown"


def test_an_act_is_shown_by_the_beginning_of_its_key_with_secrets_masked(
    folder: Path, comal: Comal
) -> None:
    arrange(folder, args='{"disk":"a","password":"hunter22"}')

    shown = comal("acts", "show", KEY)
    ambiguous = comal("acts", "show", "actact")
    short = comal("acts", "show", "act")

    assert shown.exit_code == 0
    assert "unknown; asked for by telegram:77" in shown.stdout
    assert "hunter22" not in shown.stdout
    assert "more than one act begins with 'actact'" in ambiguous.stderr
    assert (ambiguous.exit_code, short.exit_code) == (1, 1)
    assert "give 6 characters" in short.stderr


@pytest.mark.parametrize(
    ("outcome", "state"), [("done", "settled_done"), ("not-done", "settled_not_done")]
)
def test_an_owner_settles_an_act_and_the_host_is_to_tell(
    folder: Path, comal: Comal, outcome: str, state: str
) -> None:
    arrange(folder)

    ended = comal("acts", "settle", KEY, outcome, "--as", "Olga")

    assert ended.exit_code == 0
    assert stored(folder, f"SELECT state, settled_by FROM acts WHERE key = '{KEY}'") == [
        (state, ME)
    ]
    assert stored(folder, "SELECT kind, key FROM jobs") == [("tell", KEY)]
    assert stored(folder, "SELECT tool, principal, decision FROM audit") == [
        ("settle_act", ME, "executed")
    ]


def test_a_settled_act_is_not_settled_again(folder: Path, comal: Comal) -> None:
    arrange(folder)
    comal("acts", "settle", KEY, "done", "--as", "Olga")

    again = comal("acts", "settle", KEY, "not-done", "--as", "Olga")

    assert again.exit_code == 1
    assert "is settled_done, not unknown; nothing was changed" in again.stderr
    assert stored(folder, f"SELECT state FROM acts WHERE key = '{KEY}'") == [("settled_done",)]


def test_leaving_it_keeps_it_unknown_under_a_name(folder: Path, comal: Comal) -> None:
    arrange(folder)

    comal("acts", "settle", KEY, "leave", "--as", "Olga")

    assert stored(folder, f"SELECT state, left_by FROM acts WHERE key = '{KEY}'") == [
        ("unknown", ME)
    ]


@pytest.mark.failure_mode(39)
@pytest.mark.parametrize("options", [("--as", "Olga"), (), ("--as", "Nobody")])
def test_somebody_without_the_right_settles_nothing(
    folder: Path, comal: Comal, options: tuple[str, ...]
) -> None:
    arrange(folder, role="desk", question=KEY)

    refused = comal("acts", "settle", KEY, "done", *options)

    assert refused.exit_code == 3
    assert stored(folder, f"SELECT state FROM acts WHERE key = '{KEY}'") == [("unknown",)]
    assert stored(folder, "SELECT 1 FROM jobs") == []


def test_a_person_whose_os_user_this_is_not_settles_nothing(folder: Path, comal: Comal) -> None:
    arrange(folder, me=False)

    refused = comal("acts", "settle", KEY, "done", "--as", "Olga")

    assert refused.exit_code == 3
    assert stored(folder, f"SELECT state FROM acts WHERE key = '{KEY}'") == [("unknown",)]


@pytest.mark.failure_mode(39)
def test_breaking_the_glass_settles_and_is_announced_and_audited(
    folder: Path, comal: Comal
) -> None:
    arrange(folder, role="desk", question=KEY)

    told = comal("acts", "settle", KEY, "done", "--break-glass", "--reason", "the bank called")

    assert told.exit_code == 0
    assert told.stdout.startswith("BREAK-GLASS: ")
    assert stored(folder, "SELECT did, reason FROM overrides") == [
        ("settled wipe as done", "the bank called")
    ]
    assert stored(folder, "SELECT decision FROM audit") == [("break_glass",)]
