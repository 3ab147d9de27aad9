"""Ask again: what ended without a no and undone is asked anew, once, by whoever asked for it."""

from pathlib import Path

import pytest

from tests.bot.rig import Rig, Shop, rig
from tests.bot.wire import ANA, ANDRES, APPROVERS, BRUNO, GROUP, ROSA, Sent

from .arranging import (
    DELETE,
    asked,
    button,
    events,
    letters,
    noted,
    now,
    routed,
    state,
)


async def expired(at: Rig) -> Sent:
    """Let a confirmation of Rosa's expire; its card."""
    await at.say(DELETE)
    card = at.wire.card()
    at.clock.advance(600)
    await at.house.registry.sweep()
    await at.settle()
    return now(at, card)


async def test_an_expired_question_is_asked_anew_as_a_question_of_its_own(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        card = await expired(at)
        told = await at.tap(button(card, "a"), card)
        fresh = at.wire.card()

        assert told == "Asked again; there is a new card."
        assert (letters(now(at, card)), letters(fresh)) == ("", "yn")
        assert state(at) == "open"
        assert at.shop.ran == []
        await at.tap(button(fresh, "y"), fresh)
        assert at.shop.ran == [2]
        assert events(at)[-1]["state"] == "done"


async def test_a_question_is_asked_anew_once_whatever_is_pressed(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        card = await expired(at)
        told = [await at.tap(button(card, "a"), card) for _ in range(3)]

        assert told == [
            "Asked again; there is a new card.",
            "This was asked again already.",
            "This was asked again already.",
        ]
        assert at.one("SELECT COUNT(*) FROM questions") == 2


async def test_a_press_that_was_cut_off_after_asking_asks_no_second_time(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        card = await expired(at)
        await at.tap(button(card, "a"), card)
        at.write("UPDATE questions SET superseded_by = NULL")
        told = await at.tap(button(card, "a"), card)

        assert told == "Asked again; there is a new card."
        assert at.one("SELECT COUNT(*) FROM questions") == 2


@pytest.mark.failure_mode(5)
async def test_nobody_asks_anew_for_what_another_asked(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        await at.say("@comal_bot " + DELETE, chat=GROUP)
        card = at.wire.card(GROUP)
        at.clock.advance(600)
        await at.house.registry.sweep()
        await at.settle()
        told = await at.tap(button(now(at, card), "a"), card, sender=BRUNO)

        assert told == "Only whoever asked for this may do that."
        assert at.one("SELECT COUNT(*) FROM questions") == 1
        assert (f"telegram:{BRUNO}", "again_not_entitled") in await noted(at)


async def test_an_approval_is_asked_anew_of_the_same_approvers(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        card = await asked(at)
        mine = at.wire.card(BRUNO)
        at.clock.advance(24 * 3600)
        await at.house.registry.sweep()
        await at.settle()
        assert letters(now(at, card)) == ""
        await at.tap(button(now(at, mine), "a"), mine, sender=BRUNO)
        fresh = at.wire.card(APPROVERS)

        assert fresh.message != card.message
        await at.tap(button(fresh, "y"), fresh, sender=ANA)
        assert at.shop.ran == [7]


async def test_what_became_void_may_be_asked_anew(tmp_path: Path) -> None:
    async with rig(tmp_path, settings=routed()) as at:
        await asked(at)
        mine = at.wire.card(BRUNO)
        question = at.one("SELECT id FROM questions")
        at.write("UPDATE questions SET state = 'approved' WHERE id = ?", question)
        columns = "key, question, tool, args, args_digest, channel, state, execute_by"
        at.write(
            f"INSERT INTO acts ({columns}, idempotency_key, created_at, reason) SELECT id, id, "
            "tool, args, args_digest, channel, 'void', 0, id, 0, 'it changed' FROM questions"
        )
        await at.cards.tell(question)
        await at.settle()

        assert letters(now(at, mine)) == "a"
        assert "not executed — it changed" in now(at, mine).text
        told = await at.tap(button(now(at, mine), "a"), mine, sender=BRUNO)
        assert told == "Asked again; there is a new card."


@pytest.mark.parametrize("sender", [ANA, ANDRES])
async def test_what_was_refused_is_not_asked_anew_by_a_button(tmp_path: Path, sender: int) -> None:
    async with rig(tmp_path) as at:
        card = await asked(at)
        mine = at.wire.card(BRUNO)
        await at.tap(button(card, "n"), card, sender=sender)
        forged = f"{mine.data[0][:-1]}a"

        assert letters(now(at, mine)) == ""
        told = await at.tap(forged, mine, sender=BRUNO)
        assert told.startswith("Already decided: 🚫 Rejected by ")
        assert at.one("SELECT COUNT(*) FROM questions") == 1


async def test_a_question_that_is_open_is_not_asked_anew(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        await at.say(DELETE)
        card = at.wire.card()

        assert await at.tap(f"{card.data[0][:-1]}a", card) == "Unknown button."
        assert at.one("SELECT COUNT(*) FROM questions") == 1


async def test_a_call_that_the_law_refuses_by_now_is_not_asked_anew(tmp_path: Path) -> None:
    def with_bounds(shop: Shop) -> list[object]:
        return [] if shop.ran else [shop.notes]

    async with rig(tmp_path) as at:
        card = await expired(at)
    async with rig(tmp_path, tools=with_bounds, clock=at.clock, name="second") as later:
        told = await later.tap(button(card, "a"), card, sender=ROSA)

        assert told.startswith("It could not be asked again: Tool not found: delete_note.")
        assert later.one("SELECT COUNT(*) FROM questions") == 1


async def test_asking_anew_goes_by_the_rights_of_now(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        await at.say("call wipe {}")
        card = at.wire.card()
        at.clock.advance(600)
        await at.house.registry.sweep()
        await at.settle()
    stripped = routed().model_copy(update={"roles": {}, "people": ()})
    async with rig(tmp_path, settings=stripped, clock=at.clock, name="second") as later:
        told = await later.tap(f"{card.data[0][:-1]}a", card)

        assert told.startswith("It could not be asked again: Missing required scope")
