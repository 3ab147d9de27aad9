"""The calls of one step: what runs, what asks, what waits."""

from dataclasses import replace

import pytest

from comal_runtime.agent import (
    RunEnd,
    TurnOutcome,
    TurnRunner,
    history_for_model,
    legal,
)
from comal_runtime.consent import Route, Routes
from comal_runtime.context import Consent
from comal_runtime.llm import AssistantMessage, ToolCallRequest
from comal_runtime.record import SqliteRecord
from comal_runtime.result import ToolResult
from comal_runtime.testing import FakeClock
from tests.runtime.agent.rig import (
    TURN,
    Killed,
    MortalRecord,
    Shop,
    answers,
    call,
    caller,
    lines,
    model,
    open_turn,
    registry,
    runner,
)


async def test_reads_of_one_step_run_together_and_acts_in_order(
    record: SqliteRecord, clock: FakeClock, shop: Shop
):
    await open_turn(record)
    step = [call("look", "a"), call("look", "b"), call("order", "c"), call("order", "d")]

    await runner(record, model(step), clock, shop).run(TURN, caller())

    assert shop.most_reading == 2
    assert shop.did[2:] == ["order c", "order d"]
    assert [one["ok"] for one in await answers(record)] == [True] * 4


async def test_each_asking_call_gets_its_question_and_acts_after_it_wait(
    record: SqliteRecord, clock: FakeClock, shop: Shop
):
    await open_turn(record)
    step = [
        call("order", "a"),
        call("refund", "b"),
        call("look", "c"),
        call("order", "d"),
        call("refund", "e"),
    ]
    service = model(step)

    outcome = await runner(record, service, clock, shop).run(TURN, caller())

    asked = 'refund(what="b")'
    told = await answers(record)
    assert outcome.reason is RunEnd.CONFIRMATION_REQUIRED
    assert len(service.requests) == 1
    assert sorted(shop.did) == ["look c", "order a"]
    assert told[1] == {"status": "awaiting_confirmation", "summary": asked}
    assert told[2]["ok"] is True
    assert told[3] == {"status": "not_run", "waits_for": asked}
    assert told[4] == {"status": "awaiting_confirmation", "summary": 'refund(what="e")'}
    async with record.reading() as stored:
        assert await stored.questions.by_call(f"{TURN}/1/2") is not None
        assert await stored.questions.by_call(f"{TURN}/1/5") is not None
        assert await stored.acts.get(f"{TURN}/1/4") is None


async def test_malformed_arguments_are_answered_and_the_loop_goes_on(
    record: SqliteRecord, clock: FakeClock, shop: Shop
):
    await open_turn(record)
    bad = ToolCallRequest(id="k1", name="order", arguments='{"what": ')
    service = model(AssistantMessage(tool_calls=(bad,)))

    outcome = await runner(record, service, clock, shop).run(TURN, caller())

    told = await answers(record)
    assert outcome.text == "done"
    assert shop.did == []
    assert told[0]["ok"] is False
    assert told[0]["code"] == "VALIDATION_ERROR"
    assert "not a JSON object" in told[0]["error"]


async def test_unknown_forbidden_and_failing_tools_are_fed_back(
    record: SqliteRecord, clock: FakeClock, shop: Shop
):
    await open_turn(record)
    step = [call("nope", "a"), call("secret", "b"), call("break", "c")]

    outcome = await runner(record, model(step), clock, shop).run(TURN, caller())

    told = await answers(record)
    assert outcome.reason is RunEnd.FINAL_ANSWER
    assert [one.get("code") for one in told] == ["TOOL_NOT_FOUND", "FORBIDDEN", None]
    assert told[2]["error"] == "c is glued to the shelf"


async def test_a_refusal_by_the_gate_ends_the_turn_with_its_reason(
    record: SqliteRecord, clock: FakeClock, shop: Shop
):
    class Floor:
        async def refuse(self, tool, args):
            return "not today" if tool == "order" else None

    class Notes:
        def __init__(self) -> None:
            self.heard: list[tuple[str, bool]] = []

        def recorded(self, tool, args, rendered_result, ok):
            self.heard.append((tool, ok))

    await open_turn(record)
    notes = Notes()
    step = [call("look", "a"), call("order", "b"), call("order", "c")]
    made = runner(record, model(step), clock, shop, gate=Floor(), recorder=notes)

    outcome = await made.run(TURN, caller())

    assert outcome == TurnOutcome(reason=RunEnd.TOOL_REFUSED, text="not today")
    assert shop.did == ["look a"]
    assert notes.heard == [("look", True)]
    assert [one.get("status") for one in await answers(record)] == [None, "refused", "not_run"]
    assert legal(history_for_model(await lines(record)))


async def test_a_route_that_looks_at_arguments_decides_which_calls_after_a_question_are_asked(
    record: SqliteRecord, clock: FakeClock, shop: Shop
):
    await open_turn(record)
    route = Route(name="dear", tool="order", when="what == 'gold'", approvers=("cli:bo",))
    tools = registry(record, clock, shop, Routes([route]))
    step = [call("order", "gold"), call("order", "tin"), call("order", "gold")]

    outcome = await TurnRunner(record, model(step), tools, clock).run(TURN, caller())

    gold = 'order(what="gold")'
    assert outcome.reason is RunEnd.CONFIRMATION_REQUIRED
    assert shop.did == []
    assert await answers(record) == [
        {"status": "awaiting_approval", "summary": gold},
        {"status": "not_run", "waits_for": gold},
        {"status": "awaiting_approval", "summary": gold},
    ]


async def test_a_gate_is_not_asked_again_of_an_act_that_had_run_before_a_crash(
    record: SqliteRecord, clock: FakeClock, shop: Shop
):
    class Moody:
        asked = 0

        def refuse(self, tool, args):
            self.asked += 1
            return None if self.asked == 1 else "not again"

    gate = Moody()
    await open_turn(record)
    mortal = MortalRecord(record, dies_at=5, stored=False)  # take, said, claim, end, answered
    step = [call("order", "a")]
    with pytest.raises(Killed):
        await runner(mortal, model(step), clock, shop, gate=gate).run(TURN, caller())

    outcome = await runner(record, model(step), clock, shop, gate=gate).run(TURN, caller())

    assert outcome.text == "done"
    assert await answers(record) == [{"ok": True, "data": "ordered a"}]


async def test_a_model_carries_no_consent_of_its_caller(
    record: SqliteRecord, clock: FakeClock, shop: Shop
):
    await open_turn(record)
    consent = Consent(question_id="q", tool="refund", args_digest="d", principal="cli:ana")
    made = runner(record, model([call("refund", "a")]), clock, shop)

    outcome = await made.run(TURN, caller_with(consent))

    assert outcome.reason is RunEnd.CONFIRMATION_REQUIRED
    assert shop.did == []


def caller_with(consent: Consent):
    return replace(caller(), consent=consent)


@pytest.mark.parametrize("name", ["look", "order"])
@pytest.mark.parametrize("said", [ToolResult.confirmation("Sure?"), ToolResult.pending("Soon")])
async def test_a_tool_that_only_says_it_asks_is_answered_like_any_other(
    record: SqliteRecord, clock: FakeClock, said: ToolResult, name: str
):
    class Faker(Shop):
        async def look(self, what: str) -> ToolResult:  # type: ignore[override]  # on purpose
            return said

        async def order(self, what: str) -> ToolResult:  # type: ignore[override]  # on purpose
            return said

    await open_turn(record)

    outcome = await runner(record, model([call(name, "a")]), clock, Faker()).run(TURN, caller())

    (told,) = await answers(record)
    assert outcome.text == "done"
    assert told == {"ok": True, "data": {}, "message": said.message}
