"""The tools of a registry as models and people look them up."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any, Final

from .budget import ToolBudget, within_budget
from .call import Registered
from .json_values import frozen
from .tools import Tool

log = logging.getLogger(__name__)

NEEDS_CONFIRMATION: Final = "comal/needsConfirmation"
"""The key under `_meta` that says that no call of the tool runs before somebody's yes."""

_NAMED: Final = 5  # of the excluded tools, in the log


class Catalogue:
    """A view of tools that only ever grow in number."""

    __slots__ = ("_summaries", "_tools")

    def __init__(self, tools: Mapping[str, Registered]) -> None:
        self._tools = tools
        self._summaries: list[dict[str, Any]] = []

    def summaries(self) -> list[dict[str, Any]]:
        """Return what is told of every tool, in a list of the caller's own; the rest is frozen."""
        if len(self._summaries) != len(self._tools):
            self._summaries = [summary(one.tool) for one in self._tools.values()]
        return self._summaries.copy()

    def definitions(self) -> list[Tool]:
        """Return every tool, in the order of registration."""
        return [registered.tool for registered in self._tools.values()]

    def by_scopes(self, scopes: Sequence[str]) -> list[Tool]:
        """Return the tools that need none of their scopes or one of these; `*` means all."""
        held = set(scopes)
        return [
            tool
            for tool in self.definitions()
            if "*" in held or not tool.options.scopes or held & set(tool.options.scopes)
        ]

    def by_prefix(self, prefix: str) -> list[Tool]:
        """Return the tools whose name begins so; `*` means all."""
        return [
            tool for tool in self.definitions() if prefix == "*" or tool.name.startswith(prefix)
        ]

    def within_budget(
        self, model: str, priority: Sequence[str] | None, window: int | None
    ) -> ToolBudget:
        """Return the tools that fit the model's share; those that do not are told in the log."""
        budget = within_budget(self.definitions(), model, priority, window)
        if budget.excluded:
            extra = {
                "model": model,
                "share": budget.share,
                "excluded": len(budget.excluded),
                "first": list(budget.excluded[:_NAMED]),
            }
            log.warning("tools.over_budget", extra=extra)
        return budget


def summary(tool: Tool) -> dict[str, Any]:
    """Describe a tool as MCP does; `properties` is an object even where there are none.

    What is not known of a tool, such as whether it reaches beyond its host, is left out.

    Source: MCP 2025-06-18, Tool and ToolAnnotations.
    """
    options = tool.options
    made: dict[str, Any] = {
        "name": tool.name,
        "description": tool.description,
        "inputSchema": {"type": "object", "properties": {}, **tool.input_schema},
        "annotations": {"readOnlyHint": not options.mutating, "destructiveHint": options.mutating},
    }
    if options.confirm or options.approval is not None:
        made["_meta"] = {NEEDS_CONFIRMATION: True}
    if options.version is not None:
        made["version"] = options.version
    if options.output_schema is not None:
        made["outputSchema"] = options.output_schema
    told: dict[str, Any] = frozen(made)
    return told
