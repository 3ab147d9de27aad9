"""Withdraw: whoever asked takes a question back, wherever their copy hangs; nobody else can."""

from pathlib import Path

import pytest

from tests.bot.rig import house_settings, rig
from tests.bot.wire import ANA, BRUNO, GROUP, ROSA

from .arranging import REFUND, asked, button, events, letters, noted, now, state

ONLY = "Only whoever asked for this may do that."


async def test_the_requesters_copy_takes_the_question_back_everywhere(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        card = await asked(at)
        mine = at.wire.card(BRUNO)
        told = await at.tap(button(mine, "w"), mine, sender=BRUNO)
        late = await at.tap(button(card, "y"), card, sender=ANA)

        assert told == "Recorded."
        assert state(at) == "cancelled"
        assert at.shop.ran == []
        for copy in (card, mine):
            assert "🚫 Cancelled by Bruno (telegram:1002), " in now(at, copy).text
            assert now(at, copy).data == []
        assert late.startswith("Already decided: 🚫 Cancelled by Bruno")
        assert events(at)[-1]["decision"] == "cancelled"


@pytest.mark.failure_mode(5)
@pytest.mark.parametrize("sender", [ANA, ROSA])
async def test_nobody_withdraws_what_another_asked_for(tmp_path: Path, sender: int) -> None:
    async with rig(tmp_path) as at:
        card = await asked(at)
        mine = at.wire.card(BRUNO)
        forged = f"{card.data[0][:-1]}w"
        told = [
            await at.tap(button(mine, "w"), mine, sender=sender),
            await at.tap(forged, card, sender=sender),
        ]

        assert told == [ONLY, ONLY]
        assert state(at) == "open"
        assert (f"telegram:{sender}", "withdrawal_not_entitled") in await noted(at)


async def test_where_approvers_and_requester_share_a_chat_one_copy_serves_both(
    tmp_path: Path,
) -> None:
    route = {"tool": "refund", "approvers": [f"telegram:{ANA}"]}
    async with rig(tmp_path, settings=house_settings(routes=[route])) as at:
        await at.say(f"@comal_bot {REFUND}", sender=ROSA, chat=GROUP)
        card = at.wire.card(GROUP)
        offered = letters(card)
        told = [await at.tap(button(card, "w"), card, sender=who) for who in (ANA, ROSA)]

        assert offered == "yncw"
        assert told == [ONLY, "Recorded."]
        assert state(at) == "cancelled"


async def test_the_approvers_own_chat_offers_nobody_to_withdraw(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        assert letters(await asked(at)) == "ync"


async def test_a_withdrawal_after_the_decision_is_told_how_it_was_decided(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        card = await asked(at)
        mine = at.wire.card(BRUNO)
        await at.tap(button(card, "y"), card, sender=ANA)

        told = await at.tap(button(mine, "w"), mine, sender=BRUNO)
        assert told.startswith("Already decided: ✅ Approved by Ana, ")
        assert told.endswith("· executed")
        assert at.shop.ran == [7]


async def test_a_withdrawal_after_its_time_is_told_that_nothing_was_done(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        await asked(at)
        mine = at.wire.card(BRUNO)
        at.clock.advance(24 * 3600)

        told = await at.tap(button(mine, "w"), mine, sender=BRUNO)
        assert told == "Expired: nothing was done. Ask again."
        assert state(at) == "open"  # the sweep ends it


async def test_listeners_hear_a_withdrawal_as_a_verification_that_failed(tmp_path: Path) -> None:
    heard: list[tuple[str, str | None]] = []
    async with rig(tmp_path) as at:
        dispatcher = at.house.registry.dispatcher
        assert dispatcher is not None
        dispatcher.on("verification.*")(
            lambda event: heard.append((event.name, event.get_result().reason))
        )
        await asked(at)
        mine = at.wire.card(BRUNO)
        await at.tap(button(mine, "w"), mine, sender=BRUNO)

        assert heard == [("verification.requested", None), ("verification.rejected", "cancelled")]
