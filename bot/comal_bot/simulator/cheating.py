"""What attempts are made of: a card to press, an answer to wait for, refunds to count."""

import asyncio
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from time import monotonic
from typing import Final

from .board import Board, Tapped
from .cast import Cast
from .faults import Faults
from .looking import act_of
from .people import Press
from .values import Chat, MessageView

NO_ANSWER: Final = "No answer came."
_YES: Final = re.compile(r"q1:[\w-]{22}:y")
_DECIDES: Final = re.compile(r"q1:[\w-]{22}:[yn]")
_PATIENCE = 8.0  # seconds until an attempt stops waiting
_QUIET = 1.5  # seconds without another refund after which none is expected


class CheatFailed(Exception):
    """An attempt could not be made; the text says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenCard:
    """A card that still asks; `yes` is the data of its button that says so."""

    view: MessageView
    yes: str

    @property
    def id(self) -> str:
        """The card's own id."""
        return self.yes.split(":")[1]


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

    def last_accepted(self) -> Tapped | None:
        """Return the newest tap that decided something; what counts for nothing is an alert."""
        for tap in reversed(self.board.taps):
            answer = tap.press.answer
            if answer is not None and not answer.alert and _DECIDES.fullmatch(tap.data):
                return tap
        return None

    async def act_in(self, card: OpenCard, states: frozenset[str], timeout: float) -> bool:
        """Wait until what a card asks for is in one of these states."""
        deadline = monotonic() + timeout
        while (await act_of(self.board.folder, card.id)) not in states:
            if monotonic() > deadline:
                return False
            await asyncio.sleep(0.05)
        return True

    async def outcome(self, card: OpenCard, shows: str, timeout: float) -> str:
        """Return the line that says how a card ended, once it `shows` a word; or as it is then."""

        def line() -> str:
            room = self.cast.world.room(card.view.chat)
            now = None if room is None else room.get(card.view.id)
            lines = [] if now is None else now.text.strip().splitlines()
            return lines[-1] if lines else ""

        await self.until(lambda: shows in line(), timeout)
        return f"The card says: “{line()}”"

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
        raise CheatFailed("every order is refunded; press Start over in the shop's data")
    cast.rosa.person.send(cast.rosa.person.chat_with(cast.bot), f"refund order {whole[0]}")
    attempt.remark(f"(No card was open, so Rosa asked to refund order {whole[0]}.)")
    await attempt.until(lambda: newest() is not None)
    made = newest()
    if made is None:
        raise CheatFailed("no card is open and the bot made none; is it running?")
    return made


async def ask_rosa(attempt: Attempt, words: str, title: str) -> OpenCard:
    """Let Rosa ask for something that she confirms herself, and return its card.

    Raises:
        CheatFailed: No card came.
    """
    cast = attempt.cast
    chat = cast.rosa.person.chat_with(cast.bot)
    asked = cast.rosa.person.send(chat, words)

    def made() -> OpenCard | None:
        cards = (card for card in open_cards(cast, (chat,)) if card.view.id > asked)
        return next((card for card in cards if card.view.text.startswith(title)), None)

    await attempt.until(lambda: made() is not None)
    card = made()
    if card is None:
        raise CheatFailed("the bot made no card; is it running?")
    return card
