"""The walk's `except` and its `finally`: wording what escaped, and one audit record a call."""

import logging

from ..call import Request
from ..context import ToolContext
from ..deps import Deps
from ..record import ForeignLoop
from ..redact import printable
from ..result import ErrorCode, ToolResult
from ..sentences import cut
from ..tools import Tool
from ..traces import log_fault
from .paths import coverage
from .station import Presence, RegistryWiring, Seen

log = logging.getLogger(__name__)


def interrupted(request: Request) -> ToolResult:
    """Return what a call is that nobody let finish."""
    return ToolResult.error("The call was cancelled.", code=ErrorCode.CANCELLED)


def contain_exception(request: Request, error: Exception) -> ToolResult:
    """Word a fault of the host itself; its text stays in the log."""
    request.trail.decision = "host_fault"
    facts = {"tool": request.name, "request_id": request.ctx.request_id}
    log_fault(log, "call.failed", error, request.args, **facts)
    if isinstance(error, ForeignLoop):  # the caller's to mend, and nothing secret
        return ToolResult.error(f"{request.name}: {error}", code=ErrorCode.INTERNAL_ERROR)
    return ToolResult.error(
        f"{request.name} failed inside the host; quote request {_reference(request.ctx)}",
        code=ErrorCode.INTERNAL_ERROR,
    )


def _reference(ctx: ToolContext) -> str:
    """Return the request's id as it can be told; a caller may have put anything there."""
    given = ctx.request_id
    return cut(printable(given)) if type(given) is str else "(its id is no text)"


def audit(request: Request, result: ToolResult, deps: Deps) -> None:
    """Hand the record of this call over, unless it was stored with the act's end."""
    if request.trail.recorded:
        return
    decision = _decision(request, result)
    deps.audit.hand_over(deps.audit.outcome(request, request.args, result, decision))


def inspect_contain(tool: Tool, ctx: ToolContext, wiring: RegistryWiring) -> Seen:
    """Say what happens to exceptions."""
    return Seen(Presence.CONDITIONAL, "an exception becomes INTERNAL_ERROR; its text stays here")


def inspect_audit(tool: Tool, ctx: ToolContext, wiring: RegistryWiring) -> Seen:
    """Say what the audit covers."""
    return Seen(Presence.ACTIVE, coverage())


def _decision(request: Request, result: ToolResult) -> str:
    station = request.trail.station
    if station == "execute":
        return "executed" if result.success else "failed"
    match result.type:
        case "confirmation" | "pending":
            return f"asked_{result.type}"
        case _:
            return "planned" if result.success else f"refused_at_{station}"
