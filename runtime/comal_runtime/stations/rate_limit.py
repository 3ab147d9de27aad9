"""Rate limit: one human-intended act is charged once, when it is asked."""

import math

from ..call import Call
from ..context import ToolContext
from ..deps import Deps
from ..result import ErrorCode, ToolResult
from ..tools import Tool
from .station import Answer, Presence, RegistryWiring, Seen

_COST_MUTATING = 5
_COST_READING = 1


def rate_limit(call: Call, deps: Deps) -> Answer:
    """Let the call through if its budget holds; a redeemed question was charged already."""
    if deps.limiter is None or call.question is not None:
        return call
    key = f"{call.ctx.channel}:{call.ctx.principal}:{call.tool.name}"
    cost = _COST_MUTATING if call.tool.options.mutating else _COST_READING
    now = deps.clock.now()
    if call.ctx.mode == "plan":
        wait = deps.limiter.peek(key, cost, now=now)
    else:
        wait = deps.limiter.take(key, cost, now=now)
    if wait <= 0:
        return call
    if math.isinf(wait):
        return ToolResult.error(
            f"Rate limit of {key} is below the cost of one call; raise it.",
            code=ErrorCode.RATE_LIMITED,
        )
    return ToolResult.error(
        f"Rate limit reached for {key}. Try again in {math.ceil(wait)} s.",
        code=ErrorCode.RATE_LIMITED,
        meta={"retry_after_seconds": wait},
    )


def inspect_rate_limit(tool: Tool, ctx: ToolContext, wiring: RegistryWiring) -> Seen:
    """Say whether there is a limiter."""
    if not wiring.has_rate_limiter:
        return Seen(Presence.DORMANT, "no rate limiter is wired")
    cost = _COST_MUTATING if tool.options.mutating else _COST_READING
    return Seen(Presence.ACTIVE, f"costs {cost}; a redeemed question costs nothing")
