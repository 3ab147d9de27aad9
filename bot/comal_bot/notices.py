"""Notices: what is said once about a question beside its cards."""

from comal_renderers.i18n import text
from comal_runtime.record import Act, Card, Place, Question, QuestionKind, Transaction

from .copies import BROKEN, NOWHERE, REPLACED, is_marked
from .facts import APPROVER, Facts
from .hanging import home, place_of
from .naming import named
from .speech import Speech
from .wiring import Premises


class Notices:
    """Says what somebody must know, each thing once."""

    def __init__(self, house: Premises) -> None:
        self._house = house
        self._speech = Speech(house.channels)

    async def about(self, tx: Transaction, facts: Facts) -> None:
        """Say what keeps an open question from being decided."""
        question = facts.question
        cards = await tx.cards.of(question.id)
        if _reaches_nobody(cards):
            await self._requester(tx, "uncarded", question)
        if facts.too_few:
            await self._requester(tx, "too_few", question)
        said = text("host.unwhole", self._house.language, what=named(question))
        for card in cards:
            if card.shown == BROKEN:
                await self._say(tx, f"unwhole:{card.id}", place_of(card), said)

    async def escalated(self, tx: Transaction, question: Question) -> None:
        """Tell the requester that others are asked as well."""
        await self._requester(tx, "escalated", question)

    async def unshown(self, tx: Transaction, question: Question) -> None:
        """Tell whoever asked that a question could not be shown to anybody."""
        await self._where_asked(tx, "unshown", question)

    async def unknown(self, tx: Transaction, act: Act) -> None:
        """Tell who called without being asked, and has no card, that an outcome is unknown."""
        said = text("host.unknown_act", self._house.language, tool=act.tool)
        for place in await home(self._house, tx, act.conversation) if act.conversation else ():
            await self._say(tx, f"unknown:{act.key}", place, said)

    async def _requester(self, tx: Transaction, about: str, question: Question) -> None:
        if question.kind is QuestionKind.VERIFICATION:
            await self._where_asked(tx, about, question)

    async def _where_asked(self, tx: Transaction, about: str, question: Question) -> None:
        said = text(f"host.{about}", self._house.language, what=named(question))
        for place in await home(self._house, tx, question.conversation or ""):
            await self._say(tx, f"{about}:{question.id}", place, said)

    async def _say(self, tx: Transaction, key: str, place: Place, said: str) -> None:
        await self._speech.plain(tx, key, place, said, self._house.clock.now())


def _reaches_nobody(cards: list[Card]) -> bool:
    """Tell whether cards for approvers hang, and none where anybody could see it."""
    hung = [card for card in cards if card.role == APPROVER and not is_marked(card, REPLACED)]
    return bool(hung) and all(is_marked(card, NOWHERE) for card in hung)
