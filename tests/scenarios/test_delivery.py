"""Delivery to a server that loses answers, asks for patience, or is blocked by people."""

import time

from comal_bot.simulator.values import MessageView
from comal_runtime.testing import ScriptedModel
from tests.support.stage import Stage, eventually, has_buttons, says

from .conftest import Shop


def cards(at: Stage) -> list[MessageView]:
    return [v for v in at.rosa.transcript(at.private) if "Delete note" in v.text]


async def test_a_card_whose_sending_is_uncertain_comes_again_and_both_copies_converge(
    set_stage: Stage, shop: Shop, model: ScriptedModel
) -> None:
    rosa, chat = set_stage.rosa, set_stage.private
    async with set_stage.hosting([shop], model) as app:
        set_stage.faults.drop_answer(method="sendMessage")
        rosa.send(chat, "delete note 2")
        first, second = await eventually(
            lambda: cards(set_stage) if len(cards(set_stage)) == 2 else ()
        )
        answer = await rosa.press(chat, first.id, "Confirm").answered()
        await eventually(lambda: all("executed" in v.text for v in cards(set_stage)))
        again = await rosa.press_raw(chat, second.id, second.buttons[0].data or "").answered()
        await app.until_idle()

    assert first.buttons[0].data != second.buttons[0].data
    assert answer.text == "Recorded."
    assert again.text.startswith("Already decided: ")
    assert [v.buttons for v in cards(set_stage)] == [(), ()]
    assert shop.ran == [("delete_note", 2)]
    assert set_stage.rows("SELECT COUNT(*) FROM cards WHERE message IS NULL") == [(0,)]


async def test_an_answer_whose_sending_is_uncertain_is_not_repeated(
    set_stage: Stage, shop: Shop, model: ScriptedModel
) -> None:
    rosa, chat = set_stage.rosa, set_stage.private
    async with set_stage.hosting([shop], model) as app:
        set_stage.faults.drop_answer(method="sendMessage")
        rosa.send(chat, "list")
        await eventually(lambda: set_stage.rows("SELECT 1 FROM outbox WHERE state = 'uncertain'"))
        await app.until_idle()

    assert len([v for v in rosa.transcript(chat) if says("milk")(v)]) == 1


async def test_a_chat_that_asks_for_patience_holds_up_no_other_chat_across_a_restart(
    set_stage: Stage, shop: Shop, model: ScriptedModel
) -> None:
    rosa, bruno = set_stage.rosa, set_stage.bruno
    other = bruno.chat_with(set_stage.bot)
    async with set_stage.hosting([shop], model):
        set_stage.faults.too_many_requests(2, method="sendMessage")
        rosa.send(set_stage.private, "list")
        await eventually(lambda: set_stage.rows("SELECT 1 FROM chats WHERE not_before > 0"))
        refused_at = time.monotonic()
        bruno.send(other, "list")
        await bruno.wait_for(other, says("milk"))
        meanwhile = [v for v in rosa.transcript(set_stage.private) if v.sender.is_bot]

    async with set_stage.hosting([shop], model):
        await rosa.wait_for(set_stage.private, says("milk"))
        waited = time.monotonic() - refused_at

    assert meanwhile == []
    assert waited > 1.8
    assert len([v for v in rosa.transcript(set_stage.private) if says("milk")(v)]) == 1


async def test_a_person_who_blocked_the_bot_is_left_alone_until_they_write_again(
    set_stage: Stage, shop: Shop, model: ScriptedModel
) -> None:
    rosa, chat, bot = set_stage.rosa, set_stage.private, set_stage.bot
    async with set_stage.hosting([shop], model) as app:
        rosa.send(chat, "list")
        set_stage.faults.block(rosa.id, bot.id)
        await eventually(lambda: set_stage.rows("SELECT 1 FROM chats WHERE gone = 1"))
        set_stage.faults.unblock(rosa.id, bot.id)
        rosa.send(chat, "list")
        await rosa.wait_for(chat, says("milk"))
        await app.until_idle()

    assert set_stage.rows("SELECT gone FROM chats") == [(0,)]
    assert len([v for v in rosa.transcript(chat) if says("milk")(v)]) == 1


async def test_a_decision_reaches_its_card_before_answers_that_wait_longer(
    set_stage: Stage, shop: Shop, model: ScriptedModel
) -> None:
    """The chat is at its pace's end: the card is edited first all the same."""
    rosa, chat = set_stage.rosa, set_stage.private
    async with set_stage.hosting([shop], model):
        rosa.send(chat, "delete note 2")
        card = await rosa.wait_for(chat, has_buttons)
        for _ in range(8):
            rosa.send(chat, "list")
        await eventually(lambda: set_stage.rows("SELECT 1 FROM outbox WHERE error = 'pace'"))
        rosa.press(chat, card.id, "Confirm")
        await rosa.wait_for(chat, says("executed"))
        waiting = set_stage.rows("SELECT COUNT(*) FROM outbox WHERE state = 'waiting'")[0][0]

    assert waiting > 0
    assert shop.ran == [("delete_note", 2)]


async def test_the_servers_own_repetitions_are_one_turn(
    set_stage: Stage, shop: Shop, model: ScriptedModel
) -> None:
    """TD-01, TD-05: delivered again at once, and again after a restart."""
    rosa, chat = set_stage.rosa, set_stage.private
    set_stage.faults.duplicate_next_update(set_stage.bot.user.id, times=1)
    async with set_stage.hosting([shop], model) as app:
        rosa.send(chat, "delete note 2")
        card = await rosa.wait_for(chat, has_buttons)
        rosa.press(chat, card.id, "Confirm")
        await rosa.wait_for(chat, says("I heard: done"))
        await app.until_idle()

    async with set_stage.hosting([shop], model) as app:
        for update in set_stage.world.updates(set_stage.bot.user.id):
            set_stage.world.redeliver(update.id)
        rosa.send(chat, "list")
        await rosa.wait_for(chat, says("milk"))
        await app.until_idle()

    assert shop.ran == [("delete_note", 2)]
    assert len(cards(set_stage)) == 1


async def test_a_server_that_fails_for_a_while_delays_the_answer_only(
    set_stage: Stage, shop: Shop, model: ScriptedModel
) -> None:
    rosa, chat = set_stage.rosa, set_stage.private
    async with set_stage.hosting([shop], model) as app:
        rosa.send(chat, "delete note 2")
        card = await rosa.wait_for(chat, has_buttons)
        set_stage.faults.server_error(502, method="editMessageText", times=1)
        set_stage.faults.server_error(500, method="getUpdates", times=1)
        rosa.press(chat, card.id, "Confirm")
        closed = await rosa.wait_for(chat, says("executed"))
        await app.until_idle()

    assert not closed.buttons
    assert shop.ran == [("delete_note", 2)]
