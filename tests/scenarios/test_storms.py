"""Many presses in one instant, on every copy, by everybody, with two hosts at work."""

import asyncio

import pytest

from comal_bot.simulator.values import Chat, MessageView
from comal_runtime.testing import ScriptedModel
from tests.support.stage import Stage, has_buttons, says

from .conftest import Shop


@pytest.mark.failure_mode(6)
async def test_fifty_presses_in_one_instant_are_one_decision_and_one_act(
    set_stage: Stage, shop: Shop, model: ScriptedModel
) -> None:
    ana, andres, bruno = set_stage.ana, set_stage.andres, set_stage.bruno
    chats = (set_stage.approvers, set_stage.group)
    route = {
        "tool": "refund",
        "approvers": [f"telegram:{one.id}" for one in (ana, andres)],
        "cards": [f"main:{chat.id}" for chat in chats],
    }
    async with (
        set_stage.hosting([shop], model, routes=[route]) as one,
        set_stage.hosting([shop], model, routes=[route]) as two,
    ):
        set_stage.rosa.send(set_stage.private, "refund order 7")
        cards: list[tuple[Chat, MessageView]] = [
            (chat, await ana.wait_for(chat, has_buttons)) for chat in chats
        ]
        presses = []
        for number in range(50):
            chat, card = cards[number % 2]
            who = bruno if chat is set_stage.group and number % 10 == 1 else ana
            who = andres if chat is set_stage.approvers and number % 4 == 2 else who
            presses.append(who.press(chat, card.id, "Approve"))
        told = [(await press.answered()).text for press in presses]
        for chat in chats:
            await ana.wait_for(chat, says("executed"))
        await asyncio.gather(one.until_idle(), two.until_idle())
        closed = [
            view for chat, card in cards for view in ana.transcript(chat) if view.id == card.id
        ]

    assert told.count("Recorded.") == 1
    assert shop.ran == [("refund", 7, 10.0)]
    assert set_stage.rows("SELECT COUNT(*) FROM votes") == [(1,)]
    assert set_stage.rows("SELECT state FROM acts") == [("done",)]
    assert [bool(view.buttons) for view in closed] == [False, False]
