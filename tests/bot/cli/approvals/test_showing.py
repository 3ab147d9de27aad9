"""`comal approvals show`: all that is known of one question, and nothing secret."""

import asyncio
import json
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from comal_runtime.consent.terms import Escalation
from comal_runtime.record import Question, QuestionState, SqliteRecord, Vote

from ..conftest import Comal
from .test_listing import CTX, PEOPLE, ROUTE, question, stored

Ask = Callable[..., Question]


@pytest.fixture
def ask(folder: Path) -> Ask:
    """Store a question and a vote on it."""
    (folder / "comal.toml").write_text(PEOPLE)

    def asked(**changes: object) -> Question:
        given = question(**changes)[0]
        asyncio.run(stored(folder / "comal.db", given))
        return given

    return asked


def voted(folder: Path, asked: Question, reason: str | None = None) -> None:
    async def vote() -> None:
        record = SqliteRecord(folder / "comal.db", hosted=False)
        async with record.transaction() as tx:
            await tx.questions.vote(
                Vote(
                    question=asked.id,
                    person="telegram:45",
                    identity="telegram:45",
                    choice="no",
                    reason=reason,
                    at=asked.created_at + 1,
                )
            )
        await record.aclose()

    asyncio.run(vote())


def shown(comal: Comal, asked: str) -> dict:
    return json.loads(comal("approvals", "show", "--json", "--", asked).stdout)


def test_the_call_the_terms_and_the_votes_are_told_whole(comal: Comal, ask: Ask, folder: Path):
    asked = ask(note="rent " * 200)
    voted(folder, asked, "too dear")

    told = shown(comal, asked.id[:6])

    assert told["id"] == asked.id
    assert told["arguments"] == {"amount": 5, "note": "rent " * 200}
    assert told["terms"]["approvers"] == ["role:finance", "telegram:44"]
    assert told["waitsFor"][0]["needed"] == 1
    assert told["votes"][0] | {"at": 0} == {
        "person": "telegram:45",
        "identity": "telegram:45",
        "name": "Bo",
        "choice": "no",
        "reason": "too dear",
        "at": 0,
    }
    assert told["requester"] == {"principal": "telegram:42", "name": "Rosa"}
    assert (told["intact"], told["act"], told["receipts"]) == (True, None, [])


def test_a_person_reads_the_same_in_lines(comal: Comal, ask: Ask, folder: Path):
    asked = ask()
    voted(folder, asked, "too dear")

    told = comal("approvals", "show", "--", asked.id).stdout

    assert told.startswith(f"{asked.id}  approval, open\n")
    assert "asked by Rosa (telegram:42)" in told
    assert "decided by route 'money': 0 of 1 have said yes" in told
    assert "vote no of Bo (telegram:45)" in told
    assert told.count("too dear") == 1


def test_a_question_that_somebody_changed_in_the_file_is_said_to_be(
    comal: Comal, ask: Ask, folder: Path
):
    asked = ask()
    with closing(sqlite3.connect(folder / "comal.db")) as connection:
        connection.execute("""UPDATE questions SET args = '{"amount":5000}'""")
        connection.commit()

    told = comal("approvals", "show", "--", asked.id).stdout

    assert "ALTERED" in told
    assert shown(comal, asked.id)["intact"] is False


def test_secrets_are_not_shown(comal: Comal, ask: Ask):
    asked = ask(password="hunter2", note="key sk-abcdefghijklmnop1234")

    told = comal("approvals", "show", "--", asked.id).stdout + json.dumps(shown(comal, asked.id))

    assert "hunter2" not in told
    assert "sk-abc" not in told
    assert (asked.secret_hash or "(none)") not in told


@pytest.mark.parametrize(
    ("given", "said"),
    [("abc", "give 6 characters"), ("zzzzzzz", "there is no question 'zzzzzzz'; `comal")],
)
def test_an_id_that_is_none_is_told(comal: Comal, ask: Ask, given: str, said: str):
    ask()

    told = comal("approvals", "show", given)

    assert told.exit_code == 1
    assert said in told.stderr


def test_a_beginning_that_two_questions_share_is_told(comal: Comal, ask: Ask, folder: Path):
    one = replace(question()[0], id="abcdef1")
    two = replace(question()[0], id="abcdef2")
    asyncio.run(stored(folder / "comal.db", one, two))

    told = comal("approvals", "show", "abcdef")

    assert told.exit_code == 1
    assert "'abcdef1', 'abcdef2'" in told.stderr


def test_a_terminal_is_not_steered_by_what_is_shown(comal: Comal, ask: Ask):
    asked = ask(note="\x1b[2J\nvote yes of Ana")

    told = comal("approvals", "show", "--", asked.id).stdout

    assert "\x1b" not in told
    assert "\nvote yes" not in told


def test_those_to_whom_a_question_was_escalated_are_among_who_may_answer(
    comal: Comal, folder: Path
):
    route = replace(ROUTE, escalation=Escalation(after=60, approvers=("telegram:99",)))
    early, late = question(route)[0], replace(question(route)[0], escalated_at=time.time())
    asyncio.run(stored(folder / "comal.db", early, late))

    listed = {
        one["id"]: one["mayAnswer"]
        for one in json.loads(comal("approvals", "list", "--json").stdout)
    }
    told = comal("approvals", "show", "--", late.id).stdout
    waits = shown(comal, late.id)["waitsFor"]

    assert listed[early.id] == ["role:finance", "telegram:44"]
    assert listed[late.id] == ["role:finance", "telegram:44", "telegram:99"]
    assert "0 of 1 from role:finance, telegram:44, telegram:99" in told
    assert waits[0]["approvers"] == ["role:finance", "telegram:44", "telegram:99"]


@pytest.mark.failure_mode(10)
def test_whoever_decides_at_the_terminal_sees_what_is_hidden_in_a_call(
    comal: Comal, ask: Ask, folder: Path
):
    asked = ask(
        to="ACC-1\u200b9", by="\u0440\u0430ypal", note="a" + " " * 300 + "b", **{"x\u2060": 1}
    )
    voted(folder, asked, "no\U000e0041pe")

    told = comal("approvals", "show", "--", asked.id).stdout

    assert "ACC-1⟨U+200B⟩9" in told
    assert "mixed scripts" in told
    assert "⟨300 spaces⟩" in " ".join(told.split())
    assert "x⟨U+2060⟩: 1" in told
    assert "no⟨U+E0041⟩pe" in told


def test_who_asked_and_what_became_of_it_is_told_of_an_ended_question(comal: Comal, folder: Path):
    asked = replace(
        question()[0],
        state=QuestionState.REJECTED,
        decided_at=2.0,
        decided_by="telegram:45",
        reason="too dear",
    )
    asyncio.run(stored(folder / "comal.db", asked))

    told = comal("approvals", "show", "--", asked.id).stdout

    assert "rejected by telegram:45" in told
    assert "waits for" not in told
    assert CTX.principal in told
