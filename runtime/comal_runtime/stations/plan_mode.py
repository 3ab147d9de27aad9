"""Plan mode: what would happen, without it happening."""

from ..call import Call
from ..context import ToolContext
from ..deps import Deps
from ..redact import redact
from ..result import ToolResult
from ..tools import Tool
from .station import Answer, Presence, RegistryWiring, Seen


def plan_mode(call: Call, deps: Deps) -> Answer:
    """End the call with its plan when its context asks for no more."""
    if call.ctx.mode != "plan":
        return call
    options = call.tool.options
    route = deps.routes.for_call(call.tool.name, call.args)
    plan = {
        "tool": call.tool.name,
        "mutating": options.mutating,
        "requires_confirmation": deps.policy.requires_confirmation(call.ctx, call.tool),
        "requires_approval": route is not None or options.approval is not None,
        "scopes_required": list(options.scopes),
        "timeout": options.timeout,
        "args": redact(call.args),
    }
    return ToolResult.success({"plan": plan})


def inspect_plan_mode(tool: Tool, ctx: ToolContext, wiring: RegistryWiring) -> Seen:
    """Say whether the context asks for the plan only."""
    if ctx.mode == "plan":
        return Seen(Presence.ACTIVE, "the context asks for the plan only", ends=True)
    return Seen(Presence.DORMANT, "the context asks for execution")
