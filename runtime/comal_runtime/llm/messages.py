"""The neutral conversation: frozen messages, and their JSON for storing."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from .arguments import object_text

Extras = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallRequest:
    """One call a model asks for; `arguments` is always the text of a JSON object.

    `malformed` is what the model wrote where that was no object; `arguments` is then `{}` and the
    call must be answered with an error, not run. `extras` are the provider's own fields.
    """

    id: str
    name: str
    arguments: str = "{}"
    malformed: str | None = None
    extras: Extras = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        text = object_text(self.arguments)
        if text is None and self.malformed is None:
            object.__setattr__(self, "malformed", self.arguments)
        object.__setattr__(self, "arguments", text if text is not None else "{}")

    def parsed(self) -> dict[str, object]:
        """Return the arguments as values."""
        values: dict[str, object] = json.loads(self.arguments)
        return values


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemMessage:
    """What the host tells the model."""

    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UserMessage:
    """What a person, or a host event, tells the model."""

    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolMessage:
    """The answer to one call, as the model reads it."""

    tool_call_id: str
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistantMessage:
    """What a model answered; `content` is None only beside tool calls.

    `refusal` is the model's own no. `extras` are the provider's fields (`reasoning_content`, ...),
    sent back as they came.
    """

    content: str | None = None
    tool_calls: tuple[ToolCallRequest, ...] = ()
    refusal: str | None = None
    extras: Extras = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if self.content is None and not self.tool_calls:
            object.__setattr__(self, "content", "")


Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens one answer cost. `cached_tokens` are part of the input, reasoning of the output."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    reasoning_tokens: int = 0


def message_to_json(message: Message) -> dict[str, object]:
    """Return `message` as JSON values that `message_from_json` reads back to an equal message."""
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
            return {
                "role": "assistant",
                "content": message.content,
                "tool_calls": [_call_to_json(call) for call in message.tool_calls],
                "refusal": message.refusal,
                "extras": dict(message.extras),
            }


def message_from_json(value: object) -> Message:
    """Return the message that `message_to_json` wrote.

    Raises:
        ValueError: `value` is not such a message.
    """
    fields = _object(value)
    match fields.get("role"):
        case "system":
            return SystemMessage(content=_text(fields, "content"))
        case "user":
            return UserMessage(content=_text(fields, "content"))
        case "tool":
            return ToolMessage(
                tool_call_id=_text(fields, "tool_call_id"), content=_text(fields, "content")
            )
        case "assistant":
            return AssistantMessage(
                content=_maybe_text(fields, "content"),
                tool_calls=tuple(_call_from_json(call) for call in _calls(fields)),
                refusal=_maybe_text(fields, "refusal"),
                extras=_object(fields.get("extras", {})),
            )
        case role:
            raise ValueError(
                f"a stored message has role {role!r}; known: system, user, assistant, tool"
            )


def _call_to_json(call: ToolCallRequest) -> dict[str, object]:
    return {
        "id": call.id,
        "name": call.name,
        "arguments": call.arguments,
        "malformed": call.malformed,
        "extras": dict(call.extras),
    }


def _call_from_json(value: object) -> ToolCallRequest:
    fields = _object(value)
    return ToolCallRequest(
        id=_text(fields, "id"),
        name=_text(fields, "name"),
        arguments=_text(fields, "arguments"),
        malformed=_maybe_text(fields, "malformed"),
        extras=_object(fields.get("extras", {})),
    )


def _calls(fields: Mapping[str, object]) -> Sequence[object]:
    calls = fields.get("tool_calls", [])
    if not isinstance(calls, list):
        raise ValueError(f"'tool_calls' of a stored message is {type(calls).__name__}, not a list")
    return calls


def _object(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise ValueError(f"a stored message holds {type(value).__name__} where an object belongs")
    return value


def _maybe_text(fields: Mapping[str, object], name: str) -> str | None:
    return None if fields.get(name) is None else _text(fields, name)


def _text(fields: Mapping[str, object], name: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str):
        raise ValueError(f"{name!r} of a stored message is {type(value).__name__}, not text")
    return value
