"""Reads a Chat Completions answer, in the spellings that hosts use."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ..messages import AssistantMessage, ToolCallRequest, Usage

_TRUNCATED = frozenset({"length", "max_tokens", "model_length"})
# what a message says only on its way out, or what we hold in fields of our own
_NOT_EXTRAS = frozenset(
    {"role", "content", "tool_calls", "refusal", "annotations", "audio", "function_call"}
)
_NOT_CALL_EXTRAS = frozenset({"id", "type", "function", "index"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The one answer of a payload, unread; `stop_reason` is the provider's own word."""

    message: Mapping[str, object]
    stop_reason: str

    @property
    def truncated(self) -> bool:
        """Whether the output limit cut the answer off."""
        return self.stop_reason in _TRUNCATED

    @property
    def filtered(self) -> bool:
        """Whether the provider's filter withheld the answer."""
        return self.stop_reason == "content_filter"


def read_usage(payload: Mapping[str, object]) -> Usage | None:
    """Return what the answer cost, or None if the host does not say."""
    usage = payload.get("usage")
    if not isinstance(usage, dict):
        return None
    return Usage(
        input_tokens=_count(usage, "prompt_tokens"),
        output_tokens=_count(usage, "completion_tokens"),
        cached_tokens=_count(usage.get("prompt_tokens_details"), "cached_tokens"),
        reasoning_tokens=_count(usage.get("completion_tokens_details"), "reasoning_tokens"),
    )


def read_choice(payload: Mapping[str, object]) -> Choice:
    """Return the first choice.

    Raises:
        ValueError: There is none, or it holds no message; the text says which.
    """
    choices = payload.get("choices")
    if not isinstance(choices, list) or not choices:
        raise ValueError("it holds no choices")
    first = choices[0]
    message = first.get("message") if isinstance(first, dict) else None
    if not isinstance(message, dict):
        raise ValueError("its first choice holds no message")
    reason = first.get("finish_reason")
    return Choice(message=message, stop_reason=reason.lower() if isinstance(reason, str) else "")


def read_message(choice: Choice, new_id: Callable[[], str]) -> AssistantMessage:
    """Return the answer as our message; calls without an id of their own get `new_id()`.

    Raises:
        ValueError: A call names no function, or content has an unknown shape.
    """
    message = choice.message
    content = message.get("content")
    refusal = message.get("refusal") or _part(content, "refusal")
    return AssistantMessage(
        content=_content(content),
        tool_calls=_calls(message.get("tool_calls"), new_id),
        refusal=refusal if isinstance(refusal, str) else None,
        extras=_others(message, _NOT_EXTRAS),
    )


def _content(content: object) -> str | None:
    if content is None or isinstance(content, str):
        return content
    if isinstance(content, list):
        return _part(content, "text")
    raise ValueError(f"its content is {type(content).__name__}")


def _part(content: object, key: str) -> str | None:
    """Join what `key` holds in the content parts of that kind; None if there are none."""
    if not isinstance(content, list):
        return None
    parts = [part.get(key) for part in content if isinstance(part, dict)]
    texts = [text for text in parts if isinstance(text, str)]
    return "".join(texts) if texts else None


def _calls(value: object, new_id: Callable[[], str]) -> tuple[ToolCallRequest, ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise ValueError(f"its tool_calls are {type(value).__name__}")
    calls: list[ToolCallRequest] = []
    for item in value:
        call = _call(item, new_id)
        if any(call.id == earlier.id for earlier in calls):
            call = _call({**item, "id": None}, new_id)
        calls.append(call)
    return tuple(calls)


def _call(item: object, new_id: Callable[[], str]) -> ToolCallRequest:
    function = item.get("function") if isinstance(item, dict) else None
    name = function.get("name") if isinstance(function, dict) else None
    if not isinstance(item, dict) or not isinstance(function, dict):
        raise ValueError("a tool call holds no function")
    if not isinstance(name, str) or not name:
        raise ValueError("a tool call names no function")
    given = item.get("id")
    return ToolCallRequest(
        id=given if isinstance(given, str) and given else new_id(),
        name=name,
        arguments=_arguments(function.get("arguments")),
        extras=_others(item, _NOT_CALL_EXTRAS),
    )


def _arguments(value: object) -> str:
    """Return arguments as text; whether it is an object's is for `ToolCallRequest` to judge."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _others(fields: Mapping[str, object], known: frozenset[str]) -> dict[str, object]:
    return {
        name: value for name, value in fields.items() if name not in known and value is not None
    }


def _count(fields: object, name: str) -> int:
    value = fields.get(name) if isinstance(fields, dict) else None
    return value if isinstance(value, int) and value > 0 else 0
