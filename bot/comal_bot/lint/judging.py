"""Asks every rule about every tool."""

from collections.abc import Iterator, Sequence
from typing import Final

from comal_runtime.budget import within_budget
from comal_runtime.tools import Tool
from comal_runtime.windows import known_window

from .changing import undeclared
from .describing import undescribed
from .finding import Finding, Severity
from .providers import MOST_TOOLS, refused
from .usable import unusable
from .yardstick import Yardstick

_ORDER: Final = list(Severity)


def findings(tools: Sequence[Tool], yardstick: Yardstick) -> list[Finding]:
    """Return what is to be mended, the worst first and else in the order of the tools."""
    found = [*_together(tools, yardstick)]
    for tool in tools:
        found += undescribed(tool)
        found += undeclared(tool)
        found += refused(tool, yardstick.provider)
        found += unusable(tool, yardstick)
    return sorted(found, key=lambda one: _ORDER.index(one.severity))


def _together(tools: Sequence[Tool], yardstick: Yardstick) -> Iterator[Finding]:
    for provider, most in MOST_TOOLS.items():
        if len(tools) > most:
            yield Finding(
                severity=Severity.ERROR if provider is yardstick.provider else Severity.WARNING,
                rule=f"{provider.lower()}-tools",
                tool="",
                pointer="",
                what=f"{provider} takes {most} tools at once, and there are {len(tools)}",
                mend="offer fewer, by their scopes or in hosts of their own",
            )
    known = known_window(yardstick.model) is not None
    budget = within_budget(tools, yardstick.model) if known else None
    if budget is not None and budget.excluded:
        names = ", ".join(budget.excluded[:5])
        yield Finding(
            severity=Severity.WARNING,
            rule="over-budget",
            tool="",
            pointer="",
            what=f"{yardstick.model} has {budget.share} tokens for tools, and they need more; "
            f"left out: {names}",
            mend="shorten descriptions and schemas, or offer fewer tools",
        )
