"""Unknown acts: who may settle, leave or repeat them, and what becomes of each."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from comal_bot.buttons import EDIT, IT_WAS_DONE, LEAVE_IT, NO, REPEAT, YES

from .bank import (
    OWNED,
    OWNER,
    STRANGER,
    VERIFIED,
    Bank,
    at_bank,
    audited,
    left_undone,
    press,
    states,
    unknown,
    until,
)
from .rig import house_settings
from .wire import ANA, APPROVERS, BRUNO, ROSA


@pytest.fixture
def bank() -> Iterator[Bank]:
    made = Bank()
    yield made
    made.hold.set()


async def test_a_card_of_unknown_outcome_offers_three_remedies_on_every_copy(
    tmp_path: Path, bank: Bank
) -> None:
    async with at_bank(tmp_path, bank) as at:
        await unknown(at, VERIFIED, BRUNO, APPROVERS)
        cards = [one for one in at.wire.sent.values() if one.data]

    assert {one.chat for one in cards} == {str(APPROVERS), str(BRUNO)}
    assert all([d[-1] for d in one.data] == [IT_WAS_DONE, REPEAT, LEAVE_IT] for one in cards)


async def test_it_was_done_settles_the_act_by_name_and_the_model_hears(
    tmp_path: Path, bank: Bank
) -> None:
    async with at_bank(tmp_path, bank) as at:
        card = await unknown(at)
        said = await press(at, card, IT_WAS_DONE, ROSA)
        after = at.wire.sent[card.message]
        await at.house.registry.audit.flush()

        assert said == "Recorded."
        assert "done (says Rosa)" in after.text
        assert after.data == []
        assert states(at) == ["settled_done"]
        assert at.one("SELECT settled_by FROM acts") == f"telegram:{ROSA}"
        assert any("I heard: settled_done" in text for text in at.wire.texts(ROSA))
        assert audited(at) == [("act_settled_done", f"telegram:{ROSA}")]


async def test_leave_it_keeps_the_act_unknown_and_says_who_left_it(
    tmp_path: Path, bank: Bank
) -> None:
    async with at_bank(tmp_path, bank) as at:
        card = await unknown(at)
        await press(at, card, LEAVE_IT, ROSA)
        after = at.wire.sent[card.message]
        late = await press(at, card, IT_WAS_DONE, ROSA)
        await at.house.registry.audit.flush()

        assert "outcome unknown, left so by Rosa" in after.text
        assert after.data == []
        assert late == "This is settled already."
        assert states(at) == ["unknown"]
        assert audited(at) == [("act_left", f"telegram:{ROSA}")]


@pytest.mark.failure_mode(6, 32)
async def test_do_it_again_asks_anew_under_the_same_key_and_only_once(
    tmp_path: Path, bank: Bank
) -> None:
    async with at_bank(tmp_path, bank) as at:
        card = await unknown(at)
        first = await press(at, card, REPEAT, ROSA)
        second = await press(at, card, REPEAT, ROSA)
        again = at.wire.card(ROSA)
        ran_before_the_yes = len(bank.keys)
        await at.tap(again.data[0], again, sender=ROSA)

        assert first == "Asked again; there is a new card."
        assert "asked for again already" in second
        assert "does again what may have been done before" in again.text
        assert "may still be running" not in again.text
        assert ran_before_the_yes == 1
        assert len(bank.keys) == 2
        assert len(set(bank.keys)) == 1
        assert sorted(states(at)) == ["done", "unknown"]
        assert at.one("SELECT COUNT(*) FROM questions WHERE repeats IS NOT NULL") == 1
        assert any("I heard: done" in text for text in at.wire.texts(ROSA))


@pytest.mark.failure_mode(8)
async def test_a_repetition_is_of_the_same_call_so_nobody_edits_it(
    tmp_path: Path, bank: Bank
) -> None:
    route = {
        "tool": "refund",
        "approvers": ["role:finance"],
        "cards": [f"main:{APPROVERS}"],
        "editable": {"order": {}},
    }
    settings = house_settings(people=OWNED, routes=[route])
    async with at_bank(tmp_path, bank, settings=settings) as at:
        first = await unknown(at, VERIFIED, BRUNO, APPROVERS)
        await press(at, first, REPEAT, ANA)
        again = at.wire.card(APPROVERS)
        forged = await at.tap(f"{again.data[0][:-1]}{EDIT}", again, sender=ANA)
        await at.reply("order = 8", again, sender=ANA)

        assert [one[-1] for one in again.data] == [YES, NO]
        assert forged == "Nothing of this may be edited."
        assert at.one("SELECT COUNT(*) FROM questions WHERE supersedes IS NOT NULL") == 0


@pytest.mark.parametrize("choice", [IT_WAS_DONE, REPEAT, LEAVE_IT])
@pytest.mark.parametrize("sender", [STRANGER, BRUNO])
@pytest.mark.failure_mode(3)
async def test_a_bystander_settles_nothing(
    tmp_path: Path, bank: Bank, choice: str, sender: int
) -> None:
    async with at_bank(tmp_path, bank) as at:
        card = await unknown(at)
        said = await press(at, card, choice, sender)

        assert said == "This card is not yours to answer."
        assert states(at) == ["unknown"]
        assert at.one("SELECT COUNT(*) FROM questions") == 1


@pytest.mark.failure_mode(3)
async def test_who_asked_for_what_others_approved_may_only_have_it_asked_again(
    tmp_path: Path, bank: Bank
) -> None:
    async with at_bank(tmp_path, bank) as at:
        await unknown(at, VERIFIED, BRUNO, APPROVERS)
        mine = at.wire.card(BRUNO)
        said = [await press(at, mine, choice, BRUNO) for choice in (IT_WAS_DONE, LEAVE_IT)]
        stands = states(at)
        again = await press(at, mine, REPEAT, BRUNO)
        anew = at.wire.card(APPROVERS)

        assert (
            said == ["You asked for this: others say whether it was done. You may do it again."] * 2
        )
        assert stands == ["unknown"]
        assert again == "Asked again; there is a new card."
        assert "does again" in anew.text
        assert at.rows("SELECT kind, state FROM questions WHERE repeats IS NOT NULL") == [
            ("verification", "open")
        ]


@pytest.mark.parametrize("sender", [ANA, OWNER])
async def test_an_approver_and_an_owner_settle_what_was_approved(
    tmp_path: Path, bank: Bank, sender: int
) -> None:
    async with at_bank(tmp_path, bank) as at:
        card = await unknown(at, VERIFIED, BRUNO, APPROVERS)
        await press(at, card, IT_WAS_DONE, sender)

        assert states(at) == ["settled_done"]


@pytest.mark.failure_mode(14)
async def test_a_first_attempt_that_ends_late_takes_the_open_repetition_back(
    tmp_path: Path, bank: Bank
) -> None:
    async with at_bank(tmp_path, bank) as at:
        card = await unknown(at, 'call wire {"amount": 3}')
        await at.host._recovery.sign()
        await press(at, card, REPEAT, ROSA)
        again = at.wire.card(ROSA)
        bank.hold.set()
        await until(at, "SELECT 1 FROM acts WHERE state = 'done_late'")
        await at.settle()
        late = await at.tap(again.data[0], again, sender=ROSA)

        assert "The first attempt may still be running" in again.text
        assert "done late" in at.wire.sent[card.message].text
        assert at.rows("SELECT state, reason FROM questions WHERE repeats IS NOT NULL") == [
            ("superseded", "the first attempt was done after all")
        ]
        assert "the first attempt was done after all" in at.wire.sent[again.message].text
        assert late != "Recorded."
        assert len(bank.keys) == 1


async def test_a_first_attempt_that_ends_late_voids_the_repetition_that_was_approved(
    tmp_path: Path, bank: Bank
) -> None:
    async with at_bank(tmp_path, bank) as at:
        card = await unknown(at, 'call wire {"amount": 3}')
        await press(at, card, REPEAT, ROSA)
        again = at.wire.card(ROSA)
        execute = at.hands.handlers["execute_act"]
        at.hands.handlers = {**at.hands.handlers, "execute_act": left_undone}
        await at.tap(again.data[0], again, sender=ROSA)
        bank.hold.set()
        await until(at, "SELECT 1 FROM acts WHERE state = 'done_late'")
        await execute(at.one("SELECT id FROM questions WHERE repeats IS NOT NULL"))
        await at.settle()

        assert sorted(states(at)) == ["done_late", "void"]
        assert len(bank.keys) == 1
