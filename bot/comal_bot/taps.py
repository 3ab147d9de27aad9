"""Taps: a pressed button decides, and only decides. Whose it is comes from the channel."""

import asyncio
import logging
import re
from collections.abc import Mapping
from typing import Final

from comal_renderers.i18n import text
from comal_runtime.consent.question import tell
from comal_runtime.record import Card, QuestionState

from .answers.asking_again import AskingAgain
from .answers.editing import Editing
from .answers.noting import note
from .answers.settling import Settling
from .answers.showing import Showing
from .answers.tapped import Handler, Said, Tapped
from .answers.weighing import Weighing
from .answers.withdrawing import Withdrawing
from .buttons import (
    AGAIN,
    CHANGES,
    EDIT,
    IT_WAS_DONE,
    LEAVE_IT,
    NO,
    REPEAT,
    SHOW_ALL,
    WITHDRAW,
    YES,
)
from .channels.channel import Ack, ChannelError, Inbound, Tap
from .copies import BROKEN, COMING, PART
from .questions import QuestionCards
from .wiring import House

log = logging.getLogger(__name__)

_ACK: Final = 5.0  # seconds that telling somebody may take; their next tap waits behind it
_SOON: Final = 1.0  # seconds within which whoever pressed hears something
_DATA: Final = re.compile(r"q1:([\w-]{22}):([a-z])")


class Taps:
    """Handles pressed buttons."""

    def __init__(self, house: House, cards: QuestionCards) -> None:
        self._house = house
        weighing = Weighing(house)
        self._handlers: Mapping[str, Handler] = {
            YES: weighing.handle,
            NO: weighing.handle,
            CHANGES: weighing.handle,
            EDIT: Editing(house).handle,
            WITHDRAW: Withdrawing(house).handle,
            AGAIN: AskingAgain(house).handle,
            SHOW_ALL: Showing(house, cards).handle,
            **dict.fromkeys((IT_WAS_DONE, REPEAT, LEAVE_IT), Settling(house).handle),
        }

    async def handle(self, inbound: Inbound, tap: Tap) -> None:
        """Decide, commit, then answer the tap; a failed answer changes nothing.

        What takes long, since a listener or a preview does, is answered before it is over.
        """
        deciding = asyncio.create_task(self._decide(inbound, tap))
        try:
            in_time, _ = await asyncio.wait((deciding,), timeout=_SOON)
            if not in_time:
                await self._answer(inbound, tap, Said("answer.under_way", alert=False))
            said = await deciding
        finally:
            if not deciding.done():
                deciding.cancel()
                await asyncio.wait((deciding,))
        if in_time:
            await self._answer(inbound, tap, said)

    async def _answer(self, inbound: Inbound, tap: Tap, said: Said) -> None:
        words = text(said.key, self._house.language, **said.values)
        channel = self._house.channels[inbound.address.channel]
        ack = Ack(callback=tap.callback, text=words, alert=said.alert)
        try:
            async with asyncio.timeout(_ACK):
                await channel.signal(inbound.address, ack)
        except (ChannelError, TimeoutError) as error:
            log.info("tap.not_acknowledged", extra={"reason": str(error) or "no answer"})

    async def _decide(self, inbound: Inbound, tap: Tap) -> Said:
        match = _DATA.fullmatch(tap.data)
        if match is None or match[2] not in self._handlers:
            note(self._house, None, inbound.sender, "tap_unknown_button")
            return Said("answer.unknown_button")
        if inbound.sender is None:
            return Said("answer.nobody")
        if inbound.sender_is_bot:
            note(self._house, None, inbound.sender, "tap_by_bot")
            return Said("answer.not_yours")
        card_id, choice = match.groups()
        async with self._house.record.reading() as stored:
            await self._house.people.refresh(stored)
            card = await stored.cards.get(card_id)
            question = None if card is None else await stored.questions.get(card.question)
            waits = await stored.remarks.intent(inbound.sender)
        if card is None or question is None:
            note(self._house, None, inbound.sender, "tap_unknown_button")
            return Said("answer.unknown_button")
        if not _hangs_here(card, inbound, tap):
            note(self._house, question, inbound.sender, "tap_moved")
            return Said("answer.moved")
        if question.state is QuestionState.OPEN and not _offers(card, choice):
            return Said("answer.unknown_button")
        await self._adopt(card, tap)
        if waits is not None:
            await self._forget(inbound.sender)
        tapped = Tapped(card=card, question=question, choice=choice, voter=inbound.sender)
        return await self._handlers[choice](tapped)

    async def _forget(self, who: str) -> None:
        """Let what somebody pressed before wait for their words no more."""
        async with self._house.record.transaction() as tx:
            await tx.remarks.drop(who)

    async def _adopt(self, card: Card, tap: Tap) -> None:
        """Learn where a card stands whose send was never acknowledged."""
        if card.message is not None or tap.message is None:
            return
        async with self._house.record.transaction() as tx:
            await tx.cards.adopt(card.id, tap.message)
            tx.defer(tell(card.question))


def _hangs_here(card: Card, inbound: Inbound, tap: Tap) -> bool:
    here = (inbound.address.channel, inbound.address.chat)
    if here != (card.channel, card.chat):
        return False
    return card.message is None or tap.message is None or tap.message == card.message


def _offers(card: Card, choice: str) -> bool:
    """Tell whether a card of an open question has this button; one still on its way has none."""
    shown = card.shown or ""
    if shown in (COMING, BROKEN):
        return False
    return shown.startswith(PART) is (choice == SHOW_ALL)
