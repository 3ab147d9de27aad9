"""How an ending reads: what callers may know of it, and no more."""

import logging

from ..call import Call
from ..errors import ToolError
from ..invoke import CalledOff, Ending, Raised, Returned, TimedOut, wrapped
from ..result import ErrorCode, ToolResult
from ..traces import log_fault

log = logging.getLogger(__name__)


def worded(call: Call, ending: Ending) -> ToolResult:
    """Word the ending of a call that changes nothing."""
    match ending:
        case Returned(value=value, late=late):
            return told_late(wrapped(value), late)
        case Raised(error=error, late=late):
            said = raised(call, error)
            if not late or ending.applied_nothing:
                return told_late(said, late)
            call.request.trail.decision = "timed_out"
            return timed_out(call, still_running=False, code=ErrorCode.TIMEOUT)
        case TimedOut(running=running):
            call.request.trail.decision = "timed_out"
            return timed_out(call, running is not None, ErrorCode.TIMEOUT)
        case CalledOff():
            return ToolResult.error("The call was cancelled.", code=ErrorCode.CANCELLED)


def raised(call: Call, error: Exception) -> ToolResult:
    """Word what the author's code raised: a ToolError as written, the rest not at all."""
    if isinstance(error, ToolError):
        return ToolResult.error(error.message, code=error.code, data=error.data)
    request_id = call.ctx.request_id
    facts = {"tool": call.tool.name, "request_id": request_id}
    log_fault(log, "tool.raised", error, call.args, **facts)
    return ToolResult.error(
        f"{call.tool.name} failed inside the host; quote request {request_id}",
        code=ErrorCode.INTERNAL_ERROR,
    )


def told_late(result: ToolResult, late: bool) -> ToolResult:
    """Say of a result that it came only after its tool was told to stop, if so."""
    return result.with_meta(timeout_exceeded=True, still_running=False) if late else result


def timed_out(call: Call, still_running: bool, code: ErrorCode) -> ToolResult:
    """Word a passed time limit."""
    limit = call.tool.options.timeout
    tail = " and cannot be stopped" if still_running else ""
    unknown = code is ErrorCode.OUTCOME_UNKNOWN
    lost = "; whether it was done is not known" if unknown else ""
    return ToolResult.error(
        f"{call.tool.name} took longer than {limit:g} s{tail}{lost}.",
        code=code,
        meta={"timeout_exceeded": True, "still_running": still_running},
    )
