"""Every way to redeem what is not one's own, and every consent that is not the stored one."""

from typing import Final

from comal_runtime.result import ToolResult

from .house import Process, consent
from .people import ANA, EVE

MISUSES: Final = ("by another", "by a model", "elsewhere", "for another tool", "guessed")
FORGED: Final = ("question_id", "tool", "args_digest", "principal")


async def redeemed_wrongly(process: Process, tool: str, secret: str, how: str) -> ToolResult:
    """Redeem a token as somebody it is not for, or something that is no token."""
    ctx = process.as_ana()
    match how:
        case "by another":
            ctx = process.as_ana(principal=EVE)
        case "by a model":
            ctx = process.as_ana(origin="model")
        case "elsewhere":
            ctx = process.as_ana(principal=ANA, conversation="c2")
        case "for another tool":
            tool = "note"
        case _:
            secret = "guessed" * 4
    return await process.registry.call(tool, {"disk": "other"}, ctx, confirm_token=secret)


async def forged(process: Process, key: str, how: str) -> ToolResult:
    """Call with a consent of which one field is not that of its question."""
    async with process.shared.record.reading() as stored:
        question = await stored.questions.get(key)
    assert question is not None
    ctx = process.as_ana(consent=consent(question, **{how: "forged"}))
    return await process.registry.call(str(question.tool), {"disk": "other"}, ctx)
