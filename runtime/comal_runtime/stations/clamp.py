"""Clamp: numbers and texts are brought into the bounds the tool declares."""

from collections.abc import Mapping
from dataclasses import replace

from ..call import Call
from ..context import ToolContext
from ..deps import Deps
from ..result import ErrorCode, ToolResult
from ..tools import Tool
from .station import Answer, Presence, RegistryWiring, Seen


def clamp(call: Call, deps: Deps) -> Answer:
    """Bring arguments into bounds; a question's stored arguments must need no change."""
    bounds = call.tool.options.clamps
    if not bounds:
        return call
    args, changed = dict(call.args), {}
    for name, limit in bounds.items():
        if name in args:
            brought_in = _brought_in(args[name], limit)
            if brought_in != args[name]:
                changed[name] = (args[name], brought_in)
                args[name] = brought_in
    if not changed:
        return call
    if call.question is not None:
        return ToolResult.error(
            f"The limits of {call.tool.name!r} changed after this was asked "
            f"({', '.join(changed)}); ask for it again.",
            code=ErrorCode.VALIDATION_ERROR,
        )
    return replace(call, args=args, clamped=changed)


def inspect_clamp(tool: Tool, ctx: ToolContext, wiring: RegistryWiring) -> Seen:
    """Say which arguments have bounds."""
    if not tool.options.clamps:
        return Seen(Presence.DORMANT, "the tool declares no clamps")
    return Seen(Presence.ACTIVE, f"clamps on {', '.join(tool.options.clamps)}")


def _brought_in(value: object, limit: Mapping[str, float]) -> object:
    if isinstance(value, str):
        return value[: int(limit["maxLength"])] if "maxLength" in limit else value
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    low, high = limit.get("min"), limit.get("max")
    if low is not None and value < low:
        return low
    if high is not None and value > high:
        return high
    return value
