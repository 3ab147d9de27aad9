"""The scripted model: rules, tool rounds, and nothing kept between requests."""

import re
from collections.abc import Sequence

import pytest

from comal_runtime.clock import Clock
from comal_runtime.llm import (
    AssistantMessage,
    LlmServiceInterface,
    Message,
    SystemMessage,
    ToolCallRequest,
    ToolMessage,
    ToolSummary,
    UserMessage,
)
from comal_runtime.testing import FakeClock, Rule, ScriptedModel


def refund(
    match: re.Match[str], tools: Sequence[ToolSummary], messages: Sequence[Message]
) -> list[tuple[str, dict[str, object]]]:
    return [("refund_order", {"id": match[1]})]


def model() -> ScriptedModel:
    return ScriptedModel([Rule(pattern=r"refund (\d+)", reply=refund)], default="What?")


def user(text: str) -> UserMessage:
    return UserMessage(content=text)


async def test_the_first_rule_found_in_the_last_user_text_answers() -> None:
    scripted: LlmServiceInterface = model()

    answer = await scripted.generate_response("", messages=[user("hi"), user("Please REFUND 77")])

    assert answer.content is None
    assert [(call.name, call.parsed()) for call in answer.tool_calls] == [
        ("refund_order", {"id": "77"})
    ]


async def test_without_a_rule_the_default_answers_a_prompt() -> None:
    assert await model().generate_response("hello") == AssistantMessage(content="What?")


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ('{"success": true, "data": 5, "message": "Refunded."}', "refund_order: Refunded."),
        ('{"success": false, "error": "No such order.", "message": null}', "No such order."),
        ('{"status": "awaiting_approval", "summary": "Refund 77"}', "refund_order: Refund 77"),
        ('{"success": true, "data": {"a": 1}, "message": null}', 'refund_order: {"a": 1}'),
        ("plain text", "refund_order: plain text"),
    ],
)
async def test_a_fresh_process_words_the_result_of_a_call_it_never_asked_for(
    content: str, text: str
) -> None:
    history: list[Message] = [user("refund 77")]
    step = await model().generate_response("", messages=history)
    result = ToolMessage(tool_call_id=step.tool_calls[0].id, content=content)
    plan = SystemMessage(content="plan")

    answer = await model().generate_response("", messages=[*history, step, result, plan])

    assert text in (answer.content or "")
    assert answer.tool_calls == ()


async def test_the_same_conversation_gets_the_same_answer() -> None:
    scripted = model()

    answers = [await scripted.generate_response("", messages=[user("refund 1")]) for _ in "ab"]

    assert answers[0] == answers[1]


async def test_two_steps_of_a_conversation_never_share_a_call_id() -> None:
    first = await model().generate_response("", messages=[user("refund 1")])
    result = ToolMessage(tool_call_id=first.tool_calls[0].id, content="ok")
    end = AssistantMessage(content="ok")
    history: list[Message] = [user("refund 1"), first, result, end, user("refund 1")]

    second = await model().generate_response("", messages=history)

    assert first.tool_calls[0].id != second.tool_calls[0].id


async def test_conclude_may_ask_for_another_call() -> None:
    call = ToolCallRequest(id="a", name="look")
    scripted = ScriptedModel(conclude=lambda answered: [("act", {"on": answered[0][1]})])
    history: list[Message] = [user("go"), AssistantMessage(tool_calls=(call,))]

    answer = await scripted.generate_response(
        "", messages=[*history, ToolMessage(tool_call_id="a", content="it")]
    )

    assert answer.tool_calls[0].parsed() == {"on": "it"}


async def test_requests_are_kept_for_reading() -> None:
    scripted = model()
    await scripted.generate_response("hello", tools=[{"name": "f"}], max_tokens=9)

    seen = scripted.requests[0]

    assert (seen.prompt, seen.tools, seen.max_tokens) == ("hello", ({"name": "f"},), 9)
    assert seen.messages == (user("hello"),)


async def test_a_limit_that_is_not_positive_is_refused_as_by_a_real_service() -> None:
    with pytest.raises(ValueError, match="max_tokens"):
        await model().generate_response("hello", max_tokens=0)


async def test_a_fake_clock_moves_only_when_told() -> None:
    fake = FakeClock()
    clock: Clock = fake

    fake.advance(2.5)
    await fake.sleep(0.5)

    assert clock.now() == 1_796_040_003.0
    assert clock.boot() - FakeClock().boot() == 3.0
    with pytest.raises(ValueError, match="forward only"):
        fake.advance(-1)
