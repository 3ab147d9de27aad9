"""Edit: an approver changes what the route allows; the changed call is asked anew, to the end."""

from pathlib import Path

import pytest

from tests.bot.wire import ANA, ANDRES, APPROVERS, BRUNO

from .arranging import asked, button, events, letters, noted, now, state, turns
from .paying import PAY, Till, edited, paying, till_rig

PRESS = "Reply to this card with lines such as: amount = 120. You may change: amount, note"


async def test_an_edited_call_replaces_the_question_and_is_asked_anew(tmp_path: Path) -> None:
    till = Till()
    async with till_rig(tmp_path, till) as at:
        old = await asked(at, PAY)
        pressed = await at.tap(button(old, "e"), old, sender=ANA)
        told = await at.reply("amount = 50\nnote = by hand", old, sender=ANA)
        fresh = at.wire.card(APPROVERS)

        assert pressed == PRESS
        assert told.startswith('Edited: amount: 120 → 50; note: "" → "by hand". It is asked anew')
        assert "↪ Edited by Ana, " in now(at, old).text
        assert "amount: 120 → 50" in now(at, old).text
        assert now(at, old).data == []
        assert fresh.message != old.message
        assert "amount: 50" in fresh.text
        assert "approvers: 0 of 1 · then: Bruno (telegram:1002)" in fresh.text
        assert "✎ Edited by Ana: amount: 120 → 50" in fresh.text
        assert till.paid == []


async def test_an_edited_call_runs_once_its_route_and_then_its_requester_agreed(
    tmp_path: Path,
) -> None:
    till = Till()
    async with till_rig(tmp_path, till) as at:
        _, fresh, _ = await edited(at, "amount = 50")
        mine = at.wire.card(BRUNO)
        too_early = await at.tap(f"{mine.data[0][:-1]}y", mine, sender=BRUNO)
        offered = letters(now(at, mine))
        approved = await at.tap(button(fresh, "y"), fresh, sender=ANA)
        paid = list(till.paid)
        at.clock.advance(1)
        agrees = now(at, mine)
        last = await at.tap(button(agrees, "y"), mine, sender=BRUNO)

        assert too_early == "Others must decide first; you are asked after them."
        assert offered == "w"
        assert approved == "Recorded: 1 of 2 approvals."
        assert paid == []
        assert letters(agrees) == "yn"
        assert last == "Recorded."
        assert till.paid == [("ACC-1", 50, "")]
        assert "Approved by Ana, Bruno (telegram:1002), " in now(at, fresh).text


async def test_votes_about_the_call_as_it_was_are_void(tmp_path: Path) -> None:
    till = Till()
    async with till_rig(tmp_path, till, paying(policy="dual")) as at:
        old = await asked(at, PAY)
        await at.tap(button(old, "y"), old, sender=ANDRES)
        await at.tap(button(old, "e"), old, sender=ANA)
        await at.reply("amount = 110", old, sender=ANA)
        fresh, mine = at.wire.card(APPROVERS), at.wire.card(BRUNO)
        told = await at.tap(button(fresh, "y"), fresh, sender=ANA)
        early = await at.tap(f"{mine.data[0][:-1]}y", mine, sender=BRUNO)

        assert told == "Recorded: 1 of 3 approvals."
        assert early == "Others must decide first; you are asked after them."
        assert till.paid == []


async def test_a_requester_who_does_not_agree_ends_it(tmp_path: Path) -> None:
    till = Till()
    async with till_rig(tmp_path, till) as at:
        _, fresh, _ = await edited(at, "amount = 50")
        await at.tap(button(fresh, "y"), fresh, sender=ANA)
        mine = at.wire.card(BRUNO)
        await at.tap(button(mine, "n"), mine, sender=BRUNO)

        assert state(at) == "rejected"
        assert till.paid == []
        assert "Rejected by Bruno" in now(at, fresh).text


async def test_the_model_hears_once_at_the_end_what_was_edited_by_whom(tmp_path: Path) -> None:
    till = Till()
    async with till_rig(tmp_path, till) as at:
        _, fresh, _ = await edited(at, "amount = 50")
        before = events(at)
        await at.tap(button(fresh, "y"), fresh, sender=ANA)
        mine = at.wire.card(BRUNO)
        await at.tap(button(mine, "y"), mine, sender=BRUNO)

        assert before == []
        assert len(events(at)) == 1
        heard = events(at)[0]
        assert heard["edited"] == "amount: 120 → 50"
        assert heard["edited_by"] == "Ana"
        assert heard["state"] == "done"
        assert "amount=50" in heard["asked"]


async def test_the_edited_question_stands_for_the_same_call_and_the_same_deed(
    tmp_path: Path,
) -> None:
    till = Till()
    async with till_rig(tmp_path, till) as at:
        old = await asked(at, PAY)
        key, deed = at.rows("SELECT call_key, idempotency_key FROM questions")[0]
        await at.tap(button(old, "e"), old, sender=ANA)
        await at.reply("amount = 50", old, sender=ANA)
        rows = at.rows(
            "SELECT state, call_key, idempotency_key, supersedes IS NULL, edited_by "
            "FROM questions ORDER BY created_at, supersedes IS NOT NULL"
        )

        assert rows == [
            ("superseded", None, deed, 1, None),
            ("open", key, deed, 0, f"telegram:{ANA}"),
        ]


@pytest.mark.failure_mode(8)
async def test_the_old_card_of_an_edited_call_approves_nothing(tmp_path: Path) -> None:
    till = Till()
    async with till_rig(tmp_path, till) as at:
        old, _, _ = await edited(at, "amount = 50")

        told = await at.tap(old.data[0], old, sender=ANDRES)
        assert told.startswith("Already decided: ↪ Edited by Ana, ")
        assert till.paid == []


async def test_an_edit_may_be_edited_and_still_asks_its_requester_last(tmp_path: Path) -> None:
    till = Till()
    async with till_rig(tmp_path, till) as at:
        _, second, _ = await edited(at, "amount = 50")
        await at.tap(button(second, "e"), second, sender=ANDRES)
        await at.reply("amount = 60", second, sender=ANDRES)
        third = at.wire.card(APPROVERS)
        await at.tap(button(third, "y"), third, sender=ANA)
        before = list(till.paid)
        mine = at.wire.card(BRUNO)
        await at.tap(button(mine, "y"), mine, sender=BRUNO)

        assert "✎ Edited by Andrés: amount: 50 → 60" in third.text
        assert before == []
        assert till.paid == [("ACC-1", 60, "")]


async def test_a_reply_that_edits_starts_no_turn_and_leaves_records(tmp_path: Path) -> None:
    async with till_rig(tmp_path, Till()) as at:
        await edited(at, "amount = 50")

        assert turns(at) == 1
        assert [what for _, what in await noted(at)] == ["edit_begun", "edit_made"]
