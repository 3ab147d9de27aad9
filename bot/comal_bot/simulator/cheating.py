"""What attempts are made of: a card to press, an answer to wait for, refunds to count."""

import asyncio
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from time import monotonic
from typing import Final

from .board import Board
from .cast import Cast
from .faults import Faults
from .people import Press
from .values import Chat, MessageView

NO_ANSWER: Final = "No answer came."
_YES: Final = re.compile(r"q1:[\w-]{22}:y")
_PATIENCE = 8.0  # seconds until an attempt stops waiting
_QUIET = 1.5  # seconds without another refund after which none is expected


class CheatFailed(Exception):
    """An attempt could not be made; the text says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenCard:
    """A card that still asks; `yes` is the data of its button that says so."""

    view: MessageView
    yes: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One attempt at work; `remarks` tell what had to be prepared for it."""

    board: Board
    faults: Faults
    remarks: list[str] = field(default_factory=list)

    @property
    def cast(self) -> Cast:
        """Everybody."""
        return self.board.cast

    def remark(self, sentence: str) -> None:
        """Say what was prepared."""
        self.remarks.append(sentence)

    async def refunds(self) -> int:
        """Count the refunds ever paid."""
        return (await self.board.look_again()).refunds

    async def paid_since(self, before: int, expected: int) -> int:
        """Count the refunds paid beyond `before`, once `expected` came and then none for a while.

        If they do not come, it counts what did.
        """
        begun = last = monotonic()
        count = await self.refunds()
        while True:
            quiet = monotonic() - last > _QUIET
            late = monotonic() - begun > _PATIENCE
            if quiet and (late or count - before >= expected):
                return count - before
            await asyncio.sleep(0.1)
            newer = await self.refunds()
            if newer != count:
                count, last = newer, monotonic()

    async def until(self, true: Callable[[], bool], timeout: float = _PATIENCE) -> bool:
        """Wait until something of the world or the process is true."""
        deadline = monotonic() + timeout
        while not true():
            if monotonic() > deadline:
                return False
            await asyncio.sleep(0.05)
        return True

    def still(self, card: OpenCard) -> str:
        """Say whether a card still asks."""
        asks = any(other.yes == card.yes for other in open_cards(self.cast, self.cast.chats))
        return "The card is still open." if asks else "The card is closed."


async def answer_to(press: Press) -> str:
    """Return what a tap was answered with, quoted."""
    try:
        answer = await press.answered(_PATIENCE)
    except TimeoutError:
        return NO_ANSWER
    return f"“{answer.text}”" if answer.text else "(nothing, the tap was only acknowledged)"


def open_cards(cast: Cast, chats: tuple[Chat, ...]) -> Iterator[OpenCard]:
    """Yield the cards that still ask in these chats, newest first."""
    views = [view for chat in chats for view in cast.world.transcript(chat) if not view.deleted]
    for view in sorted(views, key=lambda one: (one.date, one.id), reverse=True):
        for button in view.buttons:
            if view.sender.is_bot and button.data and _YES.fullmatch(button.data):
                yield OpenCard(view=view, yes=button.data)


async def card_for(
    attempt: Attempt, *, anywhere: bool = False, asked_by_rosa: bool = False
) -> OpenCard:
    """Return the newest card the approvers could answer, or one in any chat; make one if need be.

    Raises:
        CheatFailed: There is none and the bot made none.
    """
    cast = attempt.cast
    chats = cast.chats if anywhere else (cast.approvers,)

    def newest() -> OpenCard | None:
        fitting = open_cards(cast, chats)
        if asked_by_rosa:
            fitting = (card for card in fitting if cast.rosa.name in card.view.text)
        return next(fitting, None)

    card = newest()
    if card is not None:
        return card
    stored = await attempt.board.look_again()
    whole = [order["id"] for order in stored.orders if order["status"] == "paid"]
    if not whole:
        raise CheatFailed("every order is refunded; start `comal demo` with a new --data folder")
    cast.rosa.person.send(cast.rosa.person.chat_with(cast.bot), f"refund order {whole[0]}")
    attempt.remark(f"(No card was open, so Rosa asked to refund order {whole[0]}.)")
    await attempt.until(lambda: newest() is not None)
    made = newest()
    if made is None:
        raise CheatFailed("no card is open and the bot made none; is it running?")
    return made
