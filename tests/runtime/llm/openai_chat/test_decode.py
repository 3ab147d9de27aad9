"""Chat Completions answers in the spellings that hosts use."""

from collections.abc import Mapping
from itertools import count

import pytest

from comal_runtime.llm import AssistantMessage, Usage
from comal_runtime.llm.openai_chat import Choice, read_choice, read_message, read_usage
from tests.support.chat_server import wire_call


def read(**message: object) -> AssistantMessage:
    numbers = count(1)
    return read_message(Choice(message=message, stop_reason="stop"), lambda: f"new_{next(numbers)}")


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (None, ""),
        ("", ""),
        ("Hi", "Hi"),
        ([{"type": "text", "text": "H"}, {"type": "text", "text": "i"}], "Hi"),
        (
            [{"type": "thinking", "thinking": [{"text": "hm"}]}, {"type": "text", "text": "Hi"}],
            "Hi",
        ),
        ([], ""),
    ],
)
def test_content_is_text_whatever_its_shape(content: object, text: str) -> None:
    assert read(content=content).content == text


@pytest.mark.parametrize(
    "message",
    [
        {"content": None, "refusal": "No."},
        {"content": [{"type": "refusal", "refusal": "No."}]},
    ],
)
def test_a_refusal_is_not_the_content(message: Mapping[str, object]) -> None:
    answer = read(**message)

    assert (answer.content, answer.refusal) == ("", "No.")


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ('{"a":1}', '{"a":1}'),
        ({"a": 1}, '{"a": 1}'),
        ('"{\\"a\\":1}"', '{"a":1}'),
        ("", "{}"),
        (None, "{}"),
        ({}, "{}"),
    ],
)
def test_arguments_become_the_text_of_an_object(arguments: object, text: str) -> None:
    call = read(tool_calls=[wire_call("f", arguments)]).tool_calls[0]

    assert (call.arguments, call.malformed) == (text, None)


@pytest.mark.parametrize(
    ("arguments", "kept"),
    [('{"a":', '{"a":'), ([1], "[1]"), (7, "7"), ('{"a":1} ok', '{"a":1} ok')],
)
def test_arguments_that_are_no_object_mark_the_call(arguments: object, kept: str) -> None:
    call = read(tool_calls=[wire_call("f", arguments)]).tool_calls[0]

    assert (call.arguments, call.malformed) == ("{}", kept)


def test_calls_without_an_id_of_their_own_get_new_ones() -> None:
    calls = [
        wire_call("f", id=None),
        wire_call("g", id=""),
        wire_call("h", id="same"),
        wire_call("i", id="same"),
    ]

    answer = read(tool_calls=calls)

    assert [call.id for call in answer.tool_calls] == ["new_1", "new_2", "same", "new_3"]


def test_the_providers_own_fields_are_kept_and_ours_are_not_among_them() -> None:
    extra = {"google": {"thought_signature": "x"}}
    answer = read(
        role="assistant",
        content="Hi",
        reasoning_content="hm",
        annotations=[],
        audio=None,
        tool_calls=[wire_call("f", index=0, extra_content=extra)],
    )

    assert answer.extras == {"reasoning_content": "hm"}
    assert answer.tool_calls[0].extras == {"extra_content": extra}


def test_no_calls_are_no_calls() -> None:
    assert read(content="Hi", tool_calls=None).tool_calls == ()
    assert read(content="Hi", tool_calls=[]).tool_calls == ()


@pytest.mark.parametrize("reason", ["stop", "tool_calls", "tool_call", "", None, 5])
def test_an_unknown_reason_to_stop_is_an_ordinary_end(reason: object) -> None:
    payload = {"choices": [{"message": {"content": "Hi"}, "finish_reason": reason}]}

    choice = read_choice(payload)

    assert not choice.truncated
    assert not choice.filtered


@pytest.mark.parametrize(
    ("usage", "told"),
    [
        (None, None),
        ({}, Usage()),
        ({"prompt_tokens": 3, "completion_tokens": None}, Usage(input_tokens=3)),
        ({"prompt_tokens": -1, "prompt_tokens_details": None}, Usage()),
    ],
)
def test_usage_is_read_as_far_as_it_is_told(usage: object, told: Usage | None) -> None:
    assert read_usage({"usage": usage}) == told
