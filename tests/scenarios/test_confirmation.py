"""A person and their bot: questions, cards and what runs, over real sockets."""

import asyncio

from comal_runtime.testing import ScriptedModel
from tests.support.stage import Stage, eventually, has_buttons, says

from .conftest import Shop

CARD = "Delete note"


async def test_a_question_that_changes_nothing_is_answered_at_once(
    set_stage: Stage, shop: Shop, model: ScriptedModel
) -> None:
    async with set_stage.hosting([shop], model):
        set_stage.rosa.send(set_stage.private, "list")

        answer = await set_stage.rosa.wait_for(set_stage.private, says("milk"))

    assert "bread" in answer.text
    assert not answer.buttons


async def test_a_confirmed_call_runs_once_closes_its_card_and_is_told_to_the_model(
    set_stage: Stage, shop: Shop, model: ScriptedModel
) -> None:
    async with set_stage.hosting([shop], model):
        set_stage.rosa.send(set_stage.private, "delete note 2")
        card = await set_stage.rosa.wait_for(set_stage.private, has_buttons)
        assert shop.ran == []
        assert CARD in card.text
        assert "2" in card.text
        press = set_stage.rosa.press(set_stage.private, card.id, "Confirm")
        await press.answered()
        heard = await set_stage.rosa.wait_for(set_stage.private, says("I heard: done"))
        closed = await set_stage.rosa.wait_for(set_stage.private, says("executed"))

    assert shop.ran == [("delete_note", 2)]
    assert closed.id == card.id
    assert not closed.buttons
    assert "Confirmed by Rosa" in closed.text
    assert "note 2 is gone" in heard.text


async def test_a_cancelled_call_never_runs(
    set_stage: Stage, shop: Shop, model: ScriptedModel
) -> None:
    async with set_stage.hosting([shop], model) as app:
        set_stage.rosa.send(set_stage.private, "delete note 2")
        card = await set_stage.rosa.wait_for(set_stage.private, has_buttons)
        set_stage.rosa.press(set_stage.private, card.id, "Cancel")
        closed = await set_stage.rosa.wait_for(set_stage.private, says("Cancelled by Rosa"))
        await set_stage.rosa.wait_for(set_stage.private, says("I heard: cancelled"))
        await app.until_idle()

    assert shop.ran == []
    assert closed.id == card.id
    assert not closed.buttons


async def test_a_double_tap_is_one_act_and_the_second_is_told(
    set_stage: Stage, shop: Shop, model: ScriptedModel
) -> None:
    async with set_stage.hosting([shop], model) as app:
        set_stage.rosa.send(set_stage.private, "delete note 2")
        card = await set_stage.rosa.wait_for(set_stage.private, has_buttons)
        taps = [set_stage.rosa.press(set_stage.private, card.id, "Confirm") for _ in range(3)]
        answers = [await tap.answered() for tap in taps]
        await set_stage.rosa.wait_for(set_stage.private, says("executed"))
        await app.until_idle()

    assert shop.ran == [("delete_note", 2)]
    *late, first = sorted(answer.text for answer in answers)
    assert first == "Recorded."
    assert len(late) == 2
    assert all("decided: " in one and "Confirmed by Rosa" in one for one in late)


async def test_a_bystanders_tap_is_refused_and_the_card_stays_open(
    set_stage: Stage, shop: Shop, model: ScriptedModel
) -> None:
    async with set_stage.hosting([shop], model) as app:
        set_stage.rosa.send(set_stage.group, "@comal_bot delete note 2")
        card = await set_stage.rosa.wait_for(set_stage.group, has_buttons)
        refused = await set_stage.bruno.press(set_stage.group, card.id, "Confirm").answered()
        await app.until_idle()
        after = set_stage.rosa.transcript(set_stage.group)[-1]
        ran_before = list(shop.ran)
        set_stage.rosa.press(set_stage.group, card.id, "Confirm")
        await set_stage.rosa.wait_for(set_stage.group, says("executed"))

    assert refused.text == "This card is not yours to answer."
    assert refused.alert
    assert ran_before == []
    assert after.buttons
    assert shop.ran == [("delete_note", 2)]


async def test_forged_copied_and_foreign_callback_data_decides_nothing(
    set_stage: Stage, shop: Shop, model: ScriptedModel
) -> None:
    async with set_stage.hosting([shop], model) as app:
        set_stage.rosa.send(set_stage.private, "delete note 2")
        card = await set_stage.rosa.wait_for(set_stage.private, has_buttons)
        data = card.buttons[0].data
        assert data is not None
        set_stage.rosa.send(set_stage.group, "@comal_bot list")
        other = await set_stage.rosa.wait_for(set_stage.group, says("milk"))
        said = [
            (await set_stage.rosa.press_raw(set_stage.private, card.id, forged).answered()).text
            for forged in ("q1:AAAAAAAAAAAAAAAAAAAAAA:y", "q1:x:y", "", data + "y", "yes")
        ]
        copied = await set_stage.rosa.press_raw(set_stage.group, other.id, data).answered()
        await app.until_idle()

    assert set(said) == {"Unknown button."}
    assert copied.text == "This button was copied from another message."
    assert shop.ran == []


async def test_typing_yes_never_decides(set_stage: Stage, shop: Shop, model: ScriptedModel) -> None:
    async with set_stage.hosting([shop], model) as app:
        set_stage.rosa.send(set_stage.private, "delete note 2")
        await set_stage.rosa.wait_for(set_stage.private, has_buttons)
        set_stage.rosa.send(set_stage.private, "yes, confirm it, approved")
        await set_stage.rosa.wait_for(set_stage.private, says("I have no answer"))
        await app.until_idle()

    assert shop.ran == []
    assert set_stage.rows("SELECT state FROM questions") == [("open",)]


async def test_the_same_update_twice_is_one_turn(
    set_stage: Stage, shop: Shop, model: ScriptedModel
) -> None:
    set_stage.faults.duplicate_next_update(set_stage.bot.user.id, times=2)
    async with set_stage.hosting([shop], model) as app:
        set_stage.rosa.send(set_stage.private, "list")
        await set_stage.rosa.wait_for(set_stage.private, says("milk"))
        update = set_stage.world.updates(set_stage.bot.user.id)[0]
        set_stage.world.redeliver(update.id)
        await asyncio.sleep(0.3)
        await app.until_idle()

    answers = [v for v in set_stage.rosa.transcript(set_stage.private) if says("milk")(v)]
    assert len(answers) == 1
    assert set_stage.rows("SELECT COUNT(*) FROM turns") == [(1,)]


async def test_an_expired_card_says_so_and_its_button_does_nothing(
    set_stage: Stage, shop: Shop, model: ScriptedModel
) -> None:
    changes = {"host": {"lease": 2, "grace": 0.5, "confirmation_ttl": 1}}
    async with set_stage.hosting([shop], model, **changes) as app:
        set_stage.rosa.send(set_stage.private, "delete note 2")
        card = await set_stage.rosa.wait_for(set_stage.private, has_buttons)
        data = card.buttons[0].data
        assert data is not None
        closed = await set_stage.rosa.wait_for(set_stage.private, says("Expired"))
        late = await set_stage.rosa.press_raw(set_stage.private, card.id, data).answered()
        await set_stage.rosa.wait_for(set_stage.private, says("I heard: expired"))
        await app.until_idle()

    assert [button.label for button in closed.buttons] == ["Ask again"]
    assert "nothing was done" in closed.text
    assert late.text == "Expired: nothing was done. Ask again."
    assert shop.ran == []


async def test_each_of_two_parallel_calls_gets_its_own_card_and_answer(
    set_stage: Stage, shop: Shop, model: ScriptedModel
) -> None:
    """AP-10: the answer for one is never routed to the other."""
    async with set_stage.hosting([shop], model) as app:
        set_stage.rosa.send(set_stage.private, "both 1 2")

        def cards() -> list[object]:
            return [v for v in set_stage.rosa.transcript(set_stage.private) if v.buttons]

        first, second = await eventually(lambda: cards() if len(cards()) == 2 else None)
        set_stage.rosa.press(set_stage.private, second.id, "Confirm")
        set_stage.rosa.press(set_stage.private, first.id, "Cancel")
        await set_stage.rosa.wait_for(set_stage.private, says("I heard: done"))
        await set_stage.rosa.wait_for(set_stage.private, says("I heard: cancelled"))
        await app.until_idle()

    assert shop.ran == [("delete_note", 2)]
