"""Edits that are refused: beyond what is allowed, by somebody else, or too late."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from comal_runtime.tools import tool
from tests.bot.wire import ANA, ANDRES, BRUNO, ROSA

from .arranging import asked, button, letters, now
from .paying import PAY, Till, edited, paying, till_rig


@pytest.mark.failure_mode(12)
@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("fifty", "No line such as `amount = 50`: fifty."),
        ("amount = 50\namount = 60", "amount is there twice."),
        ("to = ACC-9", "to may not be changed; amount, note may."),
        ("pin = 1", "pin may not be changed; amount, note may."),
        ("order = 1", "order may not be changed; amount, note may."),
        ("tool = refund", "tool may not be changed; amount, note may."),
        ("amount = 50\ntool = refund", "tool may not be changed; amount, note may."),
        ("amount = much", "amount cannot be that: amount: Expected integer, got string"),
        ("amount = 201", "amount cannot be that: amount: "),
        ("amount = 0", "amount cannot be that: amount: "),
        ("amount = 49.5", "amount cannot be that: amount: Expected integer"),
        ("amount = 151", "This cannot be edited: amount: 151 would become 150"),
        ("amount = 120", "That is what it says already."),
        ("amount = " + "[" * 3000, "amount cannot be that: "),
    ],
)
async def test_an_edit_beyond_what_is_allowed_changes_nothing_and_may_be_tried_again(
    tmp_path: Path, words: str, told: str
) -> None:
    till = Till()
    async with till_rig(tmp_path, till) as at:
        old, still, said = await edited(at, words)
        again = await at.reply("amount = 50", old, sender=ANA)

        assert said.startswith(told)
        assert still.message == old.message
        assert again.startswith("Edited: amount: 120 → 50.")


@pytest.mark.failure_mode(5)
@pytest.mark.parametrize("sender", [BRUNO, ROSA])
async def test_nobody_edits_who_may_not_approve(tmp_path: Path, sender: int) -> None:
    till = Till()
    async with till_rig(tmp_path, till) as at:
        old = await asked(at, PAY)
        pressed = await at.tap(button(old, "e"), old, sender=sender)
        await at.reply("amount = 1", old, sender=sender)

        assert pressed.startswith(("You asked for this yourself", "This card is not yours"))
        assert at.one("SELECT COUNT(*) FROM questions") == 1
        assert "amount: 120" in now(at, old).text


async def test_lines_without_a_press_on_edit_edit_nothing(tmp_path: Path) -> None:
    till = Till()
    async with till_rig(tmp_path, till) as at:
        old = await asked(at, PAY)

        told = await at.reply("amount = 50", old, sender=ANA)
        assert told.startswith("Noted; ")
        assert at.one("SELECT COUNT(*) FROM questions") == 1


async def test_a_route_without_editable_fields_offers_no_edit(tmp_path: Path) -> None:
    till = Till()
    async with till_rig(tmp_path, till, paying(editable={})) as at:
        old = await asked(at, PAY)

        assert letters(old) == "ync"
        told = await at.tap(f"{old.data[0][:-1]}e", old, sender=ANA)
        assert told == "Nothing of this may be edited."


async def test_an_approval_under_way_meets_an_edit_and_one_of_them_wins(tmp_path: Path) -> None:
    till = Till()
    async with till_rig(tmp_path, till) as at:
        old = await asked(at, PAY)
        await at.tap(button(old, "e"), old, sender=ANA)
        await at.tap(button(old, "y"), old, sender=ANDRES)
        told = await at.reply("amount = 50", old, sender=ANA)

        assert told.startswith("Already decided: ✅ Approved by Andrés, ")
        assert till.paid == [("ACC-1", 120, "")]
        assert at.one("SELECT COUNT(*) FROM questions") == 1


async def test_an_edit_of_a_tool_that_changed_meanwhile_says_so(tmp_path: Path) -> None:
    @dataclass
    class Other:
        @tool(mutating=True)
        async def pay(self, to: str, amount: int, note: str = "", tip: int = 0) -> str:
            """Pay somebody otherwise."""
            raise AssertionError("nobody approved this")

    async with till_rig(tmp_path, Till()) as at:
        old = await asked(at, PAY)
        await at.tap(button(old, "e"), old, sender=ANA)
    async with till_rig(tmp_path, Other(), clock=at.clock, name="second") as later:
        told = await later.reply("amount = 50", old, sender=ANA)

        assert told == "This cannot be edited: the definition of pay changed after this was asked"
        assert later.one("SELECT COUNT(*) FROM questions") == 1
