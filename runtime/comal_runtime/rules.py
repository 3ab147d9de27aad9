"""Rules in a table: the first that fits a use decides. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final, Literal

from .consent.directory import Directory, Strangers, is_among
from .context import ToolContext
from .errors import BadDeclaration
from .globs import narrower
from .policy import PolicyRule
from .tools import Tool

_MAX_COMPILED: Final = 10_000  # uses whose rules are remembered; channels' names come from outside
_LISTS: Final = ("tools", "channels", "principals", "scopes")


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRule:
    """One line of a table.

    It fits a use when the tool's and the channel's name fit one of the patterns each, the caller is
    among `principals` (principals or `role:<name>`; none means everybody), and the tool changes
    something if `mutating_only`. An `allow` asks for one of `scopes`, if there are any.
    """

    id: str
    effect: Literal["allow", "deny"]
    tools: tuple[str, ...] = ("*",)
    channels: tuple[str, ...] = ("*",)
    principals: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    mutating_only: bool = False
    description: str = ""

    def __post_init__(self) -> None:
        for name in _LISTS:
            if isinstance(getattr(self, name), str):
                raise BadDeclaration(
                    f"rule {self.id!r}: {name} must be a list of names, not a text"
                )
        if not self.tools or not self.channels:
            raise BadDeclaration(f"rule {self.id!r} is about no tool or no channel; '*' means all")
        if self.effect == "deny" and self.scopes:
            raise BadDeclaration(
                f"rule {self.id!r} denies whoever it fits, so scopes would say nothing; "
                "an 'allow' asks for scopes"
            )

    def about(self, tool: Tool, channel: str) -> bool:
        """Tell whether it fits some caller's use of a tool on a channel."""
        if self.mutating_only and not tool.options.mutating:
            return False
        return _fits(tool.name, self.tools) and _fits(channel, self.channels)

    def covers(self, other: "TableRule") -> bool:
        """Tell whether this one fits all that `other` fits, as far as their patterns tell."""
        callers = not self.principals or (
            bool(other.principals) and set(other.principals) <= set(self.principals)
        )
        changes = not self.mutating_only or other.mutating_only
        return (
            callers
            and changes
            and _within(other.tools, self.tools)
            and _within(other.channels, self.channels)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Shadowed:
    """A rule that never decides, because `by`, which stands above it, always does."""

    rule: TableRule
    by: TableRule


class TableRules:
    """A `PolicyRuleProvider` over a table; what fits a tool on a channel is looked up once."""

    def __init__(self, rules: Sequence[TableRule], directory: Directory | None = None) -> None:
        self._rules = tuple(rules)
        self._directory = directory or Strangers()
        self._decisions = {rule.id: _decision(rule) for rule in self._rules}
        self._compiled: dict[tuple[str, str, bool], tuple[TableRule, ...]] = {}
        if len(self._decisions) < len(self._rules):
            raise BadDeclaration("two rules share an id; give each its own, denials name it")

    def find(self, ctx: ToolContext, tool: Tool) -> PolicyRule | None:
        """Return the decision of the first rule that fits."""
        for rule in self._about(tool, ctx.channel):
            if not rule.principals or is_among(rule.principals, ctx.principal, self._directory):
                return self._decisions[rule.id]
        return None

    def shadowed(self) -> list[Shadowed]:
        """Return the rules that can never decide."""
        found: list[Shadowed] = []
        for place, rule in enumerate(self._rules):
            by = next((above for above in self._rules[:place] if above.covers(rule)), None)
            if by is not None:
                found.append(Shadowed(rule=rule, by=by))
        return found

    def idle(self, tools: Sequence[Tool]) -> list[TableRule]:
        """Return the rules that are about none of these tools, on whatever channel."""
        return [
            rule
            for rule in self._rules
            if not any(rule.about(tool, channel) for tool in tools for channel in rule.channels)
        ]

    def _about(self, tool: Tool, channel: str) -> tuple[TableRule, ...]:
        use = (channel, tool.name, tool.options.mutating)
        rules = self._compiled.get(use)
        if rules is None:
            rules = tuple(rule for rule in self._rules if rule.about(tool, channel))
            if len(self._compiled) < _MAX_COMPILED:
                self._compiled[use] = rules
        return rules


def _decision(rule: TableRule) -> PolicyRule:
    return PolicyRule(
        id=rule.id,
        effect=rule.effect,
        requires_scopes=rule.scopes,
        description=rule.description,
    )


def _fits(name: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def _within(inner: Sequence[str], outer: Sequence[str]) -> bool:
    """Tell whether every name that fits `inner` surely fits `outer`."""
    return all(any(narrower(one, wide) for wide in outer) for one in inner)
