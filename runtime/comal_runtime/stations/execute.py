"""Execute: run the tool; a call that changes something runs as an act."""

import asyncio

from ..call import Call
from ..context import ToolContext
from ..deps import Deps
from ..invoke import CalledOff
from ..result import ToolResult
from ..tools import Tool
from .acting import run_act
from .running import announce, run_callback
from .station import Presence, RegistryWiring, Seen
from .wording import worded


async def execute(call: Call, deps: Deps) -> ToolResult:
    """Run the tool under its time limit and word how it ended."""
    if call.is_act:
        return await run_act(call, deps)
    ending = await run_callback(call, deps)
    if isinstance(ending, CalledOff):
        raise asyncio.CancelledError
    result = worded(call, ending)
    await announce(call, ending, result, deps)
    return result


def inspect_execute(tool: Tool, ctx: ToolContext, wiring: RegistryWiring) -> Seen:
    """Say how the tool would run."""
    limit = f"{tool.options.timeout:g} s"
    if tool.options.mutating and not tool.options.consent_only:
        return Seen(Presence.ACTIVE, f"as an act, claimed before it runs; at most {limit}")
    return Seen(Presence.ACTIVE, f"at most {limit}")
