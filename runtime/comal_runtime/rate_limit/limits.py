"""Which budgets a call is charged to. Pure: it counts nothing."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from types import MappingProxyType
from typing import Final

from ..context import ToolContext
from ..errors import check_kind
from ..redact import printable
from ..tools import Tool
from .budgets import DEFAULT_LIMIT, UNLIMITED, Charge, Limit

COST_MUTATING: Final = 5
COST_READING: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits in force; each caller has budgets of their own.

    Every (channel, caller, tool) has one budget, and its limit is the most specific there is: that
    of the first pattern in `tools` that fits the tool's name, else the channel's, else `default`.
    `principal` is on top of it: what one caller may spend in all, on every tool and channel.
    """

    default: Limit = DEFAULT_LIMIT
    channels: Mapping[str, Limit] = field(default_factory=dict)
    tools: Mapping[str, Limit] = field(default_factory=dict)
    principal: Limit = UNLIMITED

    def __post_init__(self) -> None:
        for name in ("channels", "tools"):
            given = dict(getattr(self, name))
            for what, limit in given.items():
                check_kind(f"Limits.{name}[{what!r}]", limit, Limit)
            object.__setattr__(self, name, MappingProxyType(given))
        check_kind("Limits.default", self.default, Limit)
        check_kind("Limits.principal", self.principal, Limit)

    def for_use(self, channel: str, tool: str) -> Limit:
        """Return the limit of one caller's use of a tool on a channel."""
        for pattern, limit in self.tools.items():
            if fnmatchcase(tool, pattern):
                return limit
        return self.channels.get(channel, self.default)

    def charges(self, ctx: ToolContext, tool: Tool) -> tuple[Charge, ...]:
        """Return every charge of a call; a budget without a limit is not charged."""
        who, cost = caller_of(ctx), cost_of(tool)
        use = self.for_use(ctx.channel, tool.name)
        budgets = (
            (f"{printable(ctx.channel)}:{who}:{tool.name}", use),
            (f"*:{who}:*", self.principal),
        )
        return tuple(
            Charge(key=key, cost=cost, limit=limit) for key, limit in budgets if not limit.endless
        )


def cost_of(tool: Tool) -> int:
    """Return what one call of a tool costs a budget."""
    return COST_MUTATING if tool.options.mutating else COST_READING


def caller_of(ctx: ToolContext) -> str:
    """Name whose budget a call spends: the principal, else what tells strangers apart.

    The address comes before the conversation, which a stranger on the web can begin anew.
    """
    if ctx.principal is not None and ctx.principal.strip():
        return printable(ctx.principal)
    return f"anonymous@{printable(ctx.ip or ctx.conversation or ctx.channel)}"
