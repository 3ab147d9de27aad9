"""Cards that cannot be changed any more, and presses after a restart that came too late."""

import pytest

from comal_bot.simulator.faults import Refuse
from comal_bot.simulator.refusal import bad_request
from comal_runtime.testing import ScriptedModel
from tests.support.stage import Stage, eventually, has_buttons, says

from .conftest import Shop


@pytest.mark.failure_mode(26)
@pytest.mark.parametrize("why", ["message to edit not found", "message can't be edited"])
async def test_a_card_that_cannot_be_changed_is_followed_by_a_message_that_says_the_outcome(
    set_stage: Stage, shop: Shop, model: ScriptedModel, why: str
) -> None:
    """AP-07: the decision counts once, and what came of it is said."""
    rosa, chat = set_stage.rosa, set_stage.private
    async with set_stage.hosting([shop], model) as app:
        rosa.send(chat, "delete note 2")
        card = await rosa.wait_for(chat, has_buttons)
        refusal = Refuse(refusal=bad_request(why))
        set_stage.faults._order(refusal, "editMessageText", 1)
        answer = await rosa.press(chat, card.id, "Confirm").answered()
        new = await rosa.wait_for(chat, lambda view: view.id != card.id and says("executed")(view))
        await app.until_idle()
        old = next(view for view in rosa.transcript(chat) if view.id == card.id)

    assert answer.text == "Recorded."
    assert not new.buttons
    assert shop.ran == [("delete_note", 2)]
    assert bool(old.buttons) is (why == "message to edit not found")


@pytest.mark.failure_mode(24)
async def test_a_press_after_a_restart_that_comes_too_late_is_told_so_and_the_model_hears_once(
    set_stage: Stage, shop: Shop, model: ScriptedModel
) -> None:
    """AP-05: never a loop; nothing is executed."""
    rosa, chat = set_stage.rosa, set_stage.private
    changes = {"host": {"lease": 2, "grace": 0.5, "confirmation_ttl": 0.2}}
    async with set_stage.hosting([shop], model, **changes):
        rosa.send(chat, "delete note 2")
        card = await rosa.wait_for(chat, has_buttons)
    data = card.buttons[0].data
    assert data is not None
    press = rosa.press_raw(chat, card.id, data)
    await eventually(
        lambda: set_stage.rows("SELECT 1 FROM questions WHERE expires_at < unixepoch('now')")
    )
    async with set_stage.hosting([shop], model, **changes) as app:
        told = await press.answered()
        await rosa.wait_for(chat, says("nothing was done"))
        await app.until_idle()

    heard = [view for view in rosa.transcript(chat) if says("I heard: expired")(view)]
    assert told.text.startswith("Expired")
    assert len(heard) == 1
    assert shop.ran == []
