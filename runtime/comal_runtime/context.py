"""Who calls, from where and with what rights: the frozen context of one call."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

Origin = Literal["human", "model", "service"]
Mode = Literal["execute", "plan"]

_NO_EXTRA: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Consent:
    """A host's word that a question was answered yes; checked against the record, usable once.

    `args_digest` is the digest of the canonical arguments the question holds.
    """

    question_id: str = field(repr=False)
    tool: str
    args_digest: str
    principal: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CallKey:
    """Where in a turn a call stands; makes its question and its act unique."""

    turn: str
    step: int
    index: int

    def __str__(self) -> str:
        return f"{self.turn}/{self.step}/{self.index}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolContext:
    """The caller of a tool: identity, channel, rights and mode.

    `principal` is `<channel>:<user id>` such as `telegram:42`, or None for nobody.
    `conversation` is the internal id of the chat the call belongs to. `extra` is the host's own,
    JSON-shaped, and entitles to nothing. `result_budget` is the characters a reader has room for.
    `repeats` names the act of unknown outcome that the call does again; such a call always asks.
    """

    principal: str | None = None
    channel: str = "cli"
    scopes: tuple[str, ...] = ()
    request_id: str = ""
    conversation: str | None = None
    origin: Origin = "human"
    ip: str | None = None
    user_agent: str | None = None
    extra: Mapping[str, Any] = field(default_factory=lambda: _NO_EXTRA)
    mode: Mode = "execute"
    result_budget: int | None = None
    consent: Consent | None = field(default=None, repr=False)
    call_key: CallKey | None = None
    idempotency_key: str | None = None
    repeats: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.mode not in ("execute", "plan"):
            raise ValueError(f"mode must be 'execute' or 'plan', not {self.mode!r}")
        if self.origin not in ("human", "model", "service"):
            raise ValueError(f"origin must be 'human', 'model' or 'service', not {self.origin!r}")
        if type(self.scopes) is not tuple:
            object.__setattr__(self, "scopes", _listed(self.scopes))
        if not self.request_id:
            object.__setattr__(self, "request_id", os.urandom(6).hex())

    def as_plan(self) -> "ToolContext":
        """Return this context asking for the plan only."""
        return replace(self, mode="plan")

    @classmethod
    def cli(cls, *, principal: str | None = None, scopes: tuple[str, ...] = ()) -> "ToolContext":
        """Describe a caller at a terminal or in code."""
        return cls(principal=principal, channel="cli", scopes=scopes)

    @classmethod
    def tui(cls, *, principal: str | None = None, scopes: tuple[str, ...] = ()) -> "ToolContext":
        """Describe a caller in a full-screen terminal program."""
        return cls(principal=principal, channel="tui", scopes=scopes)

    @classmethod
    def console(cls, principal: str, scopes: tuple[str, ...] = ()) -> "ToolContext":
        """Describe a person chatting on a terminal."""
        return cls(principal=principal, channel="console", scopes=scopes)

    @classmethod
    def mcp(cls, request_id: str, principal: str, scopes: tuple[str, ...]) -> "ToolContext":
        """Describe an MCP client; principal and scopes must both be given."""
        return cls(
            principal=principal,
            channel="mcp",
            scopes=scopes,
            request_id=request_id,
            origin="service",
        )

    @classmethod
    def stdio(cls, request_id: str) -> "ToolContext":
        """Describe the process that owns our standard streams, trusted with everything."""
        return cls.mcp(request_id, "stdio", ("*",))

    @classmethod
    def telegram(
        cls, chat_id: int, user_id: int | None, scopes: tuple[str, ...] = ()
    ) -> "ToolContext":
        """Describe a Telegram sender; without a person there is no principal."""
        principal = None if user_id is None else f"telegram:{user_id}"
        return cls(
            principal=principal,
            channel="telegram",
            scopes=scopes,
            conversation=f"telegram:{chat_id}",
        )

    @classmethod
    def web(cls, principal: str, scopes: tuple[str, ...]) -> "ToolContext":
        """Describe a signed-in web visitor with exactly the verified scopes."""
        return cls(principal=principal, channel="web", scopes=scopes)


def _listed(scopes: object) -> tuple[str, ...]:
    """Return scopes as a tuple; a bare text would grant each of its letters."""
    if isinstance(scopes, str) or not isinstance(scopes, Iterable):
        raise ValueError(f"scopes must be a list of names, not {scopes!r}")
    return tuple(scopes)
