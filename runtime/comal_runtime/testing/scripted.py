"""A model that answers by rules, from the conversation alone."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from comal_runtime.llm import (
    AssistantMessage,
    Message,
    SystemMessage,
    ToolCallRequest,
    ToolMessage,
    ToolSummary,
    UserMessage,
)
from comal_runtime.llm.service import check_max_tokens

Reply = AssistantMessage | str | Sequence[tuple[str, Mapping[str, object]]]
"""A whole message, a text, or calls as (tool name, arguments)."""

Respond = Callable[[re.Match[str], Sequence[ToolSummary], Sequence[Message]], Reply]
Answered = Sequence[tuple[ToolCallRequest, str]]
Conclude = Callable[[Answered], Reply]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What to answer where `pattern` is found in the last user text; case does not matter."""

    pattern: str
    reply: Respond


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request as the model saw it."""

    prompt: str
    tools: tuple[ToolSummary, ...]
    messages: tuple[Message, ...]
    max_tokens: int


def plain_words(answered: Answered) -> str:
    """Say what each tool answered, a line each."""
    return "\n".join(f"{call.name}: {_said(content)}" for call, content in answered)


class ScriptedModel:
    """`LlmServiceInterface` without a model: the first rule that matches answers.

    After tool results `conclude` words the answer. Nothing is remembered between requests, so a new
    process with the same rules continues any conversation; `requests` is for tests to read.
    """

    def __init__(
        self,
        rules: Sequence[Rule] = (),
        *,
        default: Reply = "I have no answer to that.",
        conclude: Conclude = plain_words,
    ) -> None:
        self.requests: list[Asked] = []
        self._rules = tuple((re.compile(r.pattern, re.IGNORECASE), r.reply) for r in rules)
        self._default = default
        self._conclude = conclude

    async def generate_response(
        self,
        prompt: str,
        tools: Sequence[ToolSummary] = (),
        messages: Sequence[Message] = (),
        max_tokens: int = 4096,
    ) -> AssistantMessage:
        """Return the scripted next message."""
        check_max_tokens(max_tokens)
        seen = tuple(messages) or (UserMessage(content=prompt),)
        self.requests.append(
            Asked(prompt=prompt, tools=tuple(tools), messages=seen, max_tokens=max_tokens)
        )
        answered = _just_answered(seen)
        reply = self._conclude(answered) if answered else self._respond(tools, seen)
        return _as_message(reply, step=len(seen))

    def _respond(self, tools: Sequence[ToolSummary], messages: Sequence[Message]) -> Reply:
        text = next((m.content for m in reversed(messages) if isinstance(m, UserMessage)), "")
        for pattern, reply in self._rules:
            match = pattern.search(text)
            if match is not None:
                return reply(match, tools, messages)
        return self._default


def _just_answered(messages: Sequence[Message]) -> list[tuple[ToolCallRequest, str]]:
    """Pair the tool results the conversation ends with and their calls; system texts aside."""
    contents: dict[str, str] = {}
    for message in reversed(messages):
        match message:
            case SystemMessage():
                continue
            case ToolMessage():
                contents[message.tool_call_id] = message.content
            case AssistantMessage():
                calls = message.tool_calls
                return [(call, contents[call.id]) for call in calls if call.id in contents]
            case UserMessage():
                return []
    return []


def _as_message(reply: Reply, *, step: int) -> AssistantMessage:
    if isinstance(reply, AssistantMessage):
        return reply
    if isinstance(reply, str):
        return AssistantMessage(content=reply)
    calls = tuple(
        ToolCallRequest(id=f"call_{step}_{index}", name=name, arguments=json.dumps(arguments))
        for index, (name, arguments) in enumerate(reply)
    )
    return AssistantMessage(tool_calls=calls)


def _said(content: str) -> str:
    """Find the sentence in a tool's answer: its own, its error, else the value as text."""
    try:
        answer: object = json.loads(content)
    except ValueError:
        return content
    if not isinstance(answer, dict):
        return str(answer)
    for name in ("error", "message", "summary"):
        if isinstance(answer.get(name), str) and answer[name]:
            return str(answer[name])
    data = answer.get("data", answer)
    return data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
