"""The neutral messages: their invariants and their JSON."""

import json

import pytest

from comal_runtime.llm import (
    AssistantMessage,
    Message,
    SystemMessage,
    ToolCallRequest,
    ToolMessage,
    UserMessage,
    message_from_json,
    message_to_json,
)


@pytest.mark.parametrize(
    "message",
    [
        SystemMessage(content="Be brief."),
        UserMessage(content="¿Qué tal? 👋"),
        ToolMessage(tool_call_id="call_1", content='{"success": true}'),
        AssistantMessage(content="Well."),
        AssistantMessage(content="", refusal="I will not."),
        AssistantMessage(
            tool_calls=(
                ToolCallRequest(id="a", name="f", arguments='{"x": [1, null]}', extras={"e": {}}),
                ToolCallRequest(id="b", name="g", arguments='{"x'),
            ),
            extras={"reasoning_content": "hm", "reasoning_details": [{"type": "t"}]},
        ),
    ],
)
def test_a_stored_message_comes_back_equal(message: Message) -> None:
    stored = json.dumps(message_to_json(message))

    assert message_from_json(json.loads(stored)) == message


@pytest.mark.parametrize(
    "stored",
    [
        None,
        [],
        {"role": "bishop", "content": "x"},
        {"content": "x"},
        {"role": "user"},
        {"role": "user", "content": 5},
        {"role": "tool", "content": "x"},
        {"role": "assistant", "content": "x", "tool_calls": {}},
        {"role": "assistant", "content": "x", "tool_calls": [{"id": "a", "name": "f"}]},
        {"role": "assistant", "content": "x", "extras": 1},
    ],
)
def test_what_is_no_stored_message_is_refused(stored: object) -> None:
    with pytest.raises(ValueError, match="stored message"):
        message_from_json(stored)


@pytest.mark.parametrize(
    ("written", "values"),
    [
        ('{"a": 1}', {"a": 1}),
        ("", {}),
        (" \n", {}),
        ("null", {}),
        ('"{\\"a\\": 1}"', {"a": 1}),
        ('""', {}),
        ('{"a": "\\ud800"}', {"a": "\ud800"}),
    ],
)
def test_arguments_are_read_in_the_spellings_models_use(
    written: str, values: dict[str, object]
) -> None:
    call = ToolCallRequest(id="a", name="f", arguments=written)

    assert call.parsed() == values
    assert call.malformed is None


@pytest.mark.parametrize(
    "written", ['{"a": ', "[1]", "7", "true", '{"a": NaN}', "a: 1", '{"a":1}{"b":2}', "[" * 99999]
)
def test_arguments_that_are_no_object_are_marked_and_kept_apart(written: str) -> None:
    call = ToolCallRequest(id="a", name="f", arguments=written)

    assert call.malformed == written
    assert call.arguments == "{}"


def test_content_is_absent_only_beside_tool_calls() -> None:
    call = ToolCallRequest(id="a", name="f")

    assert AssistantMessage(tool_calls=(call,)).content is None
    assert AssistantMessage().content == ""


def test_messages_can_be_members_of_a_set() -> None:
    message = AssistantMessage(content="x", extras={"reasoning": []})

    assert len({message, AssistantMessage(content="x", extras={"reasoning": []})}) == 1
