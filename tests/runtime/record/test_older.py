"""What an older version stored is read, answered and counted by this one."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from comal_runtime.consent import Answer, Route, Strangers, Terms, Verdict
from comal_runtime.consent.seal import is_intact
from comal_runtime.consent.votes import answer
from comal_runtime.record import ActState, QuestionKind, SqliteRecord
from comal_runtime.record.migrate import migrations

BEFORE_SEALS = 5  # the last version whose questions had no digest, and routes no groups
OLD_ROUTE = '{"name": "money", "approvers": ["telegram:1", "telegram:2"], "cards": ["main:-5"]}'
DUAL = '{"name": "money", "approvers": ["telegram:1", "telegram:2"], "policy": "dual"}'


def old_record(path: Path, route: str | None) -> None:
    """Write a record as that version did, with one question that a stranger asked."""
    with closing(sqlite3.connect(path)) as connection:
        for number, script in migrations():
            if number <= BEFORE_SEALS:
                connection.executescript(script)
        connection.execute(f"PRAGMA user_version = {BEFORE_SEALS}")
        connection.execute("PRAGMA application_id = 1129270604")
        connection.execute(
            "INSERT INTO questions (id, kind, state, tool, definition_digest, args, args_digest, "
            "summary, principal, channel, origin, request_id, route, idempotency_key, created_at, "
            "expires_at) VALUES ('q', 'verification', 'open', 'pay', 'd', '{}', 'a', 'pay()', "
            "'telegram:9', 'telegram', 'human', 'r', ?, 'q', 1.0, 9e9)",
            (route,),
        )
        connection.commit()


@pytest.mark.failure_mode(38)
@pytest.mark.parametrize(
    ("route", "verdicts"),
    [
        (OLD_ROUTE, [Verdict.APPROVED, Verdict.DECIDED_BEFORE]),
        (DUAL, [Verdict.VOTED, Verdict.APPROVED]),
        (None, [Verdict.APPROVED, Verdict.DECIDED_BEFORE]),
    ],
    ids=["single", "dual", "no route"],
)
async def test_a_question_of_an_older_version_is_answered_by_its_own_terms(
    tmp_path: Path, route: str | None, verdicts: list[Verdict]
):
    old_record(tmp_path / "comal.db", route)
    record = SqliteRecord(tmp_path / "comal.db")

    said = []
    for voter in ("telegram:1", "telegram:2"):
        async with record.transaction() as tx:
            given = Answer(voter=voter, yes=True, at=2.0)
            said.append((await answer(tx, "q", given, Strangers()))[0])
    async with record.reading() as stored:
        question, act = await stored.questions.get("q"), await stored.acts.get("q")
    await record.aclose()

    assert said == verdicts
    assert question is not None
    assert is_intact(question)
    assert question.kind is QuestionKind.VERIFICATION
    assert act is not None
    assert act.state is ActState.APPROVED


@pytest.mark.failure_mode(38)
def test_terms_that_a_route_writes_are_read_as_they_were():
    route = Route(
        name="money", tool="pay", approvers=("role:finance",), policy="quorum", k=2, reason=True
    )

    assert Terms.read(route.snapshot()) == route.terms


@pytest.mark.failure_mode(38)
def test_terms_with_what_only_a_newer_version_knows_still_say_who_decides():
    newer = '{"name": "n", "approvers": ["telegram:1"], "policy": "dual", "moonPhase": "full"}'

    terms = Terms.read(newer)

    assert (terms.needed, terms.approvers) == (2, ("telegram:1",))
