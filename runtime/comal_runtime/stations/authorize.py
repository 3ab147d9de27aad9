"""Authorize: may this caller use this tool here?"""

from ..call import Call
from ..context import ToolContext
from ..deps import Deps
from ..result import ErrorCode, ToolResult
from ..tools import Tool
from .station import Answer, Presence, RegistryWiring, Seen


def authorize(call: Call, deps: Deps) -> Answer:
    """Let the call through if the policy gate allows this context to use this tool."""
    verdict = deps.policy.authorize(call.ctx, call.tool)
    if not verdict.allowed:
        return ToolResult.error(verdict.reason, code=ErrorCode.FORBIDDEN)
    return call


def inspect_authorize(tool: Tool, ctx: ToolContext, wiring: RegistryWiring) -> Seen:
    """Foretell the gate's answer."""
    verdict = wiring.gate.authorize(ctx, tool)
    if wiring.gate.has_rule_provider():
        return Seen(Presence.CONDITIONAL, f"rules may decide; now: {verdict.reason or 'allowed'}")
    return Seen(Presence.ACTIVE, verdict.reason or "allowed", ends=not verdict.allowed)
