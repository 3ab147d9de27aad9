"""A strict Chat Completions host on loopback: refuses what OpenAI refuses, answers a script."""

import asyncio
import contextlib
import json
import re
import socket
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

API_KEY = "sk-test-0123456789"
PATH = "/v1/chat/completions"
_ROLES = ("system", "assistant", "user", "function", "tool", "developer")
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_FIELDS = frozenset(
    {
        "model",
        "messages",
        "max_tokens",
        "max_completion_tokens",
        "tools",
        "tool_choice",
        "parallel_tool_calls",
        "response_format",
        "reasoning_effort",
        "stream",
        "stream_options",
        "temperature",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scripted:
    """One answer of the script, as bytes."""

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True, kw_only=True)
class ChatServer:
    """What was asked and what will be answered; `base_url` has no `/v1`."""

    base_url: str
    api_key: str = API_KEY
    script: list[Scripted] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)

    def will(self, *answers: Scripted) -> None:
        """Add `answers` to the script."""
        self.script.extend(answers)

    async def answer(self, request: Request) -> Response:
        """Refuse an illegal request, else give the script's next answer."""
        raw = await request.body()
        self.headers.append(dict(request.headers))
        if request.headers.get("authorization") != f"Bearer {self.api_key}":
            return self._refuse(401, "Incorrect API key provided.", code="invalid_api_key")
        try:
            body = json.loads(raw)
        except ValueError:
            return self._refuse(400, "We could not parse the JSON body of your request.")
        self.requests.append(body)
        problem = problem_of(body)
        if problem is not None:
            return self._refuse(400, problem)
        if not self.script:
            return self._refuse(418, "The script has no further answer.")
        given = self.script.pop(0)
        headers = {"content-type": "application/json", **given.headers}
        return Response(given.body, status_code=given.status, headers=headers)

    def _refuse(self, status: int, message: str, code: str | None = None) -> Response:
        self.refusals.append(message)
        given = fault(status, message, code=code)
        return Response(given.body, status_code=status, media_type="application/json")


def completion(
    content: object = "Hello.",
    *,
    calls: Sequence[Mapping[str, object]] | None = None,
    finish_reason: str = "stop",
    extras: Mapping[str, object] | None = None,
    usage: Mapping[str, object] | None = None,
) -> Scripted:
    """A normal answer; `calls` are wire tool calls, `extras` more fields of the message."""
    message = {"role": "assistant", "content": content, "refusal": None, **(extras or {})}
    if calls is not None:
        message["tool_calls"] = list(calls)
    payload = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "choices": [{"index": 0, "message": message, "finish_reason": finish_reason}],
        "usage": usage or {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
    }
    return raw(payload)


def wire_call(name: str, arguments: object = "{}", **fields: object) -> dict[str, object]:
    """One tool call on the wire; `fields` replace or add to its own."""
    function = {"name": name, "arguments": arguments}
    return {"id": "call_a", "type": "function", "function": function, **fields}


def fault(
    status: int,
    message: str = "Something is wrong.",
    *,
    code: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> Scripted:
    """An error in OpenAI's shape."""
    kind = "invalid_request_error" if status < 500 else "server_error"
    error = {"message": message, "type": kind, "param": None, "code": code}
    return raw({"error": error}, status=status, headers=headers)


def raw(
    payload: object, *, status: int = 200, headers: Mapping[str, str] | None = None
) -> Scripted:
    """Any answer: bytes as they are, anything else as JSON."""
    body = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    return Scripted(body=body, status=status, headers=headers or {})


@contextlib.asynccontextmanager
async def chat_server(api_key: str = API_KEY) -> AsyncIterator[ChatServer]:
    """Serve on a free loopback port while the block runs."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = ChatServer(base_url=f"http://127.0.0.1:{listener.getsockname()[1]}", api_key=api_key)
    app = Starlette(routes=[Route(PATH, server.answer, methods=["POST"])])
    config = uvicorn.Config(app, log_config=None, lifespan="off", ws="none", access_log=False)
    host = _Quiet(config)
    serving = asyncio.create_task(host.serve(sockets=[listener]))
    try:
        yield server
    finally:
        host.should_exit = True
        await serving
        listener.close()


class _Quiet(uvicorn.Server):
    """A server that leaves the process's signals alone."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def problem_of(body: Any) -> str | None:
    """Say in OpenAI's words what is wrong with a request; None if nothing is."""
    if not isinstance(body, dict):
        return "Invalid body: expected an object."
    unknown = next((name for name in body if name not in _FIELDS), None)
    if unknown is not None:
        return f"Unrecognized request argument supplied: {unknown}"
    if not isinstance(body.get("model"), str) or not body["model"]:
        return "you must provide a model parameter"
    return _limit_problem(body) or _tools_problem(body) or _messages_problem(body.get("messages"))


def _limit_problem(body: dict[str, Any]) -> str | None:
    given = [name for name in ("max_tokens", "max_completion_tokens") if name in body]
    if len(given) == 2:
        return "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported."
    for name in given:
        if type(body[name]) is not int or body[name] < 1:
            return f"Invalid '{name}': integer below minimum value."
    return None


def _tools_problem(body: dict[str, Any]) -> str | None:
    if "tools" not in body:
        chosen = "tool_choice" in body
        return "'tool_choice' is only allowed when 'tools' are specified." if chosen else None
    if not isinstance(body["tools"], list) or not body["tools"]:
        return "Invalid 'tools': empty array. Expected an array with minimum length 1."
    for index, tool in enumerate(body["tools"]):
        function = tool.get("function", {}) if tool.get("type") == "function" else {}
        if not _NAME.fullmatch(function.get("name", "")):
            return f"Invalid 'tools[{index}].function.name': string does not match pattern."
        schema = function.get("parameters", {"type": "object", "properties": {}})
        if schema.get("type") != "object" or "properties" not in schema:
            return f"Invalid schema for function '{function['name']}': object schema expected."
    return None


def _messages_problem(messages: Any) -> str | None:
    if not isinstance(messages, list) or not messages:
        return "Invalid 'messages': empty array. Expected an array with minimum length 1."
    waiting: list[str] = []
    for index, message in enumerate(messages):
        role = message.get("role")
        if role not in _ROLES:
            supported = ", ".join(f"'{known}'" for known in _ROLES)
            return f"Invalid value: '{role}'. Supported values are: {supported}."
        if role == "tool":
            if message.get("tool_call_id") not in waiting:
                return (
                    "Invalid parameter: messages with role 'tool' must be a response to a "
                    "preceeding message with 'tool_calls'."
                )
            waiting.remove(message["tool_call_id"])
        elif waiting:
            return _unanswered(waiting)
        problem = _content_problem(index, message) or _calls_problem(index, message)
        if problem is not None:
            return problem
        waiting += [call["id"] for call in message.get("tool_calls", [])]
    return _unanswered(waiting) if waiting else None


def _unanswered(waiting: list[str]) -> str:
    return (
        "An assistant message with 'tool_calls' must be followed by tool messages responding to "
        "each 'tool_call_id'. The following tool_call_ids did not have response messages: "
        + ", ".join(waiting)
    )


def _content_problem(index: int, message: dict[str, Any]) -> str | None:
    content = message.get("content")
    nothing = content is None and message["role"] == "assistant" and "tool_calls" in message
    if isinstance(content, str | list) or nothing:
        return None
    kind = "null" if content is None else type(content).__name__
    return f"Invalid value for 'messages[{index}].content': expected a string or array, got {kind}."


def _calls_problem(index: int, message: dict[str, Any]) -> str | None:
    where = f"messages[{index}].tool_calls"
    if "tool_calls" not in message:
        return None
    if message["role"] != "assistant" or not message["tool_calls"]:
        return f"Invalid '{where}': empty array, or not an assistant message."
    for call in message["tool_calls"]:
        function = call.get("function", {})
        if call.get("type") != "function" or not call.get("id"):
            return f"Missing required parameter: '{where}[0].id' or '.type'."
        try:
            parsed = json.loads(function.get("arguments"))
        except (TypeError, ValueError):
            parsed = None
        if not function.get("name") or not isinstance(parsed, dict):
            return f"Invalid '{where}': arguments must be the text of a JSON object."
    return None
