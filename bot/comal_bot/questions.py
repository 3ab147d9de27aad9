"""Questions' cards: hung when somebody is asked, and every copy made to say how it stands."""

import json
import logging
from collections.abc import Mapping, Sequence
from typing import Any, Final

from comal_runtime.call import Call
from comal_runtime.consent.verification import granted_by_rule
from comal_runtime.progress import Progress
from comal_runtime.record import (
    Act,
    ActState,
    Card,
    Question,
    QuestionState,
    RecordError,
    Transaction,
)

from .appearance import MOST_PIECES, Appearance
from .copies import (
    BACK,
    BROKEN,
    COMING,
    NOWHERE,
    PART,
    REPLACED,
    SHOWN_ALL,
    is_marked,
    marked,
)
from .facts import Facts, facts_of
from .hanging import Hanging, amend, place_of
from .notices import Notices
from .wiring import Premises, host_event

log = logging.getLogger(__name__)

_LATE: Final = (ActState.DONE_LATE, ActState.SETTLED_DONE, ActState.SETTLED_NOT_DONE)
_RUNNING: Final = (ActState.APPROVED, ActState.STARTED)


class QuestionCards:
    """The cards of the host's questions."""

    def __init__(self, house: Premises) -> None:
        self._house = house
        self._appearance = Appearance(house.channels)
        self._hanging = Hanging(house)
        self._notices = Notices(house)

    async def show(self, key: str) -> None:
        """Hang the cards of a new question where they belong; done twice, it hangs them once."""
        async with self._house.record.transaction() as tx:
            await self._house.people.refresh(tx)
            question = await tx.questions.get(key)
            if question is not None and not await tx.cards.of(key):
                await self._hanging.missing(tx, question)

    async def show_everything(self, tx: Transaction, question: Question, shown: Card) -> bool:
        """Send the whole card as a new copy, once a card.

        False when that would be too many messages to weigh.
        """
        facts = await facts_of(self._house, tx, question)
        if len(self._appearance.pieces(facts, shown)) > MOST_PIECES:
            return False
        if await tx.cards.show(shown.id, SHOWN_ALL):
            await self._hanging.whole(tx, facts, shown)
        return True

    async def tell(self, key: str) -> None:
        """Make every card of a question show how it stands, and tell the model once it ended."""
        async with self._house.record.transaction() as tx:
            await self._house.people.refresh(tx)
            question, act = await tx.questions.get(key), await tx.acts.get(key)
            if question is not None:
                await self._refresh(tx, question)
            elif act is not None and act.state is ActState.UNKNOWN:
                await self._notices.unknown(tx, act)
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

    async def _refresh(self, tx: Transaction, question: Question, progress: str = "") -> None:
        is_open = question.state is QuestionState.OPEN
        if is_open:
            await self._hanging.missing(tx, question)
        facts = await facts_of(self._house, tx, question, progress)
        cards = await tx.cards.of(question.id)
        for card in cards:
            if card.message is None and not is_marked(card, BACK):
                continue
            if is_marked(card, REPLACED) or not self._house.reaches(card.channel):
                continue
            if not is_open:
                await self._close(tx, facts, card)
                continue
            if is_marked(card, BACK) and _is_alone(card, cards):
                await self._hanging.hang(tx, question, card.role, place_of(card))
            await self._repaint(tx, facts, card)
        if is_open:
            await self._notices.about(tx, facts)

    async def _close(self, tx: Transaction, facts: Facts, card: Card) -> None:
        """Let a card say how its question ended."""
        if card.message is not None and card.shown != facts.state:
            _, body = self._appearance.one(facts, card)
            await amend(tx, card, facts.state, body, facts.now)

    async def _repaint(self, tx: Transaction, facts: Facts, card: Card) -> None:
        """Let a card of an open question show how the votes stand."""
        shown = card.shown or ""
        if card.message is None:
            await tx.cards.show(card.id, marked(card, REPLACED))
            return
        if shown in (SHOWN_ALL, COMING, BROKEN) or is_marked(card, NOWHERE):
            return
        whole, body = self._appearance.one(facts, card)
        if whole or shown.startswith(PART):
            await amend(tx, card, facts.state if whole else f"{PART}{facts.state}", body, facts.now)
        elif shown != facts.state:
            await self._repaint_last(tx, facts, card)

    async def _repaint_last(self, tx: Transaction, facts: Facts, card: Card) -> None:
        """Let the last message of a card in several show the votes; the others stay as they are.

        Where they would have to change as well, all of it is hung once more.
        """
        pieces = self._appearance.pieces(facts, card)
        hung = [json.loads(body) for body in await tx.outbox.pieces(card.id)]
        if _same_but_last(pieces, hung):
            await amend(tx, card, facts.state, pieces[-1], facts.now)
        elif len(pieces) <= MOST_PIECES:
            await tx.cards.show(card.id, SHOWN_ALL)
            await self._hanging.whole(tx, facts, card)


def _same_but_last(pieces: Sequence[Mapping[str, Any]], hung: Sequence[Mapping[str, Any]]) -> bool:
    return len(pieces) == len(hung) and list(pieces[:-1]) == list(hung[:-1])


def _is_alone(card: Card, cards: Sequence[Card]) -> bool:
    """Tell whether no other card that anybody sees asks the same people, or there never was it."""
    unseen = (NOWHERE, REPLACED, BACK)
    others = [one for one in cards if one.id != card.id and one.role == card.role]
    seen = [one for one in others if not any(is_marked(one, word) for word in unseen)]
    return card.message is None or not seen


def _awaited(question: Question | None) -> bool:
    """Tell whether a model waits to hear: it asked in a turn, about a subject, or once before."""
    if question is None or question.repeats is not None:
        return True
    return question.call_key is not None or question.tool is None


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
