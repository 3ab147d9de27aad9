"""Hanging: where the cards of a question belong, and hanging those that do not hang yet."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from comal_runtime.consent.question import new_id, tell
from comal_runtime.consent.tally import tally
from comal_runtime.consent.terms import Terms
from comal_runtime.record import Card, Place, Question, QuestionKind, Transaction

from .appearance import Appearance
from .copies import COMING, NOWHERE, PART, piece_key
from .facts import APPROVER, REQUESTER, Facts, facts_of
from .speech import CARD, DECISION, message_to
from .wiring import Premises

Hung = tuple[str, Place]
"""A role and where a card for it hangs."""


class Hanging:
    """Hangs cards."""

    def __init__(self, house: Premises) -> None:
        self._house = house
        self._appearance = Appearance(house.channels)

    async def missing(self, tx: Transaction, question: Question) -> None:
        """Hang the cards that belong somewhere by now and do not hang there."""
        cards = await tx.cards.of(question.id)
        hung = {(card.role, place_of(card)) for card in cards}
        places = {place_of(card) for card in cards}
        for role, place in await self._places(tx, question):
            if (role, place) not in hung and not (role == REQUESTER and place in places):
                await self.hang(tx, question, role, place)

    async def hang(self, tx: Transaction, question: Question, role: str, place: Place) -> None:
        """Hang one card in one message; where that does not show everything it cannot decide."""
        now = self._house.clock.now()
        card = Card(
            id=new_id(),
            question=question.id,
            role=role,
            channel=place.channel,
            chat=place.chat,
            thread=place.thread,
            created_at=now,
        )
        await tx.cards.add(card)
        if not self._house.reaches(place.channel):
            await tx.cards.show(card.id, NOWHERE)
            tx.defer(tell(question.id))
            return
        facts = await facts_of(self._house, tx, question)
        whole, body = self._appearance.one(facts, card)
        await tx.cards.show(card.id, facts.state if whole else f"{PART}{facts.state}")
        message = message_to(place, f"card:{card.id}", body, priority=CARD, card=card.id)
        await tx.outbox.add(message, now=now)

    async def whole(self, tx: Transaction, facts: Facts, card: Card) -> None:
        """Hang a copy of a card in as many messages as show everything.

        Each follows when the one before it has arrived, the one with the choices last.
        """
        copy = replace(card, id=new_id(), message=None, shown=None, created_at=facts.now)
        await tx.cards.add(copy)
        pieces = self._appearance.pieces(facts, copy)
        for number, body in enumerate(pieces):
            key = piece_key(copy.id, number)
            message = message_to(place_of(copy), key, body, priority=CARD, card=copy.id)
            await tx.outbox.add(message, now=facts.now, state="held")
        await tx.cards.show(copy.id, COMING if len(pieces) > 1 else facts.state)
        await tx.outbox.follow(copy.id)

    async def _places(self, tx: Transaction, question: Question) -> Sequence[Hung]:
        asked_in = []
        if question.conversation is not None:
            asked_in = await home(self._house, tx, question.conversation)
        if question.kind is QuestionKind.CONFIRMATION:
            return [(REQUESTER, place) for place in asked_in]
        hung = await self._asked(tx, question)
        if not hung:
            return [(APPROVER, place) for place in asked_in]
        approving = [(APPROVER, place) for place in hung]
        return approving + [(REQUESTER, place) for place in asked_in if place not in hung]

    async def _asked(self, tx: Transaction, question: Question) -> list[Place]:
        """Return where those are asked whose stage has begun, and whom it was escalated to."""
        votes = await tx.questions.votes(question.id)
        terms = Terms.read(question.route)
        spelled = terms.cards_of(tally(question, votes, self._house.people).begun)
        if question.escalated_at is not None and terms.escalation is not None:
            spelled += terms.escalation.cards
        found = [await tx.people.current(place_named(one)) for one in spelled]
        return list(dict.fromkeys(found))


async def home(house: Premises, tx: Transaction, conversation: str) -> list[Place]:
    """Return the address of a conversation to speak at, if it has one that is reached."""
    places = await tx.people.places(conversation)
    return [place for place in places if house.reaches(place.channel)][:1]


async def amend(
    tx: Transaction, card: Card, shown: str, body: Mapping[str, Any], now: float
) -> None:
    """Let a card that hangs show something else, unless it shows that already."""
    if not await tx.cards.show(card.id, shown):
        return
    await tx.outbox.supersede(card.id)
    key = f"edit:{card.id}:{new_id()}"
    edit = message_to(place_of(card), key, body, priority=DECISION, card=card.id)
    await tx.outbox.add(replace(edit, edits=card.message), now=now)


def place_of(card: Card) -> Place:
    """Return where a card hangs."""
    return Place(channel=card.channel, chat=card.chat, thread=card.thread)


def place_named(spelled: str) -> Place:
    """Return the place that a route spells `<channel>:<chat>` or `<channel>:<chat>:<thread>`."""
    channel, chat, *thread = spelled.split(":")
    return Place(channel=channel, chat=chat, thread=thread[0] if thread else "")
