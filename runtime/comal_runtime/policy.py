"""Who may use which tool where: channel policies, scopes and rules. Pure; it only logs."""

import inspect
import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal, Protocol, TypedDict, Unpack

from .context import ToolContext
from .errors import BadDeclaration
from .redact import printable
from .tools import Tool
from .traces import log_fault

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelPolicy:
    """What a channel allows. `confirmation_ttl` is in seconds."""

    allow_all: bool = False
    require_auth: bool = False
    block_mutating: bool = False
    require_confirmation_for_mutating: bool = False
    confirmation_ttl: float = 60.0

    def __post_init__(self) -> None:
        for name in _SWITCHES:
            if not isinstance(getattr(self, name), bool):
                raise BadDeclaration(f"{name} must be true or false, not {getattr(self, name)!r}")
        if not self.confirmation_ttl > 0:
            raise BadDeclaration(
                f"confirmation_ttl must be above 0 seconds, not {self.confirmation_ttl!r}"
            )


class PolicyChanges(TypedDict, total=False):
    """The fields of `ChannelPolicy` that `set_channel_policy` may name."""

    allow_all: bool
    require_auth: bool
    block_mutating: bool
    require_confirmation_for_mutating: bool
    confirmation_ttl: float


_SWITCHES: Final = (
    "allow_all",
    "require_auth",
    "block_mutating",
    "require_confirmation_for_mutating",
)
_CLOSED: Final = ChannelPolicy(
    require_auth=True, block_mutating=True, require_confirmation_for_mutating=True
)
_BUILT_IN: Final[Mapping[str, ChannelPolicy]] = {
    "cli": ChannelPolicy(allow_all=True),
    "tui": ChannelPolicy(allow_all=True),
    "console": ChannelPolicy(allow_all=True, require_confirmation_for_mutating=True),
    "mcp": ChannelPolicy(require_auth=True),
    "web": ChannelPolicy(require_auth=True),
    "telegram": ChannelPolicy(require_auth=True, require_confirmation_for_mutating=True),
}
_MAX_WARNED: Final = 1_000

RULES_FAILED: Final = "rules_failed"
"""The check of a denial because the rules could not be asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyRule:
    """A rule about one use of a tool.

    An `allow` asks for one of `requires_scopes`, if there are any, and then overrides the
    channel's `block_mutating`; a `deny` denies everybody.
    """

    id: str | int
    effect: Literal["allow", "deny"]
    requires_scopes: tuple[str, ...] = ()
    description: str = ""

    def __post_init__(self) -> None:
        if self.effect not in ("allow", "deny"):
            raise BadDeclaration(f"effect must be 'allow' or 'deny', not {self.effect!r}")
        if isinstance(self.requires_scopes, str):
            raise BadDeclaration(
                f"requires_scopes must be a list of names, not the text {self.requires_scopes!r}"
            )


class PolicyRuleProvider(Protocol):
    """Where rules come from.

    It is asked on every call and never waits: what it takes from a database it keeps in memory.
    """

    def find(self, ctx: ToolContext, tool: Tool) -> PolicyRule | None:
        """Return the rule for this use, or None if no rule speaks of it."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Whether a call is let through; `check` names the check that decided, `rule` its rule."""

    allowed: bool
    reason: str = ""
    check: str = ""
    rule: str | int | None = None


class PolicyGate:
    """The deterministic gate: principal, scopes, rules, then the channel's policy."""

    def __init__(self, rule_provider: PolicyRuleProvider | None = None) -> None:
        if inspect.iscoroutinefunction(getattr(rule_provider, "find", None)):
            raise BadDeclaration(
                f"{type(rule_provider).__name__}.find must be a plain function: every call asks "
                "it, so it answers from memory"
            )
        self._rules = rule_provider
        self._policies = dict(_BUILT_IN)
        self._warned: set[str] = set()

    def has_rule_provider(self) -> bool:
        """Tell whether rules are asked at all."""
        return self._rules is not None

    def channel_policy(self, channel: str) -> ChannelPolicy:
        """Return the channel's policy; an unknown channel is closed and warned about once."""
        policy = self._policies.get(channel)
        if policy is not None:
            return policy
        if channel not in self._warned and len(self._warned) < _MAX_WARNED:
            self._warned.add(channel)
            log.warning("policy.unknown_channel", extra={"channel": printable(channel)})
        return _CLOSED

    def set_channel_policy(self, channel: str, **changes: Unpack[PolicyChanges]) -> None:
        """Change the named fields of the channel's policy and leave the others.

        Raises:
            TypeError: There is no such field.
        """
        self._policies[channel] = replace(self._policies.get(channel, _CLOSED), **changes)

    def requires_confirmation(self, ctx: ToolContext, tool: Tool) -> bool:
        """Tell whether the tool or its channel wants the requester's yes first."""
        if tool.options.confirm:
            return True
        policy = self.channel_policy(ctx.channel)
        return tool.options.mutating and policy.require_confirmation_for_mutating

    def authorize(self, ctx: ToolContext, tool: Tool) -> Verdict:
        """Decide whether this caller may use this tool here; the first denial wins."""
        policy = self.channel_policy(ctx.channel)
        if policy.require_auth and not (ctx.principal or "").strip():
            return _deny(
                "require_auth",
                f"channel {_quoted(ctx.channel)} requires an authenticated principal "
                "(require_auth) — none provided.",
            )
        if tool.options.scopes and not _holds(ctx, tool.options.scopes):
            return _deny(
                "scopes",
                f"Missing required scope for tool {_quoted(tool.name)}. "
                f"Need one of: {_listed(tool.options.scopes)} — "
                f"context has: {_listed(ctx.scopes)}.",
            )
        ruled = self._ruled(ctx, tool)
        if ruled is not None:
            return ruled
        if policy.block_mutating and tool.options.mutating and not policy.allow_all:
            return _deny(
                "block_mutating",
                f"Mutating tool {_quoted(tool.name)} is blocked on channel "
                f"{_quoted(ctx.channel)} (block_mutating policy).",
            )
        return Verdict(allowed=True, check="allow_all" if policy.allow_all else "channel")

    def _ruled(self, ctx: ToolContext, tool: Tool) -> Verdict | None:
        """Return what the rules say; a provider that cannot be asked says no."""
        if self._rules is None:
            return None
        try:
            rule = _a_rule(self._rules.find(ctx, tool))
        except Exception as error:  # another author's code may raise, or return, anything
            facts = {"provider": type(self._rules).__name__, "tool": tool.name}
            log_fault(log, "policy.rules_failed", error, {}, **facts)
            place = f"tool {_quoted(tool.name)} on channel {_quoted(ctx.channel)}"
            return _deny(RULES_FAILED, f"Denied: the policy rules for {place} cannot be read now.")
        return None if rule is None else _judge(rule, ctx, tool)


def _a_rule(found: object) -> PolicyRule | None:
    if found is None or isinstance(found, PolicyRule):
        return found
    if inspect.iscoroutine(found):
        found.close()
    raise TypeError(f"a rule provider found {type(found).__name__}, which is no PolicyRule")


def _judge(rule: PolicyRule, ctx: ToolContext, tool: Tool) -> Verdict:
    if rule.effect == "deny":
        place = f"tool {_quoted(tool.name)} on channel {_quoted(ctx.channel)}"
        why = f": {printable(rule.description)}" if rule.description else "."
        who = printable(ctx.principal or "none")
        reason = f"Denied by policy rule #{rule.id} for {place} (principal: {who}){why}"
        return Verdict(allowed=False, reason=reason, check="rule", rule=rule.id)
    if rule.requires_scopes and not _holds(ctx, rule.requires_scopes):
        return Verdict(
            allowed=False,
            check="rule",
            rule=rule.id,
            reason=f"Policy rule #{rule.id} for tool {_quoted(tool.name)} on channel "
            f"{_quoted(ctx.channel)} requires one of these scopes: "
            f"{_listed(rule.requires_scopes)} — context has: {_listed(ctx.scopes)}.",
        )
    return Verdict(allowed=True, check="rule", rule=rule.id)


def _deny(check: str, reason: str) -> Verdict:
    return Verdict(allowed=False, reason=reason, check=check)


def _holds(ctx: ToolContext, wanted: Iterable[str]) -> bool:
    return "*" in ctx.scopes or not set(ctx.scopes).isdisjoint(wanted)


def _listed(scopes: Iterable[str]) -> str:
    return ", ".join(printable(scope) for scope in scopes) or "(none)"


def _quoted(name: str) -> str:
    return f"'{printable(name)}'"
