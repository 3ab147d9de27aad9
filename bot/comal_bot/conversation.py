"""Conversations: what people write becomes a turn, and a turn becomes an answer."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Final

from comal_renderers.i18n import text
from comal_runtime.agent import RunEnd, TurnOutcome, TurnTakenOver, person_entry
from comal_runtime.consent.question import new_id
from comal_runtime.context import ToolContext
from comal_runtime.llm import (
    LlmAuthError,
    LlmBadResponse,
    LlmOverloaded,
    LlmRateLimited,
    LlmRefused,
    LlmUnavailable,
)
from comal_runtime.record import Entry, Place, Transaction, Turn

from .channels.channel import Address, ChannelError, Inbound, Typing
from .copies import heard_from
from .entrance import Strangers
from .inbox import place_of
from .speech import Speech
from .wiring import House

log = logging.getLogger(__name__)

_LONGEST: Final = 16_000  # characters of one message that the model is given
_DAY: Final = 24 * 3600.0  # seconds
_TYPING: Final = 4.0  # seconds; the sign lasts 5. Source: Bot API, sendChatAction.


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """What begins a turn: the event, in whose name, where, and the line history gets for it."""

    event: str
    conversation: str
    principal: str | None
    place: Place
    entry: Callable[[str], Entry]


class Conversations:
    """Handles messages and commands, and runs turns."""

    def __init__(self, house: House, speech: Speech) -> None:
        self._house = house
        self._speech = speech

    async def handle(self, update: int, inbound: Inbound) -> None:
        """Answer one message; done twice, it answers once."""
        place, now = place_of(inbound), self._house.clock.now()
        async with self._house.record.transaction() as tx:
            conversation = await tx.people.settle(place, new_id(), private=inbound.private, now=now)
            await heard_from(tx, place.channel, place.chat)
            if inbound.sender is not None and inbound.sender_name:
                await tx.people.see(inbound.sender, inbound.sender_name, now=now)
            await self._house.people.refresh(tx)
            if self._house.shuns(inbound.sender):
                return
            said, key = self._host_answer(inbound), f"update:{update}"
            if said is None and self._must_pair(inbound.sender):
                said, key = text("pair.how", self._language), _once_a_day(inbound, now)
            if said is not None:
                await self._speech.plain(tx, key, place, said, now)
                return
        await self.take_turn(
            Opening(
                event=f"update:{update}",
                conversation=conversation,
                principal=inbound.sender,
                place=place,
                entry=lambda turn: person_entry(turn, _spoken(inbound)),
            )
        )

    async def stop(self, update: int, inbound: Inbound) -> None:
        """Ask the conversation's running turn to stop between two steps."""
        place, now = place_of(inbound), self._house.clock.now()
        async with self._house.record.transaction() as tx:
            conversation = await tx.people.conversation(place)
            running = 0 if conversation is None else await tx.turns.ask_stop(conversation)
            said = text("host.stopped" if running else "host.nothing_to_stop", self._language)
            await self._speech.plain(tx, f"update:{update}", place, said, now)

    async def take_turn(self, opening: Opening) -> None:
        """Run one turn to its end; found half done, it goes on where it was."""
        turn = await self._open(opening)
        if turn.state != "running":
            return
        async with self._house.record.reading() as stored:
            await self._house.people.refresh(stored)
        ctx = ToolContext(
            principal=opening.principal,
            channel=self._house.channels[opening.place.channel].descriptor.name,
            scopes=self._house.people.scopes(opening.principal),
            request_id=turn.id,
            conversation=opening.conversation,
            origin="model",
        )

        async def conclude(tx: Transaction, outcome: TurnOutcome) -> None:
            await self._answer(tx, turn.id, opening.place, outcome)

        async with self._typing(opening.place):
            try:
                await self._house.runner.run(turn.id, ctx, on_final=conclude)
            except TurnTakenOver:
                log.info("turn.taken_over", extra={"turn": turn.id})

    @property
    def _language(self) -> str:
        return self._house.language

    async def _open(self, opening: Opening) -> Turn:
        now = self._house.clock.now()
        turn = Turn(
            id=new_id(),
            conversation=opening.conversation,
            principal=opening.principal,
            channel=opening.place.channel,
            origin_event=opening.event,
            state="running",
            reason=None,
            step=0,
            epoch=0,
            stop=False,
            started_at=now,
        )
        async with self._house.record.transaction() as tx:
            if await tx.turns.open(turn):
                await tx.turns.write(opening.entry(turn.id), epoch=0, now=now)
                return turn
            before = await tx.turns.by_event(opening.event)
        if before is None:
            raise RuntimeError(f"turn of {opening.event!r} can be neither opened nor found")
        return before

    async def _answer(self, tx: Transaction, turn: str, place: Place, outcome: TurnOutcome) -> None:
        now, key = self._house.clock.now(), f"turn:{turn}"
        if outcome.error is not None:
            facts = {"turn": turn, "reason": str(outcome.error), "mend": _mend(outcome.error)}
            log.warning("model.failed", extra=facts)
        if outcome.text and await self._speech.prose(tx, key, place, outcome.text, now):
            return
        said = _excuse(outcome, self._language)
        if said is not None:
            await self._speech.plain(tx, key, place, said, now)

    def _host_answer(self, inbound: Inbound) -> str | None:
        """Return what the host itself answers, or None where the model should."""
        if inbound.sender is None:
            return text("answer.nobody", self._language)
        if inbound.command is None:
            length = len(inbound.text)
            if length <= _LONGEST:
                return None
            return text("host.too_long", self._language, length=length, limit=_LONGEST)
        match inbound.command:
            case "start" | "help":
                return text(f"host.{inbound.command}", self._language)
            case unknown:
                return text("host.not_a_command", self._language, command=unknown)

    def _must_pair(self, sender: str | None) -> bool:
        """Tell whether somebody may talk only once an owner has let them in."""
        if self._house.entrance.strangers is not Strangers.PAIR:
            return False
        return sender is None or not self._house.people.is_known(sender)

    @asynccontextmanager
    async def _typing(self, place: Place) -> AsyncIterator[None]:
        channel = self._house.channels[place.channel]
        address = Address(channel=place.channel, chat=place.chat, thread=place.thread or None)

        async def keep_on() -> None:
            while True:
                with suppress(ChannelError):
                    await channel.signal(address, Typing())
                await asyncio.sleep(_TYPING)

        showing = asyncio.create_task(keep_on())
        try:
            yield
        finally:
            showing.cancel()
            with suppress(asyncio.CancelledError):
                await showing


def _once_a_day(inbound: Inbound, now: float) -> str:
    """Return the key of what a stranger is told no more than once a day in a chat."""
    address = inbound.address
    return f"stranger:{address.channel}:{address.chat}:{inbound.sender}:{now // _DAY:.0f}"


def _spoken(inbound: Inbound) -> str:
    return inbound.text if inbound.private else f"{inbound.sender_name}: {inbound.text}"


def _excuse(outcome: TurnOutcome, language: str) -> str | None:
    match outcome.reason:
        case RunEnd.CONFIRMATION_REQUIRED | RunEnd.INTERRUPTED:
            return None
        case RunEnd.FAILED:
            return text(_failure(outcome.error), language)
        case RunEnd.FINAL_ANSWER:
            return text("host.no_words", language)
        case other:
            return text("host.no_answer", language, reason=str(other).replace("_", " "))


def _failure(error: Exception | None) -> str:
    """Return the key of what a person is told about a model that failed."""
    match error:
        case LlmUnavailable() | LlmOverloaded() | LlmRateLimited():
            return "host.model_unreachable"
        case LlmRefused():
            return "host.model_refused"
        case _:
            return "host.model_garbled"


def _mend(error: Exception) -> str:
    """Return what an operator should look at."""
    match error:
        case LlmAuthError():
            return "set COMAL_MODEL__API_KEY"
        case LlmRateLimited() | LlmOverloaded():
            return "the model's host is busy, or the account's limit is used up"
        case LlmRefused() if error.status == 404:
            return "set COMAL_MODEL__NAME, or COMAL_MODEL__BASE_URL"
        case LlmUnavailable() | LlmBadResponse():
            return "set COMAL_MODEL__BASE_URL, and see whether the model's host runs"
        case _:
            return "see what the model's host says"
