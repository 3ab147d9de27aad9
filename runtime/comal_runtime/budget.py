"""What tools cost of a model's window, and which of them fit into their share."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from .tools import Tool
from .windows import DEFAULT_WINDOW, model_window

__all__ = [
    "DEFAULT_WINDOW",
    "TokenCounter",
    "ToolBudget",
    "estimate_tokens",
    "model_window",
    "safe_tokens",
    "tool_share",
    "tool_tokens",
    "within_budget",
]

_SHARE: Final = (3, 10)  # the tools' part of the window
_BYTES: Final = 4  # of UTF-8 to a token, as English text has them
_SAFE_BYTES: Final = 2  # of UTF-8 to a token, as no text in use goes below
_TOLD: Final = ("name", "description", "inputSchema")
"""What of a summary a model is told."""


class TokenCounter(Protocol):
    """Counts as one model's own tokenizer does."""

    def count(self, text: str) -> int:
        """Return the tokens of a text."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolBudget:
    """Which tools fit a model; counts in tokens.

    `included` and `excluded` are names, in the order they were considered; `tools` are the
    included ones themselves.
    """

    model: str
    share: int
    spent: int
    tools: tuple[Tool, ...]
    excluded: tuple[str, ...]

    @property
    def included(self) -> tuple[str, ...]:
        """The names of the tools that fit."""
        return tuple(tool.name for tool in self.tools)


def estimate_tokens(text: str) -> int:
    """Estimate a text's tokens: its bytes by four, rounded up; dear scripts are estimated low."""
    return _parts(text, _BYTES)


def safe_tokens(text: str, counter: TokenCounter | None = None) -> int:
    """Return the tokens to reckon with where a request must fit: counted, else bytes by two."""
    return _parts(text, _SAFE_BYTES) if counter is None else counter.count(text)


def tool_tokens(summary: Mapping[str, Any]) -> int:
    """Estimate what a tool costs: its name, description and schema as compact JSON.

    What JSON cannot hold is counted as it prints: nothing is free.
    """
    told = {key: summary[key] for key in _TOLD if key in summary}
    try:
        text = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    except (TypeError, ValueError):
        text = repr(told)
    return estimate_tokens(text)


def tool_share(model: str, default: int | None = None) -> int:
    """Return the tokens that tools may take of a model; `default` as in `model_window`."""
    part, whole = _SHARE
    return model_window(model, default) * part // whole


def within_budget(
    tools: Sequence[Tool],
    model: str,
    priority: Sequence[str] | None = None,
    default: int | None = None,
) -> ToolBudget:
    """Take tools while the model's share lasts; one that does not fit leaves room for others.

    Args:
        priority: Names to consider first, in this order; unknown ones are passed over. The others
            follow in the order of `tools`.
        default: As in `model_window`.
    """
    share = tool_share(model, default)
    taken, excluded, spent = [], [], 0
    for tool in _ordered(tools, priority or ()):
        cost = tool_tokens(_told(tool))
        if spent + cost <= share:
            taken.append(tool)
            spent += cost
        else:
            excluded.append(tool.name)
    return ToolBudget(
        model=model, share=share, spent=spent, tools=tuple(taken), excluded=tuple(excluded)
    )


def _ordered(tools: Sequence[Tool], priority: Sequence[str]) -> list[Tool]:
    by_name = {tool.name: tool for tool in tools}
    first = [by_name[name] for name in dict.fromkeys(priority) if name in by_name]
    return [*first, *(tool for tool in tools if tool.name not in priority)]


def _told(tool: Tool) -> dict[str, Any]:
    return {
        "name": tool.name,
        "description": tool.description,
        "inputSchema": tool.input_schema,
    }


def _parts(text: str, size: int) -> int:
    return -(-len(text.encode("utf-8", "surrogatepass")) // size)
