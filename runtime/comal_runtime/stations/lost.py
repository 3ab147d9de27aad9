"""What a caller hears that may not run an act, because it runs, ran or is void already."""

import json

from ..deps import Deps
from ..record import Act, ActState, Question, QuestionState
from ..result import ErrorCode, ToolResult


async def lost_claim(key: str, deps: Deps) -> ToolResult:
    """Answer from the stored act: its result, that it is running, or why it cannot run."""
    async with deps.record.reading() as stored:
        act = await stored.acts.get(key)
    if act is None:
        return ToolResult.error("This was decided already.", code=ErrorCode.FORBIDDEN)
    if act.result is not None:
        return stored_result(act)
    match act.state:
        case ActState.STARTED:
            return ToolResult.pending(
                f"{act.tool} is still running; its outcome will be told.", {"status": "running"}
            )
        case ActState.APPROVED:
            return ToolResult.error(f"{act.tool} waited too long.", code=ErrorCode.EXPIRED)
        case ActState.VOID:
            return ToolResult.error(f"Not done: {act.reason}", code=ErrorCode.FORBIDDEN)
        case _:
            return ToolResult.error(
                f"Whether {act.tool} was done is not known: {act.reason}.",
                code=ErrorCode.OUTCOME_UNKNOWN,
            )


async def already_answered(question: Question, deps: Deps) -> ToolResult:
    """Answer a resumed call whose question has ended."""
    match question.state:
        case QuestionState.APPROVED:
            async with deps.record.reading() as stored:
                act = await stored.acts.get(question.id)
            if act is None or act.state is ActState.APPROVED:
                return ToolResult.pending(
                    f"{question.tool} is about to run; its outcome will be told.",
                    {"status": "running"},
                )
            return await lost_claim(question.id, deps)
        case QuestionState.EXPIRED:
            return ToolResult.error(
                "The question has expired; nothing was done.", code=ErrorCode.EXPIRED
            )
        case _:
            decision = {"decision": question.state.value, "reason": question.reason}
            return ToolResult.success(decision, f"Nothing was done: it was {question.state}.")


def stored_result(act: Act) -> ToolResult:
    """Return the result an act ended with, as it was stored."""
    if act.result is None:
        raise ValueError(f"act {act.key!r} has no result yet")
    kept = json.loads(act.result)
    return ToolResult(
        bool(kept["success"]), kept["data"], kept["message"], kept["error"], kept["meta"]
    )
