"""The bare loop: one prompt, one answer or the result that stopped it."""

import pytest

from comal_runtime.agent import (
    STEPS_EXHAUSTED,
    AgentOrchestrator,
    ContextMissing,
    RunEnd,
    RunInProgress,
    RunInterrupted,
)
from comal_runtime.llm import AssistantMessage, ToolCallRequest, ToolMessage, UserMessage
from comal_runtime.llm.errors import Fault, OutputTruncated
from comal_runtime.registry import ToolRegistry
from comal_runtime.result import ToolResult
from comal_runtime.testing import ScriptedModel
from tests.runtime.agent.rig import Shop, call, caller, model


def agent(service, shop: Shop, **options) -> AgentOrchestrator:
    registry = ToolRegistry()
    registry.add_all(shop.tools())
    made = AgentOrchestrator(service, registry, **options)
    made.set_tool_context(caller())
    return made


def reason(made: AgentOrchestrator) -> RunEnd | None:
    ended = made.termination()
    return None if ended is None else ended.reason


async def test_an_answer_without_calls_is_returned_as_it_is(shop: Shop):
    service = model("Hello")
    made = agent(service, shop)

    answer = await made.run("hi", system="SYS", history=[UserMessage(content="before")])

    assert answer == "Hello"
    assert [one.content for one in service.requests[0].messages] == ["SYS", "before", "hi"]
    ended = made.termination()
    assert ended is not None
    assert ended.to_dict() == {"reason": "final_answer", "receipt": None}


async def test_a_call_that_asks_stops_the_run_and_nothing_after_it_runs(shop: Shop):
    made = agent(model([call("look", "a"), call("refund", "b"), call("look", "c")]), shop)

    result = await made.run("go")

    assert isinstance(result, ToolResult)
    assert result.requires_confirmation
    assert result.data["action_summary"] == 'refund(what="b")'
    assert shop.did == ["look a"]
    assert reason(made) is RunEnd.CONFIRMATION_REQUIRED


async def test_a_forbidden_call_stops_the_run(shop: Shop):
    made = agent(model([call("secret", "a"), call("order", "b")]), shop)

    result = await made.run("go")

    assert isinstance(result, ToolResult)
    assert result.code == "FORBIDDEN"
    assert shop.did == []
    assert reason(made) is RunEnd.BLOCKED


async def test_other_failures_are_fed_back(shop: Shop):
    made = agent(model([call("break", "a"), call("nope", "b")]), shop)

    assert await made.run("go") == "done"
    assert reason(made) is RunEnd.FINAL_ANSWER


async def test_a_model_that_quotes_the_sentinel_has_answered(shop: Shop):
    made = agent(model(STEPS_EXHAUSTED), shop)

    assert await made.run("go") == STEPS_EXHAUSTED
    assert reason(made) is RunEnd.FINAL_ANSWER


async def test_the_step_limit_returns_the_sentinel(shop: Shop):
    service = model([call("look", "a")])
    made = agent(service, shop, max_steps=1)

    assert await made.run("go") == STEPS_EXHAUSTED
    assert len(service.requests) == 1
    assert reason(made) is RunEnd.STEPS_EXHAUSTED


async def test_a_limit_of_no_steps_asks_nothing(shop: Shop):
    service = model()

    assert await agent(service, shop, max_steps=0).run("go") == STEPS_EXHAUSTED
    assert service.requests == []


@pytest.mark.runtime_line(12)
@pytest.mark.original_fault("GW:agent-no-context")
async def test_a_run_without_a_context_is_refused(shop: Shop):
    service = model()
    made = AgentOrchestrator(service, ToolRegistry())

    with pytest.raises(ContextMissing):
        await made.run("go")

    assert service.requests == []
    assert reason(made) is RunEnd.FAILED


async def test_a_truncated_answer_propagates_and_is_observed(shop: Shop):
    error = OutputTruncated(Fault(provider="test"), stop_reason="length", max_tokens=9)

    class Truncating:
        async def generate_response(self, prompt, tools=(), messages=(), max_tokens=4096):
            raise error

    made = agent(Truncating(), shop)

    with pytest.raises(OutputTruncated) as caught:
        await made.run("go")

    assert caught.value is error
    assert reason(made) is RunEnd.OUTPUT_TRUNCATED


async def test_on_step_may_interrupt_between_steps_and_its_own_faults_do_not(shop: Shop):
    heard: list[tuple[int, str]] = []
    stop = RunInterrupted("enough")

    def on_step(step: int, status: str) -> None:
        heard.append((step, status))
        if step == 0:
            raise LookupError("a fault of the listener")
        raise stop

    made = agent(model([call("look", "a")]), shop)

    with pytest.raises(RunInterrupted) as caught:
        await made.run("go", on_step=on_step)

    assert caught.value is stop
    assert heard == [(0, "processing"), (1, "processing")]
    assert shop.did == ["look a"]
    assert reason(made) is RunEnd.INTERRUPTED


async def test_a_second_run_beside_the_first_is_refused_and_does_not_disturb_it(shop: Shop):
    caught: list[RunInProgress] = []

    async def on_step(step: int, status: str) -> None:
        try:
            await made.run("again")
        except RunInProgress as error:
            caught.append(error)
        assert made.termination() is None

    made = agent(model(), shop)

    assert await made.run("go", on_step=on_step) == "done"
    assert len(caught) == 1
    assert reason(made) is RunEnd.FINAL_ANSWER


async def test_a_captured_termination_keeps_its_values(shop: Shop):
    made = agent(model([call("refund", "a")]), shop)
    await made.run("go")
    captured = made.termination()
    made.service = model()

    await made.run("go")

    assert captured is not None
    assert captured.reason is RunEnd.CONFIRMATION_REQUIRED
    assert reason(made) is RunEnd.FINAL_ANSWER


@pytest.mark.parametrize(
    "history",
    [
        [ToolMessage(tool_call_id="k", content="{}")],
        [AssistantMessage(tool_calls=(ToolCallRequest(id="k", name="look"),))],
    ],
)
async def test_a_history_with_loose_ends_is_refused_before_the_model_is_asked(
    shop: Shop, history: list
):
    service = model()

    with pytest.raises(ValueError, match="not legal"):
        await agent(service, shop).run("go", history=history)

    assert service.requests == []


async def test_the_output_limit_applies_to_every_call_and_defaults_to_4096(shop: Shop):
    given, plain = model([call("look", "a")]), model()

    await agent(given, shop, output_tokens=9).run("go")
    await agent(plain, shop).run("go")

    assert [one.max_tokens for one in given.requests] == [9, 9]
    assert [one.max_tokens for one in plain.requests] == [4096]
    with pytest.raises(ValueError, match="output_tokens"):
        agent(ScriptedModel(), shop, output_tokens=0)


async def test_a_tool_added_between_steps_is_told_to_the_model(shop: Shop):
    service = model([call("look", "a")])
    made = agent(service, shop)

    def on_step(step: int, status: str) -> None:
        if step == 1:
            made.registry.register("late", "Came late.", {}, lambda: "late")

    await made.run("go", on_step=on_step)

    names = [{tool["name"] for tool in asked.tools} for asked in service.requests]
    assert names[1] - names[0] == {"late"}
