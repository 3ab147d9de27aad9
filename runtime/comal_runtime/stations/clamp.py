"""Clamp: numbers and texts are brought into the bounds the tool declares."""

import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from ..call import Call
from ..context import ToolContext
from ..deps import Deps
from ..redact import redact
from ..result import ErrorCode, ToolResult
from ..tools import Tool
from .station import Answer, Presence, RegistryWiring, Seen

_LONGEST_TOLD: Final = 200  # characters of a text that was cut


def clamp(call: Call, deps: Deps) -> Answer:
    """Bring arguments into bounds; a question's stored arguments must need no change."""
    bounds = call.tool.options.clamps
    if not bounds:
        return call
    args = {
        name: _brought_in(call.args[name], limit)
        for name, limit in bounds.items()
        if name in call.args
    }
    changed = [name for name, value in args.items() if value != call.args[name]]
    if not changed:
        return call
    if call.question is not None:
        return ToolResult.error(
            f"The limits of {call.tool.name!r} changed after this was asked "
            f"({', '.join(changed)}); ask for it again.",
            code=ErrorCode.VALIDATION_ERROR,
        )
    return _clamped(call, {**call.args, **{name: args[name] for name in changed}}, changed)


def inspect_clamp(tool: Tool, ctx: ToolContext, wiring: RegistryWiring) -> Seen:
    """Say which arguments have bounds."""
    if not tool.options.clamps:
        return Seen(Presence.DORMANT, "the tool declares no clamps")
    return Seen(Presence.ACTIVE, f"clamps on {', '.join(tool.options.clamps)}")


def _clamped(call: Call, args: Mapping[str, object], changed: list[str]) -> Answer:
    """Let the clamped call through if what it holds now still fits the tool's schema."""
    faults = call.registered.schema.faults(args)
    if faults:
        return ToolResult.error(
            f"Out of bounds ({', '.join(changed)}), and no value at the bounds is allowed: "
            + "; ".join(fault.message for fault in faults),
            code=ErrorCode.VALIDATION_ERROR,
        )
    told = {name: (_told(name, call.args[name]), _told(name, args[name])) for name in changed}
    return replace(call, args=args, clamped=told)


def _told(name: str, value: object) -> object:
    """Return what may be said of a value that was changed: no secret, and no long text."""
    shown = redact({name: value})
    told = shown[name] if isinstance(shown, dict) else None
    if isinstance(told, str) and len(told) > _LONGEST_TOLD:
        return f"{told[:_LONGEST_TOLD]}... ({len(told)} characters)"
    return told


def _brought_in(value: object, limit: Mapping[str, float]) -> object:
    if isinstance(value, str):
        return value[: int(limit["maxLength"])] if "maxLength" in limit else value
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    low, high = limit.get("min", -math.inf), limit.get("max", math.inf)
    if value < low < math.inf:
        return _of_its_kind(value, low, math.ceil)
    if value > high > -math.inf:
        return _of_its_kind(value, high, math.floor)
    return value


def _of_its_kind(value: float, bound: float, inwards: Callable[[float], int]) -> float:
    """Return the bound as a number of the value's own type, never beyond it."""
    if isinstance(value, int):
        return inwards(bound)
    return bound if abs(bound) > sys.float_info.max else float(bound)
