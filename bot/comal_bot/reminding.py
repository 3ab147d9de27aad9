"""Reminding: whoever may answer is told what waits for them, in one message a chat."""

from collections.abc import Sequence
from typing import Final

from comal_renderers import Document, Text
from comal_renderers.i18n import text
from comal_runtime.consent.tally import tally
from comal_runtime.consent.terms import REQUESTER as THE_REQUESTER
from comal_runtime.consent.terms import Terms
from comal_runtime.record import Card, Place, Question, Transaction

from .copies import BROKEN, NOWHERE, REPLACED, is_marked
from .facts import APPROVER
from .hanging import place_named, place_of
from .naming import named
from .speech import Speech, message_to
from .wiring import Premises

_MOST_LINES: Final = 10  # questions named in one message; the others are counted

Waiting = tuple[Question, Card]
"""A question, and the card that asks it in a chat."""


class Reminding:
    """Handles the jobs that recall questions."""

    def __init__(self, house: Premises) -> None:
        self._house = house
        self._speech = Speech(house.channels)

    async def tell(self, reminder: str) -> None:
        """Recall what still waits to those who are asked now; told twice, it is said once."""
        house, now = self._house, self._house.clock.now()
        async with house.record.transaction() as tx:
            await house.people.refresh(tx)
            waiting: dict[Place, list[Waiting]] = {}
            for key in await tx.alarms.recalled(reminder, now=now):
                question = await tx.questions.get(key)
                for card in () if question is None else await self._asking(tx, question):
                    if question is not None:
                        waiting.setdefault(place_of(card), []).append((question, card))
            for place, found in waiting.items():
                await self._say(tx, f"reminder:{reminder}:{_spelled(place)}", place, found)

    async def _asking(self, tx: Transaction, question: Question) -> Sequence[Card]:
        """Return the newest card of each place where those of the stage at hand are asked."""
        places = await self._asked_at(tx, question)
        cards = [card for card in await tx.cards.of(question.id) if self._is_seen(card)]
        asking = [
            card
            for card in cards
            if (place_of(card) in places if places else card.role == APPROVER)
        ]
        return list({place_of(card): card for card in asking}.values())

    async def _asked_at(self, tx: Transaction, question: Question) -> Sequence[Place]:
        """Return where the stage at hand is asked; nowhere stands for wherever its cards hang."""
        terms = Terms.read(question.route)
        stands = tally(question, await tx.questions.votes(question.id), self._house.people)
        if any(THE_REQUESTER in (group.approvers or ()) for group in stands.at_hand):
            return await tx.people.places(question.conversation or "")
        spelled = terms.cards_of(stands.at_hand)
        if spelled and terms.escalation is not None and question.escalated_at is not None:
            spelled += terms.escalation.cards
        return [await tx.people.current(place_named(one)) for one in spelled]

    def _is_seen(self, card: Card) -> bool:
        unseen = any(is_marked(card, word) for word in (NOWHERE, REPLACED)) or card.shown == BROKEN
        return card.message is not None and not unseen and self._house.reaches(card.channel)

    async def _say(
        self, tx: Transaction, key: str, place: Place, waiting: Sequence[Waiting]
    ) -> None:
        now = self._house.clock.now()
        said = Document(blocks=(Text(content=self._words(waiting)),))
        for number, body in enumerate(self._speech.spelled(place.channel, said).parts):
            if len(waiting) == 1 and self._house.channels[place.channel].descriptor.can_reply:
                body = {**body, "reply_to": waiting[0][1].message}
            await tx.outbox.add(message_to(place, f"{key}:{number}", body), now=now)

    def _words(self, waiting: Sequence[Waiting]) -> str:
        language, now = self._house.language, self._house.clock.now()
        told = [
            {"what": named(question), "left": time_left(question.expires_at - now)}
            for question, _ in waiting
        ]
        if len(told) == 1:
            return text("host.reminder", language, **told[0])
        lines = [text("host.reminders_line", language, **one) for one in told[:_MOST_LINES]]
        if len(told) > _MOST_LINES:
            lines.append(text("host.reminders_more", language, count=len(told) - _MOST_LINES))
        return text("host.reminders", language, count=len(told), lines="\n".join(lines))


def time_left(seconds: float) -> str:
    """Return a duration in its two largest units, such as `3 h 20 min`."""
    minutes = max(1, int(seconds // 60))
    days, rest = divmod(minutes, 24 * 60)
    hours, minutes = divmod(rest, 60)
    units = [(days, "d"), (hours, "h"), (minutes, "min")]
    return " ".join([f"{number} {unit}" for number, unit in units if number][:2])


def _spelled(place: Place) -> str:
    return f"{place.channel}:{place.chat}:{place.thread}"
