"""Writes a conversation as one Chat Completions request."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from ..messages import (
    AssistantMessage,
    Message,
    SystemMessage,
    ToolCallRequest,
    ToolMessage,
    UserMessage,
)
from ..profiles import Profile

_VERSION_SEGMENT = re.compile(r"/v\d+(alpha|beta)?\d*(/|$)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """One request for one answer of at most `max_tokens` tokens."""

    model: str
    messages: Sequence[Message]
    tools: Sequence[Mapping[str, object]]
    max_tokens: int


def endpoint(base_url: str) -> str:
    """Return where requests go; `/v1` is added to a base that names no version itself."""
    base = base_url.rstrip("/")
    versioned = _VERSION_SEGMENT.search(urlsplit(base).path)
    return f"{base}/chat/completions" if versioned else f"{base}/v1/chat/completions"


def encode_order(order: Order, profile: Profile) -> bytes:
    """Return the request body.

    Raises:
        ValueError: A tool summary has no name, or a value is not JSON.
    """
    body: dict[str, object] = {
        "model": order.model,
        "messages": [_message(message, profile) for message in order.messages],
        profile.limit_field: order.max_tokens,
    }
    if order.tools:
        body["tools"] = [_tool(tool) for tool in order.tools]
        if profile.tool_choice:
            body["tool_choice"] = "auto"
    # a lone surrogate cannot be sent as UTF-8; it becomes a question mark
    text = json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8", "replace")


def _message(message: Message, profile: Profile) -> dict[str, object]:
    match message:
        case SystemMessage():
            return {"role": "system", "content": message.content}
        case UserMessage():
            return {"role": "user", "content": message.content}
        case ToolMessage():
            return {
                "role": "tool",
                "tool_call_id": message.tool_call_id,
                "content": message.content,
            }
        case AssistantMessage():
            return _assistant(message, profile)


def _assistant(message: AssistantMessage, profile: Profile) -> dict[str, object]:
    body: dict[str, object] = {}
    if not profile.standard_fields_only:
        body.update(message.extras)
        if message.refusal is not None:
            body["refusal"] = message.refusal
    body["role"] = "assistant"
    body["content"] = message.content
    if message.tool_calls:
        body["tool_calls"] = [_call(call, profile) for call in message.tool_calls]
    return body


def _call(call: ToolCallRequest, profile: Profile) -> dict[str, object]:
    extras = {} if profile.standard_fields_only else call.extras
    function = {"name": call.name, "arguments": call.arguments}
    return {**extras, "id": call.id, "type": "function", "function": function}


def _tool(summary: Mapping[str, object]) -> dict[str, object]:
    name = summary.get("name")
    if not isinstance(name, str) or not name:
        raise ValueError(f"a tool summary needs a name; found {name!r}")
    schema = summary.get("inputSchema")
    given = schema if isinstance(schema, Mapping) else {}
    function = {
        "name": name,
        "description": str(summary.get("description") or ""),
        "parameters": {"type": "object", "properties": {}, **given},
    }
    return {"type": "function", "function": function}
