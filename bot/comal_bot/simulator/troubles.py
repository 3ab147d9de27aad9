"""Attempts on the bot's process and its line to Telegram."""

import asyncio

from .cheating import Attempt, card_for
from .child import ChildState

FROZEN_FOR = 8.0  # seconds, longer than the demo's lease of 5 and its grace of 2
SILENT_FOR = 5.0  # seconds
_UNTIL_HIT = 0.02  # seconds between the tap and the blow
_EVERY = 1_000_000  # calls, more than come


async def kill(attempt: Attempt) -> str:
    """Kill the bot while it works on an approval, and wait until it is back."""
    before = await _approve(attempt)
    await asyncio.sleep(_UNTIL_HIT)
    child = attempt.board.child
    starts, killed = child.view.starts, child.kill()
    if killed is None:
        return "The bot was down already; it is started again by itself."
    back = await attempt.until(lambda: child.view.starts > starts)
    paid = await attempt.paid_since(before, 1)
    if not back:
        return f"Process {killed} was killed and is not back yet. Refunds paid: {paid}"
    return f"Process {killed} was killed; {child.view.pid} took over. Refunds paid: {paid}"


async def freeze(attempt: Attempt) -> str:
    """Freeze the bot while it works on an approval, longer than its lease."""
    before = await _approve(attempt)
    await asyncio.sleep(_UNTIL_HIT)
    pid = await attempt.board.child.freeze(FROZEN_FOR)
    if pid is None:
        return "The bot is down, so there was nothing to freeze."
    paid = await attempt.paid_since(before, 1)
    running = attempt.board.child.view.state is ChildState.RUNNING
    woke = "woke and went on" if running else "did not wake"
    return f"Process {pid} slept for {FROZEN_FOR:.0f} s and {woke}. Refunds paid: {paid}"


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


async def _approve(attempt: Attempt) -> int:
    """Let Ana approve the newest refund; return how many had been paid before."""
    card, before = await card_for(attempt), await attempt.refunds()
    attempt.board.tap(attempt.cast.ana, card.view, card.yes)
    return before
