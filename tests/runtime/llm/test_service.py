"""What leaves, where to, and what comes back, over a real socket."""

import logging
from collections.abc import Callable
from dataclasses import replace

import pytest

from comal_runtime.http.httpx_adapter import HttpxClient
from comal_runtime.llm import (
    AssistantMessage,
    LlmError,
    LlmService,
    LlmServiceInterface,
    Message,
    SystemMessage,
    ToolCallRequest,
    ToolMessage,
    Usage,
    UserMessage,
)
from tests.support.chat_server import API_KEY, ChatServer, completion, wire_call

Build = Callable[..., LlmService]

TOOL = {
    "name": "refund_order",
    "description": "Refund an order.",
    "inputSchema": {"type": "object", "properties": {"id": {"type": "string"}}},
    "outputSchema": {"type": "object"},
    "version": "2",
}


async def test_a_prompt_alone_becomes_one_user_message(server: ChatServer, service: Build) -> None:
    server.will(completion("Good day."))
    asked: LlmServiceInterface = service()

    answer = await asked.generate_response("Hi")

    assert answer == AssistantMessage(content="Good day.")
    assert server.requests == [
        {
            "model": "m-1",
            "messages": [{"role": "user", "content": "Hi"}],
            "max_completion_tokens": 4096,
        }
    ]


async def test_a_prompt_is_not_added_to_messages(server: ChatServer, service: Build) -> None:
    server.will(completion())
    history = (SystemMessage(content="Be brief."), UserMessage(content="Hello"))

    await service().generate_response("unsent", messages=history)

    assert server.requests[0]["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Hello"},
    ]


async def test_tools_go_with_their_schema_and_nothing_else_of_the_registry(
    server: ChatServer, service: Build
) -> None:
    server.will(completion())

    await service().generate_response("Hi", tools=(TOOL, {"name": "ping", "inputSchema": {}}))

    body = server.requests[0]
    assert body["tool_choice"] == "auto"
    assert body["tools"] == [
        {
            "type": "function",
            "function": {
                "name": "refund_order",
                "description": "Refund an order.",
                "parameters": TOOL["inputSchema"],
            },
        },
        {
            "type": "function",
            "function": {
                "name": "ping",
                "description": "",
                "parameters": {"type": "object", "properties": {}},
            },
        },
    ]


async def test_a_whole_tool_round_is_legal_for_a_strict_host(
    server: ChatServer, service: Build
) -> None:
    thought = {"google": {"thought_signature": "c2ln"}}
    calls = [
        wire_call("refund_order", '{"id": "7"}', extra_content=thought),
        wire_call("ping", "", id="call_b"),
    ]
    reasoning = {"reasoning_content": "The person wants it back."}
    server.will(completion(None, calls=calls, extras=reasoning, finish_reason="tool_calls"))
    server.will(completion("Done."))
    history = [UserMessage(content="Refund 7")]
    model = service()

    step = await model.generate_response("", tools=(TOOL,), messages=history)
    results = [ToolMessage(tool_call_id=call.id, content="ok") for call in step.tool_calls]
    last = await model.generate_response("", tools=(TOOL,), messages=[*history, step, *results])

    assert last.content == "Done."
    assert [call.parsed() for call in step.tool_calls] == [{"id": "7"}, {}]
    assert server.requests[1]["messages"][1] == {
        "role": "assistant",
        "content": None,
        "reasoning_content": "The person wants it back.",
        "tool_calls": [
            {
                "id": "call_a",
                "type": "function",
                "function": {"name": "refund_order", "arguments": '{"id": "7"}'},
                "extra_content": thought,
            },
            {
                "id": "call_b",
                "type": "function",
                "function": {"name": "ping", "arguments": "{}"},
            },
        ],
    }
    assert server.refusals == []


async def test_a_malformed_call_is_replayed_as_an_empty_object(
    server: ChatServer, service: Build
) -> None:
    server.will(completion(None, calls=[wire_call("ping", '{"a": ')]), completion("Sorry."))
    model = service()

    step = await model.generate_response("Hi")
    error = ToolMessage(tool_call_id=step.tool_calls[0].id, content="unreadable arguments")
    await model.generate_response("", messages=[UserMessage(content="Hi"), step, error])

    assert step.tool_calls[0].malformed == '{"a": '
    replayed = server.requests[1]["messages"][1]["tool_calls"][0]["function"]
    assert replayed == {"name": "ping", "arguments": "{}"}


@pytest.mark.parametrize("end", ["", "/", "/v1", "/v1/"])
async def test_every_spelling_of_the_base_reaches_the_same_endpoint(
    server: ChatServer, service: Build, end: str
) -> None:
    server.will(completion("Here."))

    answer = await service(base_url=server.base_url + end).generate_response("Hi")

    assert answer.content == "Here."


@pytest.mark.parametrize("limit", [0, -1, True, 1.5])
async def test_a_limit_that_is_no_positive_integer_never_leaves(
    server: ChatServer, service: Build, limit: int
) -> None:
    with pytest.raises(ValueError, match="max_tokens must be a positive integer"):
        await service().generate_response("Hi", max_tokens=limit)

    assert server.headers == []


async def test_an_ollama_named_so_gets_its_limit_as_max_tokens(
    server: ChatServer, service: Build
) -> None:
    server.will(completion())

    await service(provider="Ollama").generate_response("Hi", max_tokens=9)

    assert server.requests[0]["max_tokens"] == 9
    assert "max_completion_tokens" not in server.requests[0]


async def test_headers_of_the_host_come_last_and_may_replace_the_key(
    server: ChatServer, service: Build
) -> None:
    server.will(completion("In."))
    headers = {"Authorization": f"Bearer {API_KEY}", "X-Team": "shop"}

    answer = await service(api_key="other-key", headers=headers).generate_response("Hi")

    assert answer.content == "In."
    assert server.headers[0]["x-team"] == "shop"


async def test_usage_is_told_once_an_answer(server: ChatServer, service: Build) -> None:
    told: list[Usage] = []
    usage = {
        "prompt_tokens": 100,
        "completion_tokens": 20,
        "prompt_tokens_details": {"cached_tokens": 64},
        "completion_tokens_details": {"reasoning_tokens": 12},
    }
    server.will(completion(usage=usage))

    await service(on_usage=told.append).generate_response("Hi")

    assert told == [
        Usage(input_tokens=100, output_tokens=20, cached_tokens=64, reasoning_tokens=12)
    ]


async def test_text_that_utf8_cannot_carry_is_sent_with_a_question_mark(
    server: ChatServer, service: Build
) -> None:
    server.will(completion())

    await service().generate_response("a\ud800ñ")

    assert server.requests[0]["messages"][0]["content"] == "a?ñ"


async def test_a_changed_copy_leaves_the_original_as_it_was(
    server: ChatServer, service: Build
) -> None:
    server.will(completion(), completion(), completion())
    original = service()

    await original.generate_response("Hi")
    await replace(original, model="m-2").generate_response("Hi")
    await original.generate_response("Hi")

    assert [body["model"] for body in server.requests] == ["m-1", "m-2", "m-1"]


@pytest.mark.parametrize("level", [logging.DEBUG, logging.INFO])
async def test_bodies_are_logged_at_debug_only_and_without_the_key(
    server: ChatServer, service: Build, caplog: pytest.LogCaptureFixture, level: int
) -> None:
    server.will(completion(f"your key is {API_KEY}"))
    caplog.set_level(level, logger="model")

    await service(logger=logging.getLogger("model")).generate_response("Hi there")

    bodies = [str(vars(record)["body"]) for record in caplog.records if "body" in vars(record)]
    assert len(bodies) == (2 if level == logging.DEBUG else 0)
    assert not any(API_KEY in body for body in bodies)


@pytest.mark.parametrize("provider", ["anthropic", "openai-responses", "OpenAI-Responses"])
async def test_a_provider_that_is_not_there_yet_says_what_works(
    http: HttpxClient, provider: str
) -> None:
    with pytest.raises(LlmError, match="not available yet; available: openai-chat"):
        LlmService(API_KEY, "m-1", provider=provider, http=http)


async def test_an_unknown_provider_is_refused(http: HttpxClient) -> None:
    with pytest.raises(LlmError, match="provider 'opnai' is not known"):
        LlmService(API_KEY, "m-1", provider="opnai", http=http)


@pytest.mark.parametrize(
    "base_url",
    ["localhost:1", "ftp://h/v1", "http://", "https://u:p@h/v1", "http://h/v1?k=1", "http://h:0"],
)
async def test_a_base_that_is_no_plain_address_is_refused(http: HttpxClient, base_url: str) -> None:
    with pytest.raises(ValueError, match="base_url"):
        LlmService(API_KEY, "m-1", base_url=base_url, http=http)


async def test_a_key_with_a_line_break_is_refused_without_being_quoted(http: HttpxClient) -> None:
    with pytest.raises(ValueError, match="api_key holds a character") as caught:
        LlmService("sk-secret\n", "m-1", http=http)

    assert "sk-secret" not in str(caught.value)


async def test_no_secret_is_in_the_repr(service: Build) -> None:
    shown = repr(service(headers={"x-api-key": "other-secret"}))

    assert API_KEY not in shown
    assert "other-secret" not in shown
    assert "m-1" in shown


async def test_without_a_key_no_authorization_is_sent(server: ChatServer, service: Build) -> None:
    with pytest.raises(LlmError):
        await service(api_key="").generate_response("Hi")

    assert "authorization" not in server.headers[0]


async def test_a_host_that_refuses_an_unanswered_call_is_not_argued_with(
    server: ChatServer, service: Build
) -> None:
    call = ToolCallRequest(id="call_x", name="ping")
    history: list[Message] = [UserMessage(content="Hi"), AssistantMessage(tool_calls=(call,))]

    with pytest.raises(LlmError, match="did not have response messages: call_x"):
        await service().generate_response("", messages=history)

    assert len(server.requests) == 1
