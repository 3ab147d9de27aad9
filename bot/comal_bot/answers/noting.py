"""Audit records of answers that no tool call carries."""

from dataclasses import replace

from comal_runtime.call import Request
from comal_runtime.context import ToolContext
from comal_runtime.record import Question
from comal_runtime.result import ErrorCode, ToolResult

from ..wiring import House


def note(
    house: House,
    question: Question | None,
    who: str | None,
    decision: str,
    *,
    counted: bool = False,
) -> None:
    """Leave an audit record of an answer, such as `tap_moved`, and of whether it counted."""
    ctx = ToolContext(principal=who, channel="unknown")
    tool: str | None = None
    if question is not None:
        ctx = replace(ctx, channel=question.channel, conversation=question.conversation)
        tool = question.tool
    request = Request("answer_question", {"tool": tool}, ctx)
    request.trail.question = None if question is None else question.id
    result = (
        ToolResult.success() if counted else ToolResult.error(decision, code=ErrorCode.FORBIDDEN)
    )
    audit = house.registry.audit
    audit.hand_over(audit.outcome(request, request.args, result, decision))
