"""Taps: whoever presses hears something soon, however long it takes what follows."""

import asyncio
from pathlib import Path

import pytest

import comal_bot.taps
from comal_bot.inbox import Intake

from .rig import rig
from .wire import ANA, APPROVERS, BRUNO, tapped


async def test_a_press_is_answered_although_somebody_who_hears_of_it_takes_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """AP-19: nobody is left with a spinner, and the card says what came of it."""
    monkeypatch.setattr(comal_bot.taps, "_SOON", 0.05)
    heard = asyncio.Event()
    async with rig(tmp_path) as at:

        @at.house.registry.dispatcher.on("verification.granted")
        async def takes_long(event: object) -> None:
            await heard.wait()

        await at.say('call refund {"order": 7}', sender=BRUNO)
        card = at.wire.card(APPROVERS)
        press = tapped(900, card.data[0], ANA, APPROVERS, card.message)
        await Intake(at.record, at.clock, at.wire)([press])
        working = asyncio.create_task(at.hands.work())
        async with asyncio.timeout(3):
            while not at.wire.answers:
                await asyncio.sleep(0.001)
        before = at.one("SELECT state FROM questions")
        heard.set()
        await working
        await at.settle()

        assert before == "approved"
        assert at.wire.answers == ["This takes a moment; the card will say what comes of it."]
        assert "executed" in at.wire.sent[card.message].text
        assert at.shop.ran == [7]
