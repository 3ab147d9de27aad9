"""Validate: the size, then the whole JSON Schema of the tool, all faults told at once."""

import json
from dataclasses import replace
from typing import Final

from ..call import Arguments, Call, Unreadable
from ..context import ToolContext
from ..deps import Deps
from ..result import ErrorCode, ToolResult
from ..tools import Tool
from .station import Answer, Presence, RegistryWiring, Seen

_MEASURE: Final = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode


def validate(call: Call, deps: Deps) -> Answer:
    """Let the call through, defaults filled in, if its arguments fit the schema."""
    unfit = _unfit(call.args, deps.max_argument_bytes)
    if unfit is not None:
        return ToolResult.error(unfit, code=ErrorCode.VALIDATION_ERROR)
    faults = call.registered.schema.faults(call.args)
    if not faults:
        defaults = call.registered.defaults
        missing = {name: value for name, value in defaults.items() if name not in call.args}
        return replace(call, args={**call.args, **missing}) if missing else call
    return ToolResult.error(
        "; ".join(fault.message for fault in faults),
        code=ErrorCode.VALIDATION_ERROR,
        meta={"faults": [{"at": fault.pointer, "message": fault.message} for fault in faults]},
    )


def inspect_validate(tool: Tool, ctx: ToolContext, wiring: RegistryWiring) -> Seen:
    """Say what the arguments are held against."""
    return Seen(Presence.ACTIVE, "the tool's input schema, draft 2020-12")


def _unfit(args: Arguments, most: int) -> str | None:
    """Say why nobody should look into these arguments; what JSON lacks is the schema's to say."""
    if isinstance(args, Unreadable):
        return f"The arguments cannot be read: reading them raised {args.fault}"
    try:
        text = _MEASURE(args)
    except (TypeError, ValueError, RecursionError):
        return None
    if len(text) * 4 <= most:  # no character takes more than four bytes
        return None
    size = len(text.encode("utf-8", "surrogatepass"))
    return f"The arguments have {size} bytes, at most {most} are taken" if size > most else None
