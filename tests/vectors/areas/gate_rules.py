"""Lines 16 to 19: the gate's verdict by the original's policies and by this project's.

The two tables are all that differs: where both give one verdict the recorded value is right.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

AUTH: Final = (
    "channel '{channel}' requires an authenticated principal (require_auth) — none provided."
)
SCOPES: Final = (
    "Missing required scope for tool '{tool}'. Need one of: {wanted} — context has: {held}."
)
BLOCK: Final = "Mutating tool '{tool}' is blocked on channel '{channel}' (block_mutating policy)."


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The switches of a channel."""

    allow_all: bool = False
    require_auth: bool = False
    block_mutating: bool = False
    require_confirmation_for_mutating: bool = False


SWITCHES: Final = frozenset(field.name for field in fields(Policy))

ORIGINAL: Final[Mapping[str, Policy]] = {
    "cli": Policy(allow_all=True),
    "mcp": Policy(require_auth=True),
    "web": Policy(require_auth=True),
    "telegram": Policy(require_confirmation_for_mutating=True),
}
ORIGINAL_UNKNOWN: Final = Policy(require_auth=True)

COMAL: Final[Mapping[str, Policy]] = {  # line 18
    "cli": Policy(allow_all=True),
    "tui": Policy(allow_all=True),
    "console": Policy(allow_all=True, require_confirmation_for_mutating=True),
    "mcp": Policy(require_auth=True),
    "web": Policy(require_auth=True),
    "telegram": Policy(require_auth=True, require_confirmation_for_mutating=True),
}
COMAL_UNKNOWN: Final = Policy(
    require_auth=True, block_mutating=True, require_confirmation_for_mutating=True
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """One use of a tool: who, where, which, under which custom policies and which rule."""

    channel: str
    principal: str | None
    scopes: tuple[str, ...]
    tool: Mapping[str, Any]
    policies: Mapping[str, Any]
    rule: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The verdict: the check that decided, what its reason says, and whether a yes is needed."""

    allowed: bool
    check: str
    says: tuple[str, ...]
    asks: bool


def use_of(given: Mapping[str, Any]) -> Use:
    """Read a use from a row of the gate."""
    return Use(
        channel=given["channel"],
        principal=given.get("principal"),
        scopes=tuple(given.get("scopes") or ()),
        tool=given["tool"],
        policies=given.get("policies") or {},
        rule=given.get("rule"),
    )


def is_refused(policies: Mapping[str, Any]) -> bool:
    """Tell whether custom policies name what no policy has, or hold no booleans (line 19)."""
    return any(
        name not in SWITCHES or not isinstance(value, bool)
        for changes in policies.values()
        for name, value in (changes or {}).items()
    )


def by_original(use: Use) -> Judged:
    """Judge a use as the original does: a custom policy replaces, blanks are somebody."""
    custom = use.policies.get(use.channel)
    if custom is None:
        policy = ORIGINAL.get(use.channel, ORIGINAL_UNKNOWN)
    else:
        policy = Policy(**{name: bool(custom.get(name)) for name in SWITCHES})
    return _judge(use, policy, nobody=not use.principal)


def by_comal(use: Use) -> Judged:
    """Judge a use by lines 16 to 19: a custom policy changes what it names, blanks are nobody."""
    known = COMAL.get(use.channel, COMAL_UNKNOWN)
    custom = use.policies.get(use.channel) or {}
    switches = {name: custom.get(name, getattr(known, name)) for name in SWITCHES}
    return _judge(use, Policy(**switches), nobody=not (use.principal or "").strip())


def deciding_line(use: Use) -> str:
    """Name the line of the contract by which the two verdicts differ."""
    if use.policies.get(use.channel) is not None:
        return "19"
    blank = bool(use.principal) and not (use.principal or "").strip()
    return "16" if blank else "18"


def _judge(use: Use, policy: Policy, *, nobody: bool) -> Judged:
    tool, name = use.tool, use.tool["name"]
    asks = bool(tool.get("requiresConfirmation")) or (
        bool(tool.get("mutating")) and policy.require_confirmation_for_mutating
    )
    if policy.require_auth and nobody:
        said = AUTH.format(channel=use.channel)
        return Judged(allowed=False, check="require_auth", says=(said,), asks=asks)
    wanted = tuple(tool.get("scopes") or ())
    if wanted and not _holds(use, wanted):
        said = SCOPES.format(
            tool=name, wanted=", ".join(wanted), held=", ".join(use.scopes) or "(none)"
        )
        return Judged(allowed=False, check="scopes", says=(said,), asks=asks)
    if use.rule is not None:
        return _by_rule(use, use.rule, asks)
    if policy.block_mutating and tool.get("mutating") and not policy.allow_all:
        said = BLOCK.format(tool=name, channel=use.channel)
        return Judged(allowed=False, check="block_mutating", says=(said,), asks=asks)
    return Judged(allowed=True, check="channel", says=(), asks=asks)


def _by_rule(use: Use, rule: Mapping[str, Any], asks: bool) -> Judged:
    """Judge by a rule; a denial names rule, tool and channel (line 17)."""
    wanted = tuple(rule.get("requiresScopes") or ())
    named = (f"#{rule.get('id', '')}", f"'{use.tool['name']}'", f"'{use.channel}'")
    if rule["effect"] != "allow":
        said = (*named, str(rule.get("description") or ""))
        return Judged(allowed=False, check="rule", says=said, asks=asks)
    if wanted and not _holds(use, wanted):
        said = (*named, ", ".join(wanted))
        return Judged(allowed=False, check="rule scopes", says=said, asks=asks)
    return Judged(allowed=True, check="rule", says=(), asks=asks)


def _holds(use: Use, wanted: tuple[str, ...]) -> bool:
    return "*" in use.scopes or not set(use.scopes).isdisjoint(wanted)
