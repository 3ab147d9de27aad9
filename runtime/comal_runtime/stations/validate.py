"""Validate: the whole JSON Schema of the tool, all faults told at once."""

from dataclasses import replace

from ..call import Call
from ..context import ToolContext
from ..deps import Deps
from ..result import ErrorCode, ToolResult
from ..tools import Tool
from .station import Answer, Presence, RegistryWiring, Seen


def validate(call: Call, deps: Deps) -> Answer:
    """Let the call through, defaults filled in, if its arguments fit the schema."""
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
