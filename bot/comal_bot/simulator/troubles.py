"""Attempts on the bot's process and its line to Telegram."""

import asyncio
from typing import Final

from .cheating import Attempt, CheatFailed, OpenCard, ask_rosa
from .child import ChildState
from .ledger import CUSTOMERS

FROZEN_FOR = 8.0  # seconds, longer than the demo's lease of 5 and its grace of 2
SILENT_FOR = 5.0  # seconds
_STARTS_WITHIN = 8.0  # seconds between a tap and the start of what it allows
_DECLARED_WITHIN = 25.0  # seconds; a broadcast's 12, the grace, the lease, and the bot's own start
_LATE_WITHIN = 12.0  # seconds
_EVERY = 1_000_000  # calls, more than come
_STARTED: Final = frozenset({"started"})
_ENDED: Final = frozenset({"unknown", "done", "done_late", "failed", "void"})
_DONE: Final = frozenset({"done", "done_late"})


async def kill(attempt: Attempt) -> str:
    """Kill the bot in the middle of a broadcast, and wait until it says what it cannot know."""
    before = (await attempt.board.look_again()).letters
    card = await _running(attempt, "broadcast: fresh tamales today", "Broadcast")
    child = attempt.board.child
    starts, killed = child.view.starts, child.kill()
    if killed is None:
        return "The bot was down already; it is started again by itself."
    if not await attempt.until(lambda: child.view.starts > starts):
        return f"Process {killed} was killed and is not back yet."
    heir = child.view.pid
    written = (await attempt.board.look_again()).letters - before
    await attempt.act_in(card, _ENDED, _DECLARED_WITHIN)
    said = await attempt.outcome(card, "unknown", _LATE_WITHIN)
    more = (await attempt.board.look_again()).letters - before - written
    return (
        f"Process {killed} was killed after {written} of {len(CUSTOMERS)} letters; {heir} took "
        f"over and does not guess. {said} Letters sent by {heir} on its own: {more}"
    )


async def freeze(attempt: Attempt) -> str:
    """Freeze the bot while it prints, longer than its lease, and wait for the late end."""
    before = (await attempt.board.look_again()).labels
    card = await _running(attempt, "print labels", "Print labels")
    child = attempt.board.child
    pid = await child.freeze(FROZEN_FOR)
    if pid is None:
        return "The bot is down, so there was nothing to freeze."
    if child.view.state is not ChildState.RUNNING:
        return f"Process {pid} slept for {FROZEN_FOR:.0f} s and did not wake."
    await attempt.act_in(card, _DONE, _LATE_WITHIN)
    said = await attempt.outcome(card, "done late", _LATE_WITHIN)
    printed = (await attempt.board.look_again()).labels - before
    return (
        f"Process {pid} slept for {FROZEN_FOR:.0f} s in the middle of its work, woke and went on. "
        f"{said} Labels printed: {printed} for {len(CUSTOMERS)} customers"
    )


async def block_answers(attempt: Attempt) -> str:
    """Let nothing that Telegram answers reach the bot for a while."""
    cast = attempt.cast
    chat = cast.rosa.person.chat_with(cast.bot)
    begun = len(cast.world.transcript(chat))
    fault = attempt.faults.drop_answer(times=_EVERY)
    try:
        cast.rosa.person.send(chat, "show my notes")
        await asyncio.sleep(SILENT_FOR)
    finally:
        attempt.faults.remove(fault)
    lost = _EVERY - fault.left
    await attempt.until(lambda: len(cast.world.transcript(chat)) > begun + 1)
    await asyncio.sleep(1.0)
    answers = len(cast.world.transcript(chat)) - begun - 1
    return f"{lost} answers were lost. Rosa asked for her notes once and sees {answers} answer(s)."


async def _running(attempt: Attempt, words: str, title: str) -> OpenCard:
    """Let Rosa ask for something slow and confirm it; return its card once it has started.

    Raises:
        CheatFailed: It did not start.
    """
    card = await ask_rosa(attempt, words, title)
    attempt.board.tap(attempt.cast.rosa, card.view, card.yes)
    if not await attempt.act_in(card, _STARTED, _STARTS_WITHIN):
        raise CheatFailed(f"Rosa confirmed {words!r}, but it did not start; is the bot running?")
    attempt.remark(f"Rosa asked “{words}” and confirmed it.")
    await asyncio.sleep(1.2)  # in the middle, not at the very beginning
    return card
