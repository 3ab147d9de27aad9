"""Withdraw: whoever asked takes the question back, and nobody else can."""

from comal_runtime.consent import Verdict
from comal_runtime.consent.entitlement import is_requester
from comal_runtime.consent.tally import tally
from comal_runtime.consent.verification import VerificationEvent, VerificationKind, request_of
from comal_runtime.consent.verification.human import result_of
from comal_runtime.consent.votes import settle
from comal_runtime.events import announce
from comal_runtime.record import Question, QuestionKind, QuestionState

from ..wiring import House
from .noting import note
from .saying import said_about
from .tapped import Said, Tapped, said_of


class Withdrawing:
    """Cancels open questions for their requesters."""

    def __init__(self, house: House) -> None:
        self._house = house

    async def handle(self, tapped: Tapped) -> Said:
        """Cancel a question if the one who asked for it says so."""
        house, question, now = self._house, tapped.question, self._house.clock.now()
        async with house.record.transaction() as tx:
            await house.people.refresh(tx)
            if not is_requester(question, tapped.voter, house.people):
                note(house, question, tapped.voter, "withdrawal_not_entitled")
                return Said("answer.only_requester")
            remark = await tx.remarks.of(question.id, house.people.person(tapped.voter))
            reason = None if remark is None else remark.text
            state = QuestionState.CANCELLED
            won = await settle(tx, question, state, by=tapped.voter, reason=reason, now=now)
            ended = await tx.questions.get(question.id) or question
        note(house, question, tapped.voter, "withdrawal", counted=won)
        if not won:
            is_over = ended.state is QuestionState.OPEN
            verdict = Verdict.EXPIRED if is_over else Verdict.DECIDED_BEFORE
            return await said_about(house, question.id, verdict)
        await self._announce(ended)
        return said_of(Verdict.CANCELLED)

    async def _announce(self, ended: Question) -> None:
        """Tell listeners of verifications; a withdrawal is a no of the one who asked."""
        if ended.kind is not QuestionKind.VERIFICATION:
            return
        house = self._house
        async with house.record.reading() as stored:
            votes = await stored.questions.votes(ended.id)
        result = result_of(ended, tally(ended, votes, house.people))
        event = VerificationEvent(
            kind=VerificationKind.REJECTED, request=request_of(ended), result=result
        )
        await announce(event, house.registry.dispatcher)
