"""Authorize: may this caller use this tool here?"""

from ..call import Call
from ..context import ToolContext
from ..deps import Deps
from ..policy import RULES_FAILED, Verdict
from ..result import ErrorCode, ToolResult
from ..tools import Tool
from .station import Answer, Presence, RegistryWiring, Seen


def authorize(call: Call, deps: Deps) -> Answer:
    """Let the call through if the policy gate allows this context to use this tool."""
    verdict = deps.policy.authorize(call.ctx, call.tool)
    if not verdict.allowed:
        if verdict.check == RULES_FAILED:
            call.request.trail.decision = RULES_FAILED
        return ToolResult.error(verdict.reason, code=ErrorCode.FORBIDDEN)
    return call


def inspect_authorize(tool: Tool, ctx: ToolContext, wiring: RegistryWiring) -> Seen:
    """Foretell the gate's answer, as the rules stand now."""
    verdict = wiring.gate.authorize(ctx, tool)
    if not verdict.allowed or not wiring.gate.has_rule_provider():
        return Seen(Presence.ACTIVE, _told(verdict), ends=not verdict.allowed)
    return Seen(Presence.CONDITIONAL, f"rules may decide; now: {_told(verdict)}")


def _told(verdict: Verdict) -> str:
    by = "" if verdict.rule is None else f" by policy rule #{verdict.rule}"
    return f"allowed{by}" if verdict.allowed else verdict.reason
