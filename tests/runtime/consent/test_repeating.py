"""Doing again: what repeats an unknown act always asks, once, and while it is unknown only."""

import pytest

from comal_runtime.consent.settling import Settlement, forestall, settle_act
from comal_runtime.record import ActState, QuestionState, Record
from comal_runtime.registry import ToolRegistry
from comal_runtime.result import ErrorCode
from tests.runtime.record.contracts.rows import NOW, stored_act, stored_question
from tests.runtime.stations.arranging import Ran, in_code, made, registry_with

FIRST = "first"


async def house(state: ActState = ActState.UNKNOWN) -> tuple[ToolRegistry, Ran]:
    ran = Ran()
    registry = registry_with(made(ran, mutating=True))
    await stored_act(registry.record, FIRST, state=state)
    return registry, ran


async def repeated(record: Record, state: QuestionState, act: ActState | None = None) -> None:
    await stored_question(record, "again", state=state, repeats=FIRST)
    if act is not None:
        await stored_act(record, "again", question="again", state=act)


async def test_it_asks_even_where_such_a_call_asks_nobody() -> None:
    registry, ran = await house()

    result = await registry.call("wipe", {}, in_code(repeats=FIRST, idempotency_key="k"))

    async with registry.record.reading() as stored:
        (question,) = await stored.questions.repetitions(FIRST)
    assert result.requires_confirmation
    assert ran.calls == []
    assert (question.idempotency_key, question.repeats) == ("k", FIRST)


@pytest.mark.parametrize("state", [one for one in ActState if one is not ActState.UNKNOWN])
async def test_what_is_not_unknown_is_not_done_again(state: ActState) -> None:
    registry, ran = await house(state)

    result = await registry.call("wipe", {}, in_code(repeats=FIRST))

    assert result.code == ErrorCode.FORBIDDEN
    assert "how it ended is known by now" in (result.error or "")
    assert ran.calls == []


@pytest.mark.parametrize(
    ("question", "act", "asks"),
    [
        (QuestionState.OPEN, None, False),
        (QuestionState.APPROVED, ActState.APPROVED, False),
        (QuestionState.APPROVED, ActState.STARTED, False),
        (QuestionState.APPROVED, ActState.UNKNOWN, False),
        (QuestionState.APPROVED, ActState.DONE, False),
        (QuestionState.APPROVED, ActState.FAILED, True),
        (QuestionState.APPROVED, ActState.VOID, True),
        (QuestionState.REJECTED, None, True),
        (QuestionState.EXPIRED, None, True),
    ],
)
@pytest.mark.failure_mode(6)
async def test_there_is_one_repetition_until_it_came_to_nothing(
    question: QuestionState, act: ActState | None, asks: bool
) -> None:
    registry, _ = await house()
    await repeated(registry.record, question, act)

    result = await registry.call("wipe", {}, in_code(repeats=FIRST))

    assert result.requires_confirmation is asks


@pytest.mark.parametrize("to", [ActState.SETTLED_DONE, ActState.SETTLED_NOT_DONE])
async def test_only_what_turns_out_to_be_done_ends_its_open_repetition(to: ActState) -> None:
    registry, _ = await house()
    await repeated(registry.record, QuestionState.OPEN)

    async with registry.record.transaction() as tx:
        await settle_act(tx, FIRST, Settlement(to=to, by="service", result="{}", at=NOW))

    async with registry.record.reading() as stored:
        question = await stored.questions.get("again")
    assert question is not None
    ends = to is ActState.SETTLED_DONE
    assert question.state is (QuestionState.SUPERSEDED if ends else QuestionState.OPEN)


async def test_a_repetition_that_has_begun_is_let_be() -> None:
    registry, _ = await house()
    await repeated(registry.record, QuestionState.APPROVED, ActState.STARTED)

    async with registry.record.transaction() as tx:
        await forestall(tx, FIRST, now=NOW)

    async with registry.record.reading() as stored:
        act = await stored.acts.get("again")
    assert act is not None
    assert act.state is ActState.STARTED
