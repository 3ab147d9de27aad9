"""Confirm tokens: the secret of a question, for callers that redeem from code."""

from enum import StrEnum

from ..clock import Clock
from ..context import ToolContext
from ..record import Question, QuestionState, Record
from .question import digest


class TokenFault(StrEnum):
    """Why a token redeems nothing; told apart in the audit only."""

    UNKNOWN = "unknown_token"
    USED = "used_token"
    EXPIRED = "expired_token"
    FOREIGN = "foreign_token"
    WRONG_TOOL = "wrong_tool_token"


class ConfirmationTokenStore:
    """A view over questions by their secret. Looking never consumes."""

    def __init__(self, record: Record, clock: Clock) -> None:
        self._record = record
        self._clock = clock

    async def find(self, token: str, tool: str, ctx: ToolContext) -> Question | TokenFault:
        """Return the open question that this caller may redeem with this token, or why not.

        The token is bound to principal, channel, conversation and tool.
        """
        async with self._record.reading() as stored:
            question = await stored.questions.by_secret(digest(token))
        if question is None:
            return TokenFault.UNKNOWN
        asked_by = (question.principal, question.channel, question.conversation)
        if asked_by != (ctx.principal, ctx.channel, ctx.conversation):
            return TokenFault.FOREIGN
        if question.tool != tool:
            return TokenFault.WRONG_TOOL
        if question.state is not QuestionState.OPEN:
            expired = question.state is QuestionState.EXPIRED
            return TokenFault.EXPIRED if expired else TokenFault.USED
        if question.expires_at <= self._clock.now():
            return TokenFault.EXPIRED
        return question
