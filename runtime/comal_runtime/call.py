"""A request before its tool is known, and a call after."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .context import ToolContext
from .record import Question
from .schema import CompiledSchema
from .tools import Tool

Arguments = Mapping[str, Any]
"""The arguments of one call; JSON-shaped, checked against the tool's schema by `validate`."""


class Unreadable(dict[str, Any]):
    """Arguments that raised when they were read; `fault` names what they raised."""

    __slots__ = ("fault",)

    def __init__(self, fault: str) -> None:
        super().__init__()
        self.fault = fault


@dataclass(slots=True)
class Trail:
    """Where a request stands and what was noted on the way; the one mutable thing of a call.

    `station` is the last one entered, `decision` overrides what the audit would derive from it,
    `recorded` is True once the audit record was stored with the act's end.
    """

    station: str = "resolve"
    decision: str | None = None
    question: str | None = None
    recorded: bool = False
    started: float = field(default_factory=time.perf_counter)

    def took_ms(self) -> float:
        """Return milliseconds since the request came in."""
        return round((time.perf_counter() - self.started) * 1000, 3)


@dataclass(frozen=True, slots=True)
class Registered:
    """A tool as the registry keeps it: what can be known beforehand is compiled once.

    `defaults` are the values its schema gives to arguments that are left out.
    """

    tool: Tool
    schema: CompiledSchema
    defaults: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Request:
    """What came in: nothing of it is checked."""

    name: str
    args: Arguments
    ctx: ToolContext
    confirm_token: object = field(default=None, repr=False)
    trail: Trail = field(default_factory=Trail)


@dataclass(frozen=True, slots=True)
class Call:
    """A request whose tool is known. `question` is the one it redeems, found and not yet used.

    `clamped` names each argument that was brought into its bounds: (old, new); `ignored` those that
    the tool does not take, which are left out of `args`.
    """

    request: Request
    registered: Registered
    args: Arguments
    question: Question | None = None
    clamped: Mapping[str, tuple[object, object]] = field(default_factory=dict)
    ignored: tuple[str, ...] = ()

    @property
    def tool(self) -> Tool:
        """The tool to run."""
        return self.registered.tool

    @property
    def ctx(self) -> ToolContext:
        """Who calls."""
        return self.request.ctx

    @property
    def is_act(self) -> bool:
        """Whether running it changes something, so that it is journalled as an act."""
        options = self.tool.options
        return self.question is not None or (options.mutating and not options.consent_only)
