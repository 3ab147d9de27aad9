"""Other people decide: a refund hangs in the approvers' chat."""

import re

from comal_runtime.testing import ScriptedModel
from tests.support.stage import Stage, has_buttons, says

from .conftest import Shop


async def test_only_a_listed_approver_decides_and_both_chats_are_told(
    set_stage: Stage, shop: Shop, model: ScriptedModel
) -> None:
    """AP-17: the requester is a member of the approver chat, and may not approve their own."""
    rosa, approvers = set_stage.rosa, set_stage.approvers
    async with set_stage.hosting([shop], model) as app:
        rosa.send(set_stage.private, "refund order 1007")
        waiting = await rosa.wait_for(set_stage.private, says("Waiting for an approver"))
        card = await set_stage.ana.wait_for(approvers, has_buttons)
        own = await rosa.press(approvers, card.id, "Approve").answered()
        unlisted = await set_stage.bruno.press(approvers, card.id, "Approve").answered()
        await app.until_idle()
        assert shop.ran == []
        await set_stage.ana.press(approvers, card.id, "Approve").answered()
        closed = await set_stage.ana.wait_for(approvers, says("executed"))
        copy = await rosa.wait_for(set_stage.private, says("executed"))
        await rosa.wait_for(set_stage.private, says("I heard: done"))
        await app.until_idle()

    assert "You asked for this yourself" in own.text
    assert unlisted.text == "This card is not yours to answer."
    assert [button.label for button in waiting.buttons] == ["Withdraw"]
    assert "1007" in card.text
    assert shop.ran == [("refund", 1007, 10.0)]
    assert "Approved by Ana" in closed.text
    assert copy.id == waiting.id
    acts = set_stage.rows("SELECT principal, state FROM acts")
    assert acts == [(f"telegram:{rosa.id}", "done")]


async def test_two_approvers_at_once_are_one_act_and_the_other_is_told(
    set_stage: Stage, shop: Shop, model: ScriptedModel
) -> None:
    async with set_stage.hosting([shop], model) as app:
        set_stage.rosa.send(set_stage.private, "refund order 1007")
        card = await set_stage.ana.wait_for(set_stage.approvers, has_buttons)
        taps = [
            person.press(set_stage.approvers, card.id, "Approve")
            for person in (set_stage.ana, set_stage.andres)
        ]
        answers = sorted([(await tap.answered()).text for tap in taps])
        await set_stage.ana.wait_for(set_stage.approvers, says("executed"))
        await app.until_idle()

    assert re.match("Already decided: (⏳|✅) Approved by (Ana|Andrés), ", answers[0])
    assert answers[1] == "Recorded."
    assert shop.ran == [("refund", 1007, 10.0)]


async def test_a_rejection_runs_nothing_and_the_model_hears_of_it(
    set_stage: Stage, shop: Shop, model: ScriptedModel
) -> None:
    async with set_stage.hosting([shop], model) as app:
        set_stage.rosa.send(set_stage.private, "refund order 1007")
        card = await set_stage.ana.wait_for(set_stage.approvers, has_buttons)
        set_stage.andres.press(set_stage.approvers, card.id, "Reject")
        await set_stage.ana.wait_for(set_stage.approvers, says("Rejected by Andrés"))
        await set_stage.rosa.wait_for(set_stage.private, says("Rejected by Andrés"))
        await set_stage.rosa.wait_for(set_stage.private, says("I heard: rejected"))
        await app.until_idle()

    assert shop.ran == []


async def test_the_model_never_reads_a_question_id_a_card_id_or_callback_data(
    set_stage: Stage, shop: Shop, model: ScriptedModel
) -> None:
    async with set_stage.hosting([shop], model) as app:
        set_stage.rosa.send(set_stage.private, "refund order 1007")
        card = await set_stage.ana.wait_for(set_stage.approvers, has_buttons)
        await set_stage.ana.press(set_stage.approvers, card.id, "Approve").answered()
        await set_stage.rosa.wait_for(set_stage.private, says("I heard: done"))
        await app.until_idle()

    secrets = [row[0] for row in set_stage.rows("SELECT id FROM questions")]
    secrets += [row[0] for row in set_stage.rows("SELECT id FROM cards")]
    read = repr(model.requests)
    assert len(secrets) >= 3
    assert not [secret for secret in secrets if secret in read]
