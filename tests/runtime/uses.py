"""Who uses which tool where, with defaults."""

from comal_runtime.context import ToolContext
from comal_runtime.tools import Tool, ToolOptions


def wipe(scopes: tuple[str, ...] = (), *, mutating: bool = False, confirm: bool = False) -> Tool:
    return Tool(
        name="wipe",
        description="Wipe.",
        input_schema={"type": "object", "properties": {}},
        callback=lambda: None,
        options=ToolOptions(scopes=scopes, mutating=mutating, confirm=confirm),
    )


def caller(
    channel: str = "web", principal: str | None = "42", scopes: tuple[str, ...] = ()
) -> ToolContext:
    return ToolContext(channel=channel, principal=principal, scopes=scopes)
