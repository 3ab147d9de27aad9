"""Rate limit: one human-intended act is charged once, when it is asked."""

import logging
import math
from collections.abc import Awaitable
from typing import Final

from ..call import Call
from ..context import ToolContext
from ..deps import Deps
from ..rate_limit import Charge, Limits, Shortage, Weighed
from ..record import StoreUnavailable
from ..result import ErrorCode, ToolResult
from ..tools import Tool
from .station import Answer, Presence, RegistryWiring, Seen

log = logging.getLogger(__name__)

_UNKNOWN: Final = "Whether this is within its rate limit cannot be told now, so nothing was done."


def rate_limit(call: Call, deps: Deps) -> Answer | Awaitable[Answer]:
    """Let the call through if all its budgets hold; then it is charged to all, else to none."""
    if deps.limiter is None or _charged_before(call):
        return call
    charges = deps.limits.charges(call.ctx, call.tool)
    if not charges:
        return call
    weigh = deps.limiter.foretell if call.ctx.mode == "plan" else deps.limiter.charge
    weighed = weigh(charges, deps.clock)
    if weighed is None or isinstance(weighed, Shortage):
        return _answered(call, weighed)
    return _awaited(call, weighed)


def inspect_rate_limit(tool: Tool, ctx: ToolContext, wiring: RegistryWiring) -> Seen:
    """Say what a call would cost, and of which budgets."""
    if not wiring.has_rate_limiter:
        return Seen(Presence.DORMANT, "no rate limiter is wired")
    if wiring.limits is None:
        [own] = Limits().charges(ctx, tool)
        told = f"costs {own.cost:g} of the limiter's own limit for {own.key}"
        return Seen(Presence.ACTIVE, f"{told}; a redeemed question costs nothing")
    charges = wiring.limits.charges(ctx, tool)
    if not charges:
        return Seen(Presence.DORMANT, "no limit is set for this tool here")
    told = " and ".join(f"{one.limit} of {one.key}" for one in charges)
    never = any(one.cost > one.limit.amount for one in charges)
    costs = f"costs {charges[0].cost:g} of {told}"
    if never:
        return Seen(Presence.ACTIVE, f"{costs}; that is never enough, raise it", ends=True)
    return Seen(Presence.ACTIVE, f"{costs}; a redeemed question costs nothing")


def _charged_before(call: Call) -> bool:
    """Tell whether the call answers a question, which was paid for when it was asked."""
    if call.question is not None:
        return True
    consent = call.ctx.consent  # the host's word; `confirm` holds it against the call
    answers = call.tool.options.consent_only and consent is not None
    return answers and consent is not None and consent.tool == call.tool.name


async def _awaited(call: Call, weighing: Awaitable[Weighed]) -> Answer:
    """Answer as the budgets do. Where they are out of reach reads go on, and nothing else.

    A read that nobody counted does no harm that lasts; a change is what limits are there for.
    """
    try:
        weighed = await weighing
    except StoreUnavailable:
        extra = {"tool": call.tool.name, "request_id": call.ctx.request_id}
        log.warning("limiter.unavailable", exc_info=True, extra=extra)
        if not (call.tool.options.mutating or call.tool.options.confirm):
            return call
        call.request.trail.decision = "limiter_unavailable"
        return ToolResult.error(_UNKNOWN, code=ErrorCode.INTERNAL_ERROR)
    return _answered(call, weighed)


def _answered(call: Call, weighed: Weighed) -> Answer:
    if weighed is None:
        return call
    charge, wait = weighed.charge, weighed.wait
    if math.isinf(wait):
        return ToolResult.error(_too_small(charge), code=ErrorCode.RATE_LIMITED)
    return ToolResult.error(
        f"Rate limit reached for {charge.key}. Try again in {math.ceil(wait)} s.",
        code=ErrorCode.RATE_LIMITED,
        meta={"retry_after_seconds": wait},
    )


def _too_small(charge: Charge) -> str:
    return (
        f"Rate limit of {charge.key} is {charge.limit}, below the cost of one call; "
        f"raise it to {charge.cost:g} or more."
    )
