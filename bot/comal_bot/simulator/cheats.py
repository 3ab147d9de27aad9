"""Attempts to get round the rules, each really made; what came back is what is shown."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Final

from .board import Board
from .cheating import NO_ANSWER, Attempt, CheatFailed, answer_to, card_for
from .faults import Faults
from .troubles import block_answers, freeze, kill

Carry = Callable[[Attempt], Coroutine[object, object, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cheat:
    """One attempt: its name, what it tries in one line, and how it is made."""

    title: str
    tries: str
    carry: Carry


class Cheats:
    """Makes one attempt at a time."""

    def __init__(self, board: Board, faults: Faults) -> None:
        self._board = board
        self._faults = faults
        self._one = asyncio.Lock()

    async def attempt(self, name: str) -> str:
        """Make the attempt and return what came back, in plain words.

        Raises:
            CheatFailed: There is no such attempt, another is being made, it could not be made, or
                the demo ends.
        """
        cheat = CHEATS.get(name)
        if cheat is None:
            raise CheatFailed(f"there is no attempt {name!r}; known: {', '.join(CHEATS)}")
        if self._one.locked():
            raise CheatFailed("another attempt is being made; wait until it is over")
        async with self._one:
            attempt = Attempt(board=self._board, faults=self._faults)
            came_back = await self._unless_ending(cheat.carry(attempt))
            return " ".join((*attempt.remarks, came_back))

    async def _unless_ending(self, carried: Coroutine[object, object, str]) -> str:
        work = asyncio.create_task(carried)
        ending = asyncio.create_task(self._board.ending.wait())
        try:
            await asyncio.wait((work, ending), return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                raise CheatFailed("the demo ends")
            return work.result()
        finally:
            work.cancel()
            ending.cancel()
            await asyncio.gather(work, ending, return_exceptions=True)


async def _bystander(attempt: Attempt) -> str:
    card = await card_for(attempt, anywhere=True)
    press = attempt.board.tap(attempt.cast.bruno, card.view, card.yes)
    return f"Bruno was told: {await answer_to(press)} {attempt.still(card)}"


async def _own_request(attempt: Attempt) -> str:
    card = await card_for(attempt, asked_by_rosa=True)
    press = attempt.board.tap(attempt.cast.rosa, card.view, card.yes)
    return f"Rosa was told: {await answer_to(press)} {attempt.still(card)}"


async def _replay(attempt: Attempt) -> str:
    if attempt.last_accepted() is None:
        card = await card_for(attempt)
        unpaid = await attempt.refunds()
        first = attempt.board.tap(attempt.cast.ana, card.view, card.yes)
        attempt.remark(f"(No tap had counted yet, so Ana approved: {await answer_to(first)})")
        await attempt.paid_since(unpaid, 1)
    before = await attempt.refunds()
    last = attempt.last_accepted()
    if last is None:
        raise CheatFailed("no tap was accepted, so there is none to replay; is the bot running?")
    press = attempt.board.tap(last.player, last.view, last.data)
    said = await answer_to(press)
    paid = await attempt.paid_since(before, 0)
    return f"{last.player.name} was told: {said} Refunds paid by the replay: {paid}"


async def _twice(attempt: Attempt) -> str:
    card, before = await card_for(attempt), await attempt.refunds()
    presses = [attempt.board.tap(attempt.cast.ana, card.view, card.yes) for _ in range(2)]
    first, second = [await answer_to(press) for press in presses]
    paid = await attempt.paid_since(before, 1)
    return f"Ana's taps were answered: {first} and {second} Refunds paid: {paid}"


async def _both(attempt: Attempt) -> str:
    card, before = await card_for(attempt), await attempt.refunds()
    who = (attempt.cast.ana, attempt.cast.andres)
    presses = [attempt.board.tap(player, card.view, card.yes) for player in who]
    ana, andres = [await answer_to(press) for press in presses]
    paid = await attempt.paid_since(before, 1)
    return f"Ana was told: {ana} Andrés was told: {andres} Refunds paid: {paid}"


async def _forged(attempt: Attempt) -> str:
    card, before = await card_for(attempt), await attempt.refunds()
    invented = f"q1:{'A' * 22}:y"
    forged = (invented, card.yes + "es", f"q1:{card.yes[3:]}:y", "approve refund_order 1007")
    presses = [attempt.board.tap(attempt.cast.ana, card.view, data) for data in forged]
    told = sorted({await answer_to(press) for press in presses})
    paid = await attempt.paid_since(before, 0)
    return f"{len(forged)} forgeries by Ana were answered: {' '.join(told)} Refunds paid: {paid}"


async def _redelivery(attempt: Attempt) -> str:
    cast = attempt.cast
    chat = cast.rosa.person.chat_with(cast.bot)
    begun = len(cast.world.transcript(chat))
    cast.rosa.person.send(chat, "show my notes")
    update = cast.world.updates(cast.bot.id)[-1]
    if not await attempt.until(lambda: len(cast.world.transcript(chat)) > begun + 1):
        return f"{NO_ANSWER} Is the bot running?"
    cast.world.redeliver(update.id)
    await asyncio.sleep(2.5)
    answers = len(cast.world.transcript(chat)) - begun - 1
    return f"The bot was given update {update.id} twice and answered {_times(answers)}."


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


CHEATS: Final[Mapping[str, Cheat]] = {
    "bystander": Cheat(
        title="Tap as a bystander",
        tries="Bruno, who decides nothing, presses the newest open card.",
        carry=_bystander,
    ),
    "own-request": Cheat(
        title="Approve your own request",
        tries="Rosa, who asked, presses Approve on the approvers' card.",
        carry=_own_request,
    ),
    "replay": Cheat(
        title="Replay the last tap that counted",
        tries="The last accepted tap is sent again, the same to the letter.",
        carry=_replay,
    ),
    "twice": Cheat(
        title="Tap twice at once",
        tries="Ana presses Approve twice in the same instant.",
        carry=_twice,
    ),
    "both": Cheat(
        title="Both approvers at once",
        tries="Ana and Andrés press Approve in the same instant.",
        carry=_both,
    ),
    "forged": Cheat(
        title="Forge the button's data",
        tries="A forged client sends tap data that no button carries.",
        carry=_forged,
    ),
    "redelivery": Cheat(
        title="Deliver an update twice",
        tries="Rosa's message reaches the bot a second time under the same id.",
        carry=_redelivery,
    ),
    "kill": Cheat(
        title="kill -9 the bot",
        tries="The process is killed in the middle of Rosa's broadcast. Takes about 20 s.",
        carry=kill,
    ),
    "freeze": Cheat(
        title="Freeze the bot for 8 s",
        tries="The process is stopped (SIGSTOP) while it prints labels, longer than its lease.",
        carry=freeze,
    ),
    "block": Cheat(
        title="Lose the Bot API's answers for 5 s",
        tries="Telegram does what it is asked, but no answer reaches the bot.",
        carry=block_answers,
    ),
}
"""Every attempt, in the order the page shows them."""
