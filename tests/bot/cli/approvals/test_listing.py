"""`comal approvals list`: the questions of a real record, read and left as they are."""

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

from ..conftest import Comal

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
    assert (shown["kind"], shown["state"]) == ("approval", "open")
    assert shown["requester"] == "telegram:42"
    assert shown["mayAnswer"] == ["role:finance", "telegram:44"]
    assert abs(shown["ageSeconds"] - 7300) < 60
    assert abs(shown["expiresInSeconds"] - 79100) < 60


def test_what_is_shown_shortens_ids_and_times(comal: Comal, fill):
    asked, _ = question()
    fill(asked)

    shown = comal("approvals", "list").stdout

    assert asked.id[:8] in shown
    assert asked.id not in shown
    assert "2h" in shown
    assert "21h" in shown


@pytest.mark.failure_mode(10)
def test_what_is_hidden_in_a_call_is_seen_in_the_list(comal: Comal, fill):
    asked, _ = question(note="ACC-1\u200b9")
    fill(asked)

    told = comal("approvals", "list").stdout

    assert "ACC-1⟨U+200B⟩9" in told


def test_a_confirmation_is_the_requesters_to_answer(comal: Comal, fill):
    asked, _ = question(None)
    fill(asked)

    (shown,) = listed(comal)

    assert (shown["kind"], shown["mayAnswer"]) == ("confirmation", ["telegram:42"])


def test_people_are_named_as_the_settings_name_them(comal: Comal, fill, folder: Path):
    (folder / "comal.toml").write_text(
        '[[people]]\nname = "Ana"\nidentities = ["telegram:42"]\n'
        '[[people]]\nname = "Bo"\nidentities = ["telegram:44"]\n'
    )
    fill(question()[0])

    first, _, last = comal("approvals", "list").stdout.splitlines()

    assert first.endswith("  approval asked by Ana 2h ago, ends in 21h")
    assert last == "          may answer: role:finance, Bo"


def test_at_80_columns_arguments_are_cut_and_words_are_whole(
    comal: Comal, fill, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("COLUMNS", "80")
    many = tuple(f"role:a-rather-long-name-{number}" for number in range(9))
    route = Route(name="money", tool="pay", approvers=many)
    asked, _ = question(route, note="words " * 40)
    fill(asked)

    lines = comal("approvals", "list").stdout.splitlines()

    assert max(map(len, lines)) <= 80
    assert lines[1].endswith("…")
    assert [f"{one}," for one in many[:-1]] + [many[-1]] == " ".join(lines[2:]).split()[2:]
    assert listed(comal)[0]["summary"].endswith(f'note="{"words " * 40}")')


def test_the_record_is_found_in_a_data_folder(comal: Comal, folder: Path):
    (folder / "kept").mkdir()
    asked, _ = question()
    asyncio.run(stored(folder / "kept" / "comal.db", asked))

    assert [one["id"] for one in listed(comal, "--data", "kept")] == [asked.id]


def test_the_record_of_a_config_elsewhere_is_found_beside_it(
    comal: Comal, fill, folder: Path, monkeypatch: pytest.MonkeyPatch
):
    (folder / "comal.toml").write_text('[data]\nurl = "sqlite:///comal.db"\n')
    asked, _ = question()
    fill(asked)
    (folder / "elsewhere").mkdir()
    monkeypatch.chdir(folder / "elsewhere")

    assert [one["id"] for one in listed(comal, "--config", "../comal.toml")] == [asked.id]


def test_a_record_that_is_a_folder_is_told_on_stderr_with_json_too(comal: Comal, folder: Path):
    (folder / "comal.db").mkdir()

    told = comal("approvals", "list", "--json")

    assert (told.exit_code, told.stdout) == (1, "")
    assert told.stderr.startswith(f"comal: the record {folder / 'comal.db'} is a folder; ")


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


PEOPLE = """
[[people]]
name = "Ana"
identities = ["telegram:44"]
[[people]]
name = "Bo"
identities = ["telegram:45"]
roles = ["finance"]
[[people]]
name = "Rosa"
identities = ["telegram:42"]
[roles.finance]
scopes = []
"""


@pytest.mark.parametrize(
    ("person", "shown"), [("Ana", ["pay"]), ("Bo", ["pay"]), ("Rosa", ["confirm"])]
)
def test_mine_are_those_that_wait_for_this_person(
    comal: Comal, fill, folder: Path, person: str, shown: list[str]
):
    (folder / "comal.toml").write_text(PEOPLE)
    to_confirm, _ = question(None, age=10)
    fill(question()[0], to_confirm)

    found = listed(comal, "--mine", "--as", person)

    kinds = ["pay" if one["kind"] == "approval" else "confirm" for one in found]
    assert kinds == shown


def test_who_is_not_known_has_nothing_that_waits(comal: Comal, fill):
    fill(question()[0])

    told = comal("approvals", "list", "--mine", "--as", "Zoe")

    assert told.exit_code == 3
    assert "'Zoe', who is not known" in told.stderr


@pytest.mark.parametrize("options", [("--mine",), ("--as", "Ana")])
def test_whose_questions_are_mine_must_be_said(comal: Comal, options: tuple[str, ...]):
    assert comal("approvals", "list", *options).exit_code == 2


def test_a_state_shows_those_that_stand_so(comal: Comal, fill):
    rejected = replace(question()[0], state=QuestionState.REJECTED)
    fill(rejected, question()[0])

    assert [one["id"] for one in listed(comal, "--state", "rejected")] == [rejected.id]
    assert comal("approvals", "list", "--state", "lost").exit_code == 2
