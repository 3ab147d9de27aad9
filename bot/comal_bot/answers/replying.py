"""Replies to cards: words that go with an answer or complete a press, and never decide."""

from dataclasses import dataclass
from typing import Final

from comal_renderers.i18n import text
from comal_runtime.consent import Verdict
from comal_runtime.consent.votes import may_answer
from comal_runtime.record import Card, Question, QuestionState, Remark

from ..buttons import EDIT
from ..channels.channel import Inbound
from ..copies import heard_from
from ..inbox import place_of
from ..speech import Speech
from ..wiring import House
from .editing import Editing
from .intending import waiting
from .noting import note
from .saying import said_about
from .tapped import Said, Tapped
from .weighing import Weighing

_LONGEST: Final = 500  # characters of a remark; a card has to show it


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reply:
    """What somebody who can be named wrote in answer to a card."""

    card: Card
    question: Question
    voter: str
    words: str


class Replies:
    """Handles what people write in reply to cards; none of it reaches the model as a message."""

    def __init__(self, house: House, speech: Speech) -> None:
        self._house = house
        self._speech = speech
        self._weighing = Weighing(house)
        self._editing = Editing(house)

    async def handle(self, update: int, inbound: Inbound) -> bool:
        """Take a reply to a card; False when what it answers is no card.

        Whoever may answer the question may remark on it; to others it is said that they may not.
        """
        house, place, now = self._house, place_of(inbound), self._house.clock.now()
        if inbound.reply_to is None or inbound.command is not None:
            return False
        async with house.record.reading() as stored:
            card = await stored.cards.at(place.channel, place.chat, inbound.reply_to)
            question = None if card is None else await stored.questions.get(card.question)
        if card is None or question is None:
            return False
        if inbound.sender is None:
            said = Said("answer.nobody")
        else:
            words = inbound.text.strip()
            reply = _Reply(card=card, question=question, voter=inbound.sender, words=words)
            said = await self._said(reply)
        async with house.record.transaction() as tx:
            await heard_from(tx, place.channel, place.chat)
            if inbound.sender is not None and inbound.sender_name:
                await tx.people.see(inbound.sender, inbound.sender_name, now=now)
            words = text(said.key, house.language, **said.values)
            await self._speech.plain(tx, f"update:{update}", place, words, now)
        return True

    async def _said(self, reply: _Reply) -> Said:
        house, question, now = self._house, reply.question, self._house.clock.now()
        async with house.record.reading() as stored:
            await house.people.refresh(stored)
            intent = await waiting(stored, reply.voter, question, now)
        refusal = may_answer(question, reply.voter, house.people, now)
        if refusal is not None:
            note(house, question, reply.voter, f"remark_{refusal}")
            return Said("answer.reply_not_yours")
        if question.state is not QuestionState.OPEN or question.expires_at <= now:
            note(house, question, reply.voter, "remark_late")
            return await self._late(question)
        if intent is not None and intent.choice == EDIT:
            said, _ = await self._editing.apply(question, reply.voter, reply.words)
            return said
        if not reply.words or len(reply.words) > _LONGEST:
            values = {"length": len(reply.words), "limit": _LONGEST}
            return Said("answer.remark_too_long", values=values)
        await self._keep(reply, now)
        if intent is None:
            return Said("answer.noted", alert=False)
        return await self._complete(reply, intent.choice)

    async def _keep(self, reply: _Reply, now: float) -> None:
        house, question = self._house, reply.question
        remark = Remark(
            question=question.id,
            person=house.people.person(reply.voter),
            identity=reply.voter,
            text=reply.words,
            at=now,
        )
        async with house.record.transaction() as tx:
            await tx.remarks.keep(remark)
        note(house, question, reply.voter, "remark", counted=True)

    async def _complete(self, reply: _Reply, choice: str) -> Said:
        """Count what this person pressed, now that its reason is there."""
        tapped = Tapped(card=reply.card, question=reply.question, choice=choice, voter=reply.voter)
        said = await self._weighing.weigh(tapped, reply.words)
        async with self._house.record.transaction() as tx:
            await tx.remarks.drop(reply.voter)
        return said

    async def _late(self, question: Question) -> Said:
        house = self._house
        is_over = question.state in (QuestionState.OPEN, QuestionState.EXPIRED)
        verdict = Verdict.EXPIRED if is_over else Verdict.DECIDED_BEFORE
        late = await said_about(house, question.id, verdict)
        said = text(late.key, house.language, **late.values)
        return Said("answer.reply_late", values={"said": said})
