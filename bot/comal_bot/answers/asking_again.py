"""Ask again: whoever asked for what ended undone asks anew; once for each question."""

import json
from dataclasses import replace

from comal_runtime.consent import Verdict
from comal_runtime.consent.asking_again import again, may_be_asked_again
from comal_runtime.consent.entitlement import is_requester
from comal_runtime.consent.question import tell
from comal_runtime.record import Question
from comal_runtime.result import ToolResult

from ..wiring import House
from .noting import note
from .requesting import as_requester
from .saying import said_about
from .tapped import Said, Tapped


class AskingAgain:
    """Makes the call of a question anew, through the law, as its requester."""

    def __init__(self, house: House) -> None:
        self._house = house

    async def handle(self, tapped: Tapped) -> Said:
        """Ask anew if the one who asked for it says so, and nothing came of it."""
        house, key = self._house, tapped.question.id
        async with house.record.reading() as stored:
            await house.people.refresh(stored)
            question = await stored.questions.get(key) or tapped.question
            act = await stored.acts.get(key)
        if not is_requester(question, tapped.voter, house.people):
            note(house, question, tapped.voter, "again_not_entitled")
            return Said("answer.only_requester")
        if not may_be_asked_again(question, act):
            note(house, question, tapped.voter, "again_refused")
            return await self._why_not(question)
        ctx = replace(as_requester(house, question), call_key=again(question))
        result = await house.registry.call(question.tool or "", json.loads(question.args), ctx)
        asked = await self._follow(question)
        note(house, question, tapped.voter, "again", counted=asked)
        return Said("answer.asked_again", alert=False) if asked else _refused(result)

    async def _why_not(self, question: Question) -> Said:
        if question.superseded_by is not None:
            return Said("answer.asked_before")
        return await said_about(self._house, question.id, Verdict.DECIDED_BEFORE)

    async def _follow(self, question: Question) -> bool:
        """Note on the old question what asks in its place, if anything does."""
        async with self._house.record.transaction() as tx:
            fresh = await tx.questions.by_call(str(again(question)))
            if fresh is None:
                return False
            if await tx.questions.follow(question.id, by=fresh.id):
                tx.defer(tell(question.id))
        return True


def _refused(result: ToolResult) -> Said:
    """Say why nothing was asked, or what came of a call that nobody had to be asked about."""
    if result.success:
        return Said("answer.nobody_asked")
    return Said("answer.not_asked_again", values={"why": result.error or "—"})
