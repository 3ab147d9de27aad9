"""`comal approvals`: the questions of a real record, read and left as they are."""

import asyncio
import hashlib
import json
import sqlite3
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from comal_runtime.consent import Route
from comal_runtime.consent.question import call_question, digest, subject_question
from comal_runtime.context import ToolContext
from comal_runtime.record import Question, QuestionState, SqliteRecord
from comal_runtime.tools import Tool

from .conftest import Comal

CTX = ToolContext.telegram(7, 42)
ROUTE = Route(name="money", tool="pay", approvers=("role:finance", "telegram:44"))


def pay(**args: object) -> str:
    return "ok"


def question(route: Route | None = ROUTE, *, age: float = 7300, ttl: float = 86400, **args):
    tool = Tool(name="pay", description="Pay.", input_schema={"type": "object"}, callback=pay)
    now = time.time() - age
    return call_question(tool, {"amount": 5, **args}, CTX, route=route, now=now, ttl=ttl)


async def stored(path: Path, *questions: Question) -> None:
    record = SqliteRecord(path, hosted=False)
    try:
        async with record.transaction() as tx:
            for one in questions:
                assert await tx.questions.open(one)
    finally:
        await record.aclose()


def listed(comal: Comal, *arguments: str) -> list[dict]:
    return json.loads(comal("approvals", "list", "--json", *arguments).stdout)


@pytest.fixture
def fill(folder: Path) -> Callable[..., None]:
    return lambda *questions: asyncio.run(stored(folder / "comal.db", *questions))


def test_an_open_question_is_shown_with_who_may_answer(comal: Comal, fill):
    asked, _ = question(note="rent")
    fill(asked)

    (shown,) = listed(comal)

    assert shown["id"] == asked.id
    assert shown["summary"] == 'pay(amount=5, note="rent")'
    assert (shown["kind"], shown["state"]) == ("verification", "open")
    assert shown["requester"] == "telegram:42"
    assert shown["mayAnswer"] == ["role:finance", "telegram:44"]
    assert abs(shown["ageSeconds"] - 7300) < 60
    assert abs(shown["expiresInSeconds"] - 79100) < 60


def test_the_table_shortens_ids_and_times(comal: Comal, fill):
    asked, _ = question()
    fill(asked)

    shown = comal("approvals", "list").stdout

    assert asked.id[:8] in shown
    assert asked.id not in shown
    assert "2h" in shown
    assert "21h" in shown


def test_a_confirmation_is_the_requesters_to_answer(comal: Comal, fill):
    asked, _ = question(None)
    fill(asked)

    assert listed(comal)[0]["mayAnswer"] == ["telegram:42"]


def test_a_question_about_a_subject_is_anybody_elses_to_answer(comal: Comal, fill):
    fill(subject_question("s" * 22, "may the door be opened?", CTX, now=time.time(), ttl=600))

    (shown,) = listed(comal)

    assert (shown["summary"], shown["mayAnswer"]) == ("may the door be opened?", ["anybody else"])


def test_secrets_are_not_shown(comal: Comal, fill):
    asked, secret = question(None, password="hunter2", note="key sk-abcdefghijklmnop1234")
    fill(asked)

    shown = comal("approvals", "list", "--json").stdout + comal("approvals", "list").stdout

    assert "hunter2" not in shown
    assert "sk-abc" not in shown
    assert secret not in shown
    assert digest(secret) not in shown


def test_ended_and_overdue_questions_are_shown_only_when_all_are_asked_for(comal: Comal, fill):
    ended = replace(question()[0], state=QuestionState.REJECTED)
    fill(ended, question(age=7300, ttl=60)[0])

    assert listed(comal) == []
    assert sorted(one["state"] for one in listed(comal, "--all")) == ["open", "rejected"]


def test_a_terminal_is_not_steered_by_what_is_shown(comal: Comal, fill):
    fill(subject_question("s" * 22, "\x1b[2Jopen [red]it[/red]", CTX, now=time.time(), ttl=600))

    shown = comal("approvals", "list").stdout

    assert "\x1b" not in shown
    assert "open [red]it[/red]" in shown


def test_reading_leaves_the_record_as_it_was(comal: Comal, fill, folder: Path):
    fill(question()[0])
    before = hashlib.sha256((folder / "comal.db").read_bytes()).hexdigest()

    comal("approvals", "list", "--all")

    assert hashlib.sha256((folder / "comal.db").read_bytes()).hexdigest() == before


def test_a_record_that_is_not_there_is_told_and_not_made(comal: Comal, folder: Path):
    told = comal("approvals", "list")

    assert told.exit_code == 1
    assert told.stderr.startswith(f"comal: there is no record at {folder / 'comal.db'}; ")
    assert not (folder / "comal.db").exists()


def test_a_file_that_is_no_record_is_told(comal: Comal, folder: Path):
    (folder / "comal.db").write_text("this is no database, however long one looks at it" * 20)

    told = comal("approvals", "list")

    assert told.exit_code == 1
    assert "cannot be read: file is not a database" in told.stderr


def test_a_record_of_another_version_is_told(comal: Comal, folder: Path):
    with sqlite3.connect(folder / "comal.db") as connection:
        connection.execute("PRAGMA user_version = 9999")
    connection.close()

    told = comal("approvals", "list")

    assert told.exit_code == 1
    assert "is of version 9999" in told.stderr
    assert "use the newer program" in told.stderr
