"""Validate: the size, then the whole JSON Schema of the tool, all faults told at once."""

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Final

from ..call import Arguments, Call, Unreadable
from ..context import ToolContext
from ..deps import Deps
from ..json_values import plain
from ..result import ErrorCode, ToolResult
from ..sentences import json_type
from ..tools import Tool
from .station import Answer, Presence, RegistryWiring, Seen

_MEASURE: Final = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode
_SHORT: Final = frozenset({bool, float, type(None)})
_ROOM: Final = 32  # bytes of a float, of quotes and of what stands between two fields
_ESCAPED: Final = 6  # bytes of a character that JSON escapes


def validate(call: Call, deps: Deps) -> Answer:
    """Let the call through, defaults filled in, if its arguments fit the schema.

    A refusal's `meta["faults"]` lists pointer, message and keyword of each fault that is told.
    """
    unfit = _unfit(call.args, deps.max_argument_bytes)
    if unfit is not None:
        return ToolResult.error(unfit, code=ErrorCode.VALIDATION_ERROR)
    faults = call.registered.schema.faults(call.args)
    if not faults:
        return _completed(_taken(call))
    return ToolResult.error(
        "; ".join(fault.message for fault in faults),
        code=ErrorCode.VALIDATION_ERROR,
        meta={"faults": [asdict(fault) for fault in faults]},
    )


def _taken(call: Call) -> Call:
    """Leave out what the tool does not look at: nobody is asked about what would not run."""
    takes = call.tool.takes
    if takes is None or call.args.keys() <= takes:
        return call
    taken = {name: value for name, value in call.args.items() if name in takes}
    return replace(call, args=taken, ignored=tuple(name for name in call.args if name not in takes))


def _completed(call: Call) -> Call:
    defaults = call.registered.defaults
    missing = {name: plain(value) for name, value in defaults.items() if name not in call.args}
    return replace(call, args={**call.args, **missing}) if missing else call


def inspect_validate(tool: Tool, ctx: ToolContext, wiring: RegistryWiring) -> Seen:
    """Say what the arguments are held against."""
    return Seen(Presence.ACTIVE, "the tool's input schema, draft 2020-12")


def _unfit(args: Arguments, most: int) -> str | None:
    """Say why nobody should look into these arguments; what JSON lacks is the schema's to say."""
    if type(args) is dict and _is_small(args, most):
        return None
    if isinstance(args, Unreadable):
        return f"The arguments cannot be read: reading them raised {args.fault}"
    if not isinstance(args, Mapping):  # what a model sent may be anything
        return f"Expected object, got {json_type(args)}"
    try:
        text = _MEASURE(args)
    except (TypeError, ValueError, RecursionError):
        return None
    if len(text) * 4 <= most:  # no character takes more than four bytes
        return None
    size = len(text.encode("utf-8", "surrogatepass"))
    return f"The arguments have {size} bytes, at most {most} are taken" if size > most else None


def _is_small(args: Arguments, most: int) -> bool:
    """Tell that short arguments without others inside are below the limit; they are most calls'."""
    size = 0
    for name, value in args.items():
        kind = type(value)
        if kind is str:
            size += len(value)
        elif kind is int:
            size += value.bit_length()
        elif kind not in _SHORT:
            return False
        size += len(name) + _ROOM if type(name) is str else most
    return size * _ESCAPED <= most
