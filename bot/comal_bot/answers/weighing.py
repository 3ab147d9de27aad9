"""The choices that decide: Confirm and Cancel, Approve, Reject and Ask for changes."""

from comal_runtime.consent import Verdict
from comal_runtime.record import QuestionKind

from ..buttons import CHANGES, YES
from ..wiring import House
from .counting import Counting, Given
from .intending import wait_for_words
from .noting import note
from .saying import said_about
from .tapped import RECORDED, Said, Tapped


class Weighing:
    """Weighs what was pressed: a confirmation is its requester's, a verification its approvers'."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._counting = Counting(house.registry, house.people, house.clock)

    async def handle(self, tapped: Tapped) -> Said:
        """Count a choice, with what this person remarked on the card as its reason."""
        house = self._house
        async with house.record.reading() as stored:
            person = house.people.person(tapped.voter)
            remark = await stored.remarks.of(tapped.question.id, person)
        return await self.weigh(tapped, None if remark is None else remark.text)

    async def weigh(self, tapped: Tapped, reason: str | None) -> Said:
        """Count a choice. One that lacks its reason waits for it: the choice was the press."""
        question, choice = tapped.question, tapped.choice
        confirms = question.kind is QuestionKind.CONFIRMATION
        if confirms and choice == CHANGES:
            return await said_about(self._house, question.id, Verdict.UNKNOWN)
        given = Given(
            voter=tapped.voter, yes=choice == YES, reason=reason, asks_changes=choice == CHANGES
        )
        counted = await self._counting.count(question, given)
        verdict = counted.verdict
        if confirms:
            counts = verdict in RECORDED
            note(self._house, question, tapped.voter, f"tap_{verdict}", counted=counts)
        if verdict is Verdict.NEEDS_REASON:
            async with self._house.record.transaction() as tx:
                await wait_for_words(tx, tapped, self._house.clock.now())
            words = "guidance" if choice == CHANGES else "reason"
            return Said(f"answer.needs_{words}")
        if verdict is not Verdict.VOTED:
            return await said_about(self._house, question.id, verdict)
        stands = {"yes": counted.approvals, "needed": counted.needed}
        return Said("answer.voted" if given.yes else "answer.voted_no", alert=False, values=stands)
