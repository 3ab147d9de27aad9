"""Breaking the glass stands in for approvers, for nobody else, and never in silence."""

from dataclasses import replace
from typing import Any

import pytest

from comal_runtime.consent import Answer, Group, Route, Terms, Verdict
from comal_runtime.consent.overriding import TELL_OVERRIDE
from comal_runtime.consent.question import call_question, subject_question
from comal_runtime.consent.tally import tally
from comal_runtime.consent.votes import answer
from comal_runtime.context import ToolContext
from comal_runtime.record import Question, QuestionState, Record, Repositories, memory_record

from ..stations.arranging import Household, made

ROSA, ANA = "telegram:9", "telegram:1"
BREAKS = "break-glass:rosa"
NOBODY = Household({}, {})
LINKED = Household({"os:rosa": ROSA}, {})
STAGES = (Group(approvers=(ANA,), k=1), Group(approvers=("role:security",), k=2, stage=2))


def asked(**terms: Any) -> Question:
    under = Terms(**{"approvers": (ANA,), **terms})
    ctx = ToolContext(principal=ROSA, conversation="c1")
    return subject_question("q", "the till", ctx, now=0.0, ttl=60.0, route=under.to_json())


def confirmation() -> Question:
    tool = made(lambda: None)
    return call_question(tool, {}, ToolContext(principal=ROSA), route=None, now=0.0, ttl=60.0)[0]


async def said(
    record: Record, question: Question, people: Household, *, yes: bool = True, why: str = "hurry"
) -> Verdict:
    async with record.transaction() as tx:
        await tx.questions.open(question)
        given = Answer(voter=BREAKS, yes=yes, reason=why, at=1.0)
        verdict, _ = await answer(tx, question.id, given, people)
    return verdict


async def stored(record: Record) -> Repositories:
    async with record.reading() as repositories:
        return repositories


@pytest.mark.failure_mode(39)
@pytest.mark.parametrize(
    "terms", [{}, {"policy": "dual"}, {"groups": STAGES}, {"reject_threshold": 3}]
)
@pytest.mark.parametrize("yes", [True, False])
async def test_it_decides_alone_and_leaves_word_of_it(terms: dict[str, Any], yes: bool):
    record = memory_record(hosted=True)

    verdict = await said(record, asked(**terms), NOBODY, yes=yes)

    async with record.transaction() as tx:
        override = await tx.overrides.get("q")
        jobs = await tx.jobs.claim("w", now=1e12, lease_until=1e12, limit=9)
        (vote,) = await tx.questions.votes("q")
    assert verdict is (Verdict.APPROVED if yes else Verdict.REJECTED)
    assert override is not None
    assert (override.principal, override.reason, override.conversation) == (BREAKS, "hurry", "c1")
    assert TELL_OVERRIDE in {one.job.kind for one in jobs}
    assert (vote.identity, vote.reason) == (BREAKS, "hurry")


@pytest.mark.failure_mode(39)
async def test_whose_os_user_is_the_requesters_breaks_nothing():
    """AP-17: separation of duties cannot be switched off."""
    record = memory_record(hosted=True)

    verdict = await said(record, asked(), LINKED)

    repositories = await stored(record)
    assert verdict is Verdict.OWN_REQUEST
    assert await repositories.questions.votes("q") == []
    assert await repositories.overrides.get("q") is None


@pytest.mark.failure_mode(39)
async def test_who_becomes_the_requesters_os_user_before_it_runs_is_no_longer_counted():
    record = memory_record(hosted=True)
    question = asked()
    await said(record, question, NOBODY)

    votes = await (await stored(record)).questions.votes("q")

    assert tally(question, votes, NOBODY).approved
    assert not tally(question, votes, LINKED).approved


@pytest.mark.parametrize("why", ["", "  "])
async def test_without_a_reason_nothing_is_broken(why: str):
    verdict = await said(memory_record(hosted=True), asked(), NOBODY, why=why)

    assert verdict is Verdict.NEEDS_REASON


async def test_nobody_confirms_in_the_requesters_place():
    verdict = await said(memory_record(hosted=True), confirmation(), NOBODY)

    assert verdict is Verdict.NOT_ENTITLED


async def test_what_a_rule_decides_nobody_decides_in_its_place():
    route = Route(name="auto", tool="*", policy="auto", rule="evidence")
    question = replace(asked(), route=route.snapshot())

    verdict = await said(memory_record(hosted=True), question, NOBODY)

    assert verdict is Verdict.NOT_ENTITLED


async def test_what_has_ended_stays_as_it_is():
    record = memory_record(hosted=True)
    async with record.transaction() as tx:
        await tx.questions.open(asked())
        await tx.questions.close("q", QuestionState.EXPIRED, now=1.0, reason=None)

    verdict = await said(record, asked(), NOBODY)

    assert verdict in (Verdict.EXPIRED, Verdict.DECIDED_BEFORE)
    assert await (await stored(record)).overrides.get("q") is None
