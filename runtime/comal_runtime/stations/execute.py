"""Execute: run the tool; a call that changes something runs as an act."""

import asyncio
from collections.abc import Awaitable

from ..call import Call
from ..context import ToolContext
from ..deps import Deps
from ..invoke import CalledOff, Ended, Ending
from ..result import ToolResult
from ..tools import Tool
from .acting import run_act
from .running import ENDED, announce_end, run_callback
from .station import Presence, RegistryWiring, Seen
from .wording import worded


def execute(call: Call, deps: Deps) -> ToolResult | Awaitable[ToolResult]:
    """Run the tool under its time limit and word how it ended."""
    if call.is_act:
        return run_act(call, deps)
    came = run_callback(call, deps)
    if isinstance(came, ENDED) and deps.dispatcher is None:
        return worded(call, came)
    return _ended(call, came, deps)


async def _ended(call: Call, came: Ended | Awaitable[Ending], deps: Deps) -> ToolResult:
    ending = came if isinstance(came, ENDED) else await came
    if isinstance(ending, CalledOff):
        raise asyncio.CancelledError
    result = worded(call, ending)
    await announce_end(call, ending, result, deps)
    return result


def inspect_execute(tool: Tool, ctx: ToolContext, wiring: RegistryWiring) -> Seen:
    """Say how the tool would run."""
    limit = f"{tool.options.timeout:g} s"
    if tool.options.mutating and not tool.options.consent_only:
        return Seen(Presence.ACTIVE, f"as an act, claimed before it runs; at most {limit}")
    return Seen(Presence.ACTIVE, f"at most {limit}")
