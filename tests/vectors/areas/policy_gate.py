"""The policy gate: who may use which tool where, what a denial says, who is asked first."""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from comal_runtime import PolicyGate, ToolContext, ToolOptions
from comal_runtime.errors import BadDeclaration
from comal_runtime.policy import PolicyRule, Verdict
from comal_runtime.tools import Tool
from tests.vectors.areas import context_calls
from tests.vectors.areas.area import Facets, Ruling, first_difference
from tests.vectors.areas.gate_rules import (
    COMAL,
    COMAL_UNKNOWN,
    SWITCHES,
    Judged,
    Use,
    by_comal,
    by_original,
    deciding_line,
    is_refused,
    use_of,
)
from tests.vectors.areas.lines import decided, ruling
from tests.vectors.decisions import Decision
from tests.vectors.rows import Row
from tests.vectors.values import difference, shown

REFUSED: Final[Facets] = {"declared": "refused"}

_EFFECTS: Final = ("allow", "deny")
_LOG: Final = logging.getLogger("comal_runtime.policy")


def fits(given: dict[str, Any]) -> bool:
    """Tell whether a row holds one use of a tool, a context to make, or channels to look up."""
    if "op" in given:
        looks_up = "channelPolicy" in str(given["op"])
        return looks_up or context_calls.fits(str(given["op"]))
    return {"channel", "tool"} <= given.keys()


async def differs(row: Row, decision: Decision | None) -> str | None:
    """Run one row and compare verdict, wording, what the rules were asked and what was logged."""
    if "channels" in row.input:
        return _policies_differ(row.input["channels"], row.output["policies"])
    if "op" in row.input:
        return context_calls.differs(row, decision)
    right, line = _right(row)
    found, why = _used(row, right)
    return decided(decision, right, found, f"{why} (line {line})" if why and line else why)


def recorded(row: Row) -> Facets:
    """Read the recorded verdict, or the recorded context."""
    if "op" in row.input:
        return context_calls.recorded(row)
    return {"allowed": row.output["allowed"], "asks": row.output["requiresConfirmation"]}


def ruled(row: Row) -> Ruling | None:
    """Say what lines 16 to 21 decide."""
    if "channels" in row.input:
        return None
    if "op" in row.input:
        return context_calls.ruled(row)
    return ruling(recorded(row), *_right(row))


def _right(row: Row) -> tuple[Facets, str | None]:
    """Return what a use must give, and the line that makes it differ from the recorded."""
    use = use_of(row.input)
    if is_refused(use.policies):
        return REFUSED, "19"
    if use.rule is not None and use.rule.get("effect") not in _EFFECTS:
        return REFUSED, "16"
    right, original = by_comal(use), by_original(use)
    if (right.allowed, right.asks) == (original.allowed, original.asks):
        return recorded(row), None
    return {"allowed": right.allowed, "asks": right.asks}, deciding_line(use)


def _used(row: Row, right: Facets) -> tuple[Facets, str | None]:
    """Use a gate as the row says; return its verdict and the first difference."""
    use = use_of(row.input)
    with _warnings() as warned:
        try:
            rules = _Rules(row.input.get("rule"))
            verdict, asks = _asked(use, row.input.get("extra") or {}, rules)
        except (TypeError, BadDeclaration):
            return REFUSED, first_difference(right, REFUSED)
    found: Facets = {"allowed": verdict.allowed, "asks": asks}
    why = first_difference(right, found)
    return found, why or _wording(row, verdict, by_comal(use)) or _asides(row, use, rules, warned)


def _asked(use: Use, extra: dict[str, Any], rules: "_Rules") -> tuple[Verdict, bool]:
    gate = PolicyGate(rules)
    for channel, changes in use.policies.items():
        gate.set_channel_policy(channel, **changes)
    ctx = ToolContext(principal=use.principal, channel=use.channel, scopes=use.scopes, extra=extra)
    tool = Tool(
        name=use.tool["name"],
        description="",
        input_schema={},
        callback=lambda: None,
        options=ToolOptions(
            scopes=tuple(use.tool.get("scopes") or ()),
            mutating=bool(use.tool.get("mutating")),
            confirm=bool(use.tool.get("requiresConfirmation")),
        ),
    )
    return gate.authorize(ctx, tool), gate.requires_confirmation(ctx, tool)


def _wording(row: Row, verdict: Verdict, right: Judged) -> str | None:
    """Say what a reason lacks; the quoted wordings are compared whole, and with their record."""
    if right.check.startswith("rule") and not right.allowed:
        lacks = [part for part in right.says if part not in verdict.reason]
        return f"the reason {shown(verdict.reason)} does not name {lacks}" if lacks else None
    says = right.says[0] if right.says else ""
    if by_original(use_of(row.input)) == right and not _signature(row.output["reason"]):
        says = row.output["reason"] or ""
    return difference("the reason", says, verdict.reason)


def _signature(reason: str | None) -> bool:
    """Tell whether a reason is of the signatures that line 18 does not know."""
    return "takes consent as a signature" in (reason or "")


def _asides(row: Row, use: Use, rules: "_Rules", warned: list[str]) -> str | None:
    """Say what differs in whom the provider was asked about and what was logged."""
    right = by_comal(use)
    if "rule_lookup" in row.output:
        asked = right.check not in ("require_auth", "scopes")
        name, mutating = use.tool["name"], bool(use.tool.get("mutating"))
        lookup = [[use.channel, use.principal, name, mutating]] if asked else []
        told = row.output["rule_lookup"] if right == by_original(use) else lookup
        why = difference("what the rule provider was asked", lookup, rules.asked) or difference(
            "what it is said to have been asked", told, rules.asked
        )
        if why:
            return why
    unknown = use.channel not in COMAL and use.channel not in use.policies
    return difference("warnings of an unknown channel", int(unknown), len(warned))


class _Rules:
    """A provider of the row's one rule, which notes what it was asked."""

    def __init__(self, rule: dict[str, Any] | None) -> None:
        self.asked: list[list[Any]] = []
        self._rule = None if rule is None else rule_of(rule)

    def find(self, ctx: ToolContext, tool: Tool) -> PolicyRule | None:
        self.asked.append([ctx.channel, ctx.principal, tool.name, tool.options.mutating])
        return self._rule


def rule_of(rule: Mapping[str, Any]) -> PolicyRule:
    """Make a rule; BadDeclaration if its effect is none."""
    return PolicyRule(
        id=rule.get("id", ""),
        effect=rule["effect"],
        requires_scopes=tuple(rule.get("requiresScopes") or ()),
        description=str(rule.get("description") or ""),
    )


@contextmanager
def _warnings() -> Iterator[list[str]]:
    """Collect what the gate warns of."""
    warned: list[str] = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: warned.append(record.getMessage())  # type: ignore[method-assign]  # a list will do
    _LOG.addHandler(handler)
    try:
        yield warned
    finally:
        _LOG.removeHandler(handler)


def _policies_differ(channels: list[str], told: Mapping[str, Mapping[str, bool]]) -> str | None:
    """Compare the built-in policies with line 18, and with the record where it says the same.

    Of a terminal's policy the releases of the original say several things.
    """
    gate = PolicyGate()
    for channel in channels:
        right, found = COMAL.get(channel, COMAL_UNKNOWN), gate.channel_policy(channel)
        recorded = {} if channel in ("cli", "tui") else told.get(channel, {})
        for switch in sorted(SWITCHES):
            what, here = f"{switch} of channel {channel!r}", getattr(found, switch)
            why = difference(what, getattr(right, switch), here) or difference(
                what, recorded.get(switch, here), here
            )
            if why:
                return f"{why} (line 18)"
    return None
