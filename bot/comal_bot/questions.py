"""Hanging cards, and making every copy say how it ended."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from comal_renderers import card_parts, full_rendered
from comal_renderers.i18n import text
from comal_runtime.call import Call
from comal_runtime.consent.policies import Terms
from comal_runtime.consent.question import new_id, tell
from comal_runtime.consent.verification import granted_by_rule
from comal_runtime.consent.votes import tally
from comal_runtime.progress import Progress
from comal_runtime.record import (
    Act,
    ActState,
    Card,
    Place,
    Question,
    QuestionKind,
    QuestionState,
    RecordError,
    Transaction,
)

from .cards import APPROVER, REQUESTER, Facts, card_view, show_all_action
from .copies import BROKEN, COMING, NOWHERE, PART, SHOWN_ALL, piece_key
from .naming import deciders, name_of, named
from .speech import CARD, DECISION, Speech, message_to
from .wiring import Premises, host_event

log = logging.getLogger(__name__)

_MOST_PIECES: Final = 20  # messages one card may take; nobody weighs a longer one in a chat
_LATE: Final = (ActState.DONE_LATE, ActState.SETTLED_NOT_DONE)
_RUNNING: Final = (ActState.APPROVED, ActState.STARTED)


class QuestionCards:
    """The cards of the host's questions."""

    def __init__(self, house: Premises) -> None:
        self._house = house

    async def show(self, key: str) -> None:
        """Hang the cards of a new question where they belong; done twice, it hangs them once."""
        now = self._house.clock.now()
        async with self._house.record.transaction() as tx:
            question = await tx.questions.get(key)
            if question is None or await tx.cards.of(key):
                return
            for role, place in await self._places(tx, question):
                await self._hang(tx, question, role, place, now)

    async def show_everything(self, tx: Transaction, question: Question, shown: Card) -> bool:
        """Send the whole card as a new copy, once a card.

        Each message follows when the one before it has arrived, the one with the choices last;
        False when that would be too many messages to weigh.
        """
        facts, copy = await self._facts(tx, question), self._copy(shown)
        pieces = self._pieces(facts, copy)
        if len(pieces) > _MOST_PIECES:
            return False
        if not await tx.cards.show(shown.id, SHOWN_ALL):
            return True
        await tx.cards.add(copy)
        for number, body in enumerate(pieces):
            key = piece_key(copy.id, number)
            message = message_to(_place_of(copy), key, body, priority=CARD, card=copy.id)
            await tx.outbox.add(message, now=facts.now, state="held")
        await tx.cards.show(copy.id, COMING if len(pieces) > 1 else facts.state)
        await tx.outbox.follow(copy.id)
        return True

    async def tell(self, key: str) -> None:
        """Make every card of a question show how it stands, and tell the model once it ended."""
        async with self._house.record.transaction() as tx:
            question, act = await tx.questions.get(key), await tx.acts.get(key)
            if question is not None:
                await self._refresh(tx, question)
            state = _ended_as(question, act)
            source = act or question
            if state is None or source is None or source.conversation is None:
                return
            if _awaited(question):
                tx.defer(host_event(source.conversation, key, state))

    async def progress(self, call: Call, part: Progress) -> None:
        """Show on its cards how far a running act is; the newest replaces what still waits."""
        if call.question is None:
            return
        total = "" if part.total is None else f"/{part.total}"
        line = f"{part.done}{total} {part.text}".strip()
        try:
            async with self._house.record.transaction(durable=False) as tx:
                question = await tx.questions.get(call.question.id)
                if question is not None:
                    await self._refresh(tx, question, progress=line)
        except RecordError:  # the tool that tells it must not fail for it
            log.exception("progress.not_stored", extra={"tool": call.tool.name})

    async def _places(self, tx: Transaction, question: Question) -> list[tuple[str, Place]]:
        asked_in: list[Place] = []
        if question.conversation is not None:
            asked_in = await self._home(tx, question.conversation)
        if question.kind is QuestionKind.CONFIRMATION:
            return [(REQUESTER, place) for place in asked_in]
        hung = [(APPROVER, _place(spelled)) for spelled in Terms.read(question.route).cards]
        if not hung:
            return [(APPROVER, place) for place in asked_in]
        taken = {place for _, place in hung}
        return hung + [(REQUESTER, place) for place in asked_in if place not in taken]

    async def _home(self, tx: Transaction, conversation: str) -> list[Place]:
        """Return the address of a conversation to speak at, if it has one that is reached."""
        places = await tx.people.places(conversation)
        return [place for place in places if self._house.reaches(place.channel)][:1]

    async def _hang(
        self, tx: Transaction, question: Question, role: str, place: Place, now: float
    ) -> None:
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
        facts = await self._facts(tx, question)
        whole, body = self._spelled(facts, card)
        await tx.cards.show(card.id, facts.state if whole else f"{PART}{facts.state}")
        message = message_to(place, f"card:{card.id}", body, priority=CARD, card=card.id)
        await tx.outbox.add(message, now=now)

    def _spelled(self, facts: Facts, card: Card) -> tuple[bool, Mapping[str, Any]]:
        descriptor = self._house.channels[card.channel].descriptor
        view = card_view(facts, card.id, card.role)
        shown = card_parts(view, descriptor, show_all=show_all_action(card.id, facts.language))
        is_open = facts.question.state is QuestionState.OPEN
        if is_open and not shown.whole and len(self._pieces(facts, card)) > _MOST_PIECES:
            shown = card_parts(view, descriptor, show_all=None)
        return shown.whole, shown.rendered.parts[0]

    def _pieces(self, facts: Facts, card: Card) -> Sequence[Mapping[str, Any]]:
        """Return the messages that show all of a card."""
        descriptor = self._house.channels[card.channel].descriptor
        return full_rendered(card_view(facts, card.id, card.role), descriptor).parts

    async def _refresh(self, tx: Transaction, question: Question, progress: str = "") -> None:
        if question.state is QuestionState.OPEN:
            await self._say_if_nowhere(tx, question)
            await self._say_if_broken(tx, question)
            await self._count(tx, question)
            return
        facts = await self._facts(tx, question, progress)
        now = self._house.clock.now()
        for card in await tx.cards.of(question.id):
            if card.message is None or not self._house.reaches(card.channel):
                continue
            if card.shown == facts.state:
                continue
            _, body = self._spelled(facts, card)
            await _edit(tx, card, facts.state, body, now)

    async def _count(self, tx: Transaction, question: Question) -> None:
        """Show how many said yes on the open cards that show everything in one message."""
        facts = await self._facts(tx, question)
        if facts.tally is None or not facts.tally.yes:
            return
        for card in await tx.cards.of(question.id):
            shown = card.shown or ""
            if card.message is None or shown == NOWHERE or shown.startswith(PART):
                continue
            if self._house.reaches(card.channel):
                whole, body = self._spelled(facts, card)
                if whole:
                    await _edit(tx, card, facts.state, body, facts.now)

    async def _say_if_nowhere(self, tx: Transaction, question: Question) -> None:
        """Tell the requester once that no approver was reached."""
        hung = [card for card in await tx.cards.of(question.id) if card.role == APPROVER]
        if not hung or any(card.shown != NOWHERE for card in hung) or not question.conversation:
            return
        said = text("host.uncarded", self._house.language, what=named(question))
        key, now = f"uncarded:{question.id}", self._house.clock.now()
        for place in await self._home(tx, question.conversation):
            await Speech(self._house.channels).plain(tx, key, place, said, now)

    async def _say_if_broken(self, tx: Transaction, question: Question) -> None:
        """Tell once, where it hangs, that a copy of a card could not be shown whole."""
        said = text("host.unwhole", self._house.language, what=named(question))
        now = self._house.clock.now()
        for card in await tx.cards.of(question.id):
            if card.shown == BROKEN:
                key = f"unwhole:{card.id}"
                await Speech(self._house.channels).plain(tx, key, _place_of(card), said, now)

    async def _facts(self, stored: Transaction, question: Question, progress: str = "") -> Facts:
        votes = await stored.questions.votes(question.id)
        return Facts(
            question=question,
            act=await stored.acts.get(question.id),
            requester=await name_of(self._house, stored, question.principal),
            decided_by=await deciders(self._house, stored, question, votes),
            tally=tally(question, votes, self._house.people),
            language=self._house.language,
            now=self._house.clock.now(),
            progress=progress,
        )

    def _copy(self, card: Card) -> Card:
        return Card(
            id=new_id(),
            question=card.question,
            role=card.role,
            channel=card.channel,
            chat=card.chat,
            thread=card.thread,
            created_at=self._house.clock.now(),
        )


async def _edit(
    tx: Transaction, card: Card, shown: str, body: Mapping[str, Any], now: float
) -> None:
    """Let a card that hangs show something else, unless it shows that already."""
    if not await tx.cards.show(card.id, shown):
        return
    await tx.outbox.supersede(card.id)
    key = f"edit:{card.id}:{new_id()}"
    edit = message_to(_place_of(card), key, body, priority=DECISION, card=card.id)
    await tx.outbox.add(replace(edit, edits=card.message), now=now)


def _place_of(card: Card) -> Place:
    return Place(channel=card.channel, chat=card.chat, thread=card.thread)


def _place(spelled: str) -> Place:
    channel, chat, *thread = spelled.split(":")
    return Place(channel=channel, chat=chat, thread=thread[0] if thread else "")


def _awaited(question: Question | None) -> bool:
    """Tell whether a model waits to hear: it asked in a turn, or about a subject."""
    return question is None or question.call_key is not None or question.tool is None


def _ended_as(question: Question | None, act: Act | None) -> str | None:
    """Return the state to tell the model, or None while something is still to come.

    The end of an act that nobody was asked about is told to its caller; what came after is not.
    """
    if act is not None:
        nobody_asked = question is None or granted_by_rule(question)
        told_before = nobody_asked and act.state not in _LATE and act.result is not None
        return None if told_before or act.state in _RUNNING else str(act.state)
    if question is None or question.state is QuestionState.OPEN:
        return None
    waits_for_act = question.state is QuestionState.APPROVED and question.tool is not None
    return None if waits_for_act else str(question.state)
