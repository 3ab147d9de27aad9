"""What people write in reply to cards, over real sockets: reasons, guidance and edits."""

import pytest

from comal_runtime.testing import ScriptedModel
from tests.support.stage import Stage, has_buttons, says

from .conftest import Shop

REFUND = "refund order 1007"


async def test_a_reason_that_is_needed_is_given_as_a_reply_and_completes_the_press(
    set_stage: Stage, shop: Shop, model: ScriptedModel
) -> None:
    ana, chat = set_stage.ana, set_stage.approvers
    routes = [{**set_stage.settings()["routes"][0], "reason": True}]
    async with set_stage.hosting([shop], model, routes=routes) as app:
        set_stage.rosa.send(set_stage.private, REFUND)
        card = await ana.wait_for(chat, has_buttons)
        pressed = await ana.press(chat, card.id, "Approve").answered()
        await app.until_idle()
        before = list(shop.ran)
        ana.send(chat, "yes")
        ana.send(chat, "the parcel came back", reply_to=card.id)
        await ana.wait_for(chat, says("executed"))
        await app.until_idle()

    assert pressed.text.startswith("This needs a reason")
    assert before == []
    assert shop.ran == [("refund", 1007, 10.0)]
    assert set_stage.rows("SELECT choice, reason FROM votes") == [("yes", "the parcel came back")]


@pytest.mark.failure_mode(34)
async def test_guidance_reaches_the_model_as_a_decision_and_not_as_an_error(
    set_stage: Stage, shop: Shop, model: ScriptedModel
) -> None:
    ana, chat = set_stage.ana, set_stage.approvers
    async with set_stage.hosting([shop], model) as app:
        set_stage.rosa.send(set_stage.private, REFUND)
        card = await ana.wait_for(chat, has_buttons)
        await ana.press(chat, card.id, "Ask for changes").answered()
        ana.send(chat, "only half of it", reply_to=card.id)
        closed = await ana.wait_for(chat, says("Changes asked by Ana"))
        await set_stage.rosa.wait_for(set_stage.private, says("I heard: rejected"))
        await app.until_idle()

    assert closed.text.endswith("— only half of it")
    assert shop.ran == []
    event = set_stage.rows("SELECT body FROM history WHERE role = 'event'")[0][0]
    assert "changes_requested" in event
    assert "only half of it" in event


async def test_an_edited_refund_is_approved_then_agreed_to_and_paid_as_edited(
    set_stage: Stage, shop: Shop, model: ScriptedModel
) -> None:
    rosa, ana, chat = set_stage.rosa, set_stage.ana, set_stage.approvers
    routes = [{**set_stage.settings()["routes"][0], "editable": {"amount": {"maximum": 10}}}]
    async with set_stage.hosting([shop], model, routes=routes) as app:
        rosa.send(set_stage.private, REFUND)
        card = await ana.wait_for(chat, has_buttons)
        await ana.press(chat, card.id, "Edit").answered()
        ana.send(chat, "amount = 4.5", reply_to=card.id)
        fresh = await ana.wait_for(chat, lambda view: bool(view.buttons) and "4.5" in view.text)
        await ana.press(chat, fresh.id, "Approve").answered()
        mine = await rosa.wait_for(
            set_stage.private, lambda view: any(one.label == "Approve" for one in view.buttons)
        )
        before = list(shop.ran)
        await rosa.press(set_stage.private, mine.id, "Approve").answered()
        await rosa.wait_for(set_stage.private, says("executed"))
        await app.until_idle()

    assert fresh.id != card.id
    assert before == []
    assert shop.ran == [("refund", 1007, 4.5)]


async def test_a_question_is_withdrawn_from_the_requesters_chat_and_ends_in_both(
    set_stage: Stage, shop: Shop, model: ScriptedModel
) -> None:
    rosa, chat = set_stage.rosa, set_stage.approvers
    async with set_stage.hosting([shop], model) as app:
        rosa.send(set_stage.private, REFUND)
        mine = await rosa.wait_for(set_stage.private, has_buttons)
        await rosa.press(set_stage.private, mine.id, "Withdraw").answered()
        closed = await set_stage.ana.wait_for(chat, says("Cancelled by Rosa"))
        await rosa.wait_for(set_stage.private, says("I heard: cancelled"))
        await app.until_idle()

    assert not closed.buttons
    assert shop.ran == []
