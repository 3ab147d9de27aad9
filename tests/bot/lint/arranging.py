"""Tools to judge, with defaults."""

from typing import Any

from comal_bot.lint import Finding, Provider, Yardstick, findings
from comal_runtime.tools import Tool, ToolOptions

FINE: dict[str, Any] = {
    "type": "object",
    "properties": {"id": {"type": "integer", "description": "Which."}},
}


def made(name: str = "find", schema: dict[str, Any] = FINE, **options: Any) -> Tool:
    return Tool(
        name=name,
        description=options.pop("description", "Find an order."),
        input_schema=schema,
        callback=options.pop("callback", len),
        options=ToolOptions(**options),
    )


def found(
    *tools: Tool, rule: str, provider: Provider | None = None, **yardstick: Any
) -> list[Finding]:
    judged = findings(tools, Yardstick(provider=provider, **yardstick))
    return [one for one in judged if one.rule == rule]


def holding(**shape: Any) -> dict[str, Any]:
    """Return a schema with one property of this shape."""
    return {"type": "object", "properties": {"x": {"description": "What.", **shape}}}
