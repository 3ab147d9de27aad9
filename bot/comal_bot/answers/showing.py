"""Show everything: what a card has no room for, to those who may answer and to who asked."""

from comal_runtime.consent import Verdict
from comal_runtime.consent.votes import may_answer
from comal_runtime.record import QuestionState

from ..questions import QuestionCards
from ..wiring import House
from .noting import note
from .saying import said_about
from .tapped import Said, Tapped, said_of


class Showing:
    """Shows the rest of cards that are too long for one message."""

    def __init__(self, house: House, cards: QuestionCards) -> None:
        self._house = house
        self._cards = cards

    async def handle(self, tapped: Tapped) -> Said:
        """Send the whole card as a new copy, once."""
        card, question, people = tapped.card, tapped.question, self._house.people
        refusal = may_answer(question, tapped.voter, people, self._house.clock.now())
        if refusal not in (None, Verdict.OWN_REQUEST):
            note(self._house, question, tapped.voter, "show_not_entitled")
            return said_of(refusal)
        if question.state is not QuestionState.OPEN:
            return await said_about(self._house, question.id, Verdict.DECIDED_BEFORE)
        async with self._house.record.transaction() as tx:
            shown = await self._cards.show_everything(tx, question, card)
        note(self._house, question, tapped.voter, "show_everything", counted=shown)
        return Said("answer.recorded", alert=False) if shown else Said("answer.unknown_button")
