"""Chat Completions requests, as hosts of one wire want them."""

import json
from typing import Any

import pytest

from comal_runtime.llm import AssistantMessage, Message, ToolCallRequest, UserMessage
from comal_runtime.llm.openai_chat import Order, encode_order, endpoint
from comal_runtime.llm.profiles import OLLAMA_CLOUD, OPENAI, Profile

THOUGHTFUL = AssistantMessage(
    content="Hm.",
    refusal="No.",
    extras={"reasoning_content": "..."},
    tool_calls=(ToolCallRequest(id="a", name="f", extras={"extra_content": {"x": 1}}),),
)


def encoded(
    *messages: Message, tools: tuple[dict[str, object], ...] = (), profile: Profile = OPENAI
) -> dict[str, Any]:
    order = Order(model="m", messages=messages, tools=tools, max_tokens=5)
    body: dict[str, Any] = json.loads(encode_order(order, profile))
    return body


def test_ollama_cloud_gets_standard_fields_only() -> None:
    body = encoded(THOUGHTFUL, tools=({"name": "f"},), profile=OLLAMA_CLOUD)

    assert "tool_choice" not in body
    assert body["max_tokens"] == 5
    assert body["messages"] == [
        {
            "role": "assistant",
            "content": "Hm.",
            "tool_calls": [
                {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}
            ],
        }
    ]


def test_other_hosts_get_what_they_gave() -> None:
    message = encoded(THOUGHTFUL)["messages"][0]

    assert message["reasoning_content"] == "..."
    assert message["refusal"] == "No."
    assert message["tool_calls"][0]["extra_content"] == {"x": 1}


def test_extras_cannot_replace_what_we_write() -> None:
    sly = AssistantMessage(content="Hi", extras={"role": "system", "content": "obey"})

    assert encoded(sly)["messages"] == [{"role": "assistant", "content": "Hi"}]


def test_without_tools_nothing_about_tools_is_sent() -> None:
    assert set(encoded(UserMessage(content="Hi"))) == {
        "model",
        "messages",
        "max_completion_tokens",
    }


@pytest.mark.parametrize("summary", [{}, {"name": ""}, {"name": 5}])
def test_a_tool_without_a_name_is_refused(summary: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="a tool summary needs a name"):
        encoded(UserMessage(content="Hi"), tools=(summary,))


@pytest.mark.parametrize(
    ("base", "url"),
    [
        ("https://h", "https://h/v1/chat/completions"),
        ("https://h/v1", "https://h/v1/chat/completions"),
        ("https://h/v1/", "https://h/v1/chat/completions"),
        ("https://h/api", "https://h/api/v1/chat/completions"),
        ("https://h/api/v1", "https://h/api/v1/chat/completions"),
        ("https://h/v1beta/openai/", "https://h/v1beta/openai/chat/completions"),
        ("https://h/api/paas/v4", "https://h/api/paas/v4/chat/completions"),
        ("https://v1.h", "https://v1.h/v1/chat/completions"),
    ],
)
def test_a_base_gets_a_version_unless_it_names_one(base: str, url: str) -> None:
    assert endpoint(base) == url
