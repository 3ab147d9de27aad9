"""How a model fails to answer, over a real socket."""

import json
from collections.abc import Callable

import pytest

from comal_runtime.llm import (
    ContentFiltered,
    ContextTooLong,
    LlmAuthError,
    LlmBadResponse,
    LlmError,
    LlmOverloaded,
    LlmRateLimited,
    LlmRefused,
    LlmService,
    OutputTruncated,
    Usage,
)
from tests.runtime.llm.failing import failure
from tests.support.chat_server import (
    API_KEY,
    ChatServer,
    Scripted,
    completion,
    fault,
    raw,
    wire_call,
)

Build = Callable[..., LlmService]


@pytest.mark.parametrize(
    ("status", "kind", "asked"),
    [
        (400, LlmRefused, 1),
        (401, LlmAuthError, 1),
        (402, LlmRefused, 1),
        (403, LlmAuthError, 1),
        (404, LlmRefused, 1),
        (408, LlmRefused, 3),
        (409, LlmRefused, 3),
        (422, LlmRefused, 1),
        (429, LlmRateLimited, 3),
        (500, LlmOverloaded, 3),
        (503, LlmOverloaded, 3),
        (529, LlmOverloaded, 3),
        (302, LlmBadResponse, 1),
    ],
)
async def test_each_status_has_its_error_and_only_passing_ones_are_tried_again(
    server: ChatServer, service: Build, status: int, kind: type[LlmError], asked: int
) -> None:
    server.will(*[fault(status, "No.", headers={"x-request-id": "req-9"})] * 5)

    error = await failure(service())

    assert type(error) is kind
    assert (error.status, error.request_id) == (status, "req-9")
    assert str(error).startswith(f"openai-chat answered HTTP {status}: ")
    assert len(server.requests) == asked


@pytest.mark.parametrize(
    "answer",
    [
        fault(400, "Too much.", code="context_length_exceeded"),
        fault(400, "This model's maximum context length is 4096 tokens. However, you asked 5000."),
        raw(
            {"error": {"code": 400, "type": "exceed_context_size_error", "message": "too big"}},
            status=400,
        ),
    ],
)
async def test_a_conversation_that_does_not_fit_is_recognised(
    server: ChatServer, service: Build, answer: Scripted
) -> None:
    server.will(answer)

    assert type(await failure(service())) is ContextTooLong


async def test_an_echoed_key_is_masked_even_where_the_excerpt_is_cut(
    server: ChatServer, service: Build
) -> None:
    server.will(raw(b"x" * 490 + API_KEY.encode() * 30, status=400))

    error = await failure(service())

    assert len(error.excerpt) == 500
    assert "sk-test" not in error.excerpt


async def test_a_secret_among_extra_headers_is_masked(server: ChatServer, service: Build) -> None:
    server.will(fault(400, "who is hush-hush-77?"))

    error = await failure(service(headers={"x-gateway-token": "hush-hush-77"}))

    assert "who is ***?" in str(error)


async def test_an_empty_error_body_is_said_to_be_empty(server: ChatServer, service: Build) -> None:
    server.will(raw(b"", status=404))

    assert str(await failure(service())) == "openai-chat answered HTTP 404: (empty response body)"


@pytest.mark.parametrize("reason", ["length", "LENGTH", "max_tokens"])
async def test_a_truncated_answer_leaves_nothing_but_its_cost(
    server: ChatServer, service: Build, reason: str
) -> None:
    told: list[Usage] = []
    partial = [wire_call("wipe", '{"path": "/tm')]
    server.will(completion("half a", calls=partial, finish_reason=reason))

    error = await failure(service(on_usage=told.append), max_tokens=5)

    assert isinstance(error, OutputTruncated)
    assert (error.provider, error.stop_reason) == ("openai-chat", reason.lower())
    assert error.max_tokens == 5
    shown = str(error) + repr(error) + repr(vars(error))
    assert "half" not in shown
    assert "/tm" not in shown
    assert told == [Usage(input_tokens=11, output_tokens=7)]
    assert len(server.requests) == 1


async def test_a_withheld_answer_is_no_answer(server: ChatServer, service: Build) -> None:
    calls = [wire_call("wipe")]
    server.will(completion("", calls=calls, finish_reason="content_filter"))

    assert type(await failure(service())) is ContentFiltered


@pytest.mark.parametrize(
    ("payload", "kind", "asked"),
    [
        ({"error": {"code": 502, "message": "upstream"}, "choices": []}, LlmOverloaded, 3),
        ({"error": "model is loading"}, LlmBadResponse, 1),
        ({"error": {"code": "401", "message": "who?"}}, LlmAuthError, 1),
        ([{"error": {"code": 429, "message": "quota", "status": "X"}}], LlmRateLimited, 3),
        ({"base_resp": {"status_code": 1004, "status_msg": "not authorized"}}, LlmAuthError, 1),
        ({"base_resp": {"status_code": 1002, "status_msg": "rate limit"}}, LlmRateLimited, 3),
        ({"base_resp": {"status_code": 4711, "status_msg": "odd"}}, LlmBadResponse, 1),
        ({"choices": [{"error": {"code": 503}, "finish_reason": "error"}]}, LlmOverloaded, 3),
        ({"choices": []}, LlmBadResponse, 1),
        ({"choices": None}, LlmBadResponse, 1),
        ({"choices": [{"message": None}]}, LlmBadResponse, 1),
        ({"choices": [{"message": {"content": 5}}]}, LlmBadResponse, 1),
        ({"choices": [{"message": {"tool_calls": [{"id": "a"}]}}]}, LlmBadResponse, 1),
        ({"choices": [{"message": {"tool_calls": [wire_call("")]}}]}, LlmBadResponse, 1),
        ({"object": "something else"}, LlmBadResponse, 1),
        (b"<html>Bad gateway</html>", LlmBadResponse, 1),
        (b"", LlmBadResponse, 1),
        (b"[" * 100_000, LlmBadResponse, 1),
        (b"17", LlmBadResponse, 1),
    ],
)
async def test_an_error_or_garbage_inside_a_200_is_a_typed_error(
    server: ChatServer, service: Build, payload: object, kind: type[LlmError], asked: int
) -> None:
    server.will(*[raw(payload, headers={"x-request-id": "req-3"})] * 3)

    error = await failure(service())

    assert type(error) is kind
    assert error.request_id == "req-3"
    assert len(error.excerpt) <= 500
    assert len(server.requests) == asked


async def test_a_base_resp_of_zero_is_no_error(server: ChatServer, service: Build) -> None:
    given = completion("Fine.")
    payload = json.loads(given.body) | {"base_resp": {"status_code": 0, "status_msg": ""}}
    server.will(raw(payload))

    assert (await service().generate_response("Hi")).content == "Fine."


@pytest.mark.parametrize(
    "body",
    [{"detail": "Not Found"}, {"error": "bare"}, [], {"object": "error", "message": "m"}, "text"],
)
async def test_every_spelling_of_an_error_body_is_survived(
    server: ChatServer, service: Build, body: object
) -> None:
    server.will(raw(body, status=422))

    assert type(await failure(service())) is LlmRefused
