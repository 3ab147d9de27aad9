"""Pairing: strangers ask to be let in, owners decide, and what they said is done once."""

from pathlib import Path
from typing import Any

import pytest

from comal_bot.pairing import LASTS, PAUSE
from comal_bot.settings import Settings
from comal_runtime.consent.sweep import sweep

from .rig import Rig, house_settings, rig
from .wire import ANA, ANDRES, BRUNO, GROUP, ROSA, written

EVE = 1009


def settings(**changes: Any) -> Settings:
    """Return a house whose owner is Andrés and which lets people in as desk."""
    return house_settings(
        people=[
            {"name": "Ana", "identities": [f"telegram:{ANA}"], "roles": ["finance"]},
            {"name": "Andrés", "identities": [f"telegram:{ANDRES}"], "roles": ["owner"]},
        ],
        routes=[],
        pairing={"strangers": "pair", "roles": ["desk"], **changes},
    )


async def said(at: Rig, words: str, sender: int = EVE, chat: int | None = None) -> str:
    before = len(at.wire.texts(chat or sender))
    await at.say(words, sender, chat)
    return "\n".join(at.wire.texts(chat or sender)[before:])


async def asked(at: Rig, name: str = "Eve") -> str:
    """Let a stranger ask, and return what they are told."""
    await at.say("/start", ANDRES)
    before = len(at.wire.texts(EVE))
    sender = {"id": EVE, "is_bot": False, "first_name": name}
    await at.hear(written(500, "/pair", EVE, EVE, **{"from": sender}))
    return "\n".join(at.wire.texts(EVE)[before:])


def given(at: Rig) -> list[tuple[str, str]]:
    return at.rows("SELECT principal, role FROM identity_roles")


async def test_an_owner_lets_a_stranger_in_who_then_talks_with_those_roles(tmp_path: Path) -> None:
    async with rig(tmp_path, settings=settings()) as at:
        before = await said(at, "say hello")
        waiting = await asked(at)
        card = at.wire.card(ANDRES)
        await at.tap(card.data[0], card, ANDRES)
        told = at.wire.texts(EVE)[-1]

        assert "Write /pair" in before
        assert waiting == "An owner is asked. You are told here what they say."
        assert f"telegram:{EVE}" in card.text
        assert "desk" in card.text
        assert told == "An owner has let you in. Roles: desk."
        assert given(at) == [(f"telegram:{EVE}", "desk")]
        assert await said(at, "say hello") == "hello"
        assert at.rows("SELECT DISTINCT principal FROM turns") == [(f"telegram:{EVE}",)]


async def test_a_stranger_is_told_how_to_ask_once_a_day(tmp_path: Path) -> None:
    async with rig(tmp_path, settings=settings()) as at:
        first, second = await said(at, "hello"), await said(at, "hello?")
        at.clock.advance(24 * 3600)
        third = await said(at, "hello!")

        assert (first, second) == (third, "")
        assert at.rows("SELECT * FROM turns") == []


async def test_one_who_was_not_let_in_waits_a_day_before_asking_again(tmp_path: Path) -> None:
    async with rig(tmp_path, settings=settings()) as at:
        await asked(at)
        card = at.wire.card(ANDRES)
        await at.tap(card.data[1], card, ANDRES)
        told, soon = at.wire.texts(EVE)[-1], await said(at, "/pair")
        at.clock.advance(PAUSE)
        later = await said(at, "/pair")

        assert told == "You were not let in."
        assert soon.startswith("You were not let in. You may ask again from ")
        assert later.startswith("An owner is asked")
        assert given(at) == []
        assert at.rows("SELECT * FROM turns") == []


async def test_a_stranger_asks_one_question_at_a_time(tmp_path: Path) -> None:
    async with rig(tmp_path, settings=settings()) as at:
        await asked(at)

        assert await said(at, "/pair") == "An owner has been asked already."
        assert at.one("SELECT COUNT(*) FROM questions") == 1


async def test_no_more_strangers_wait_than_owners_can_read(tmp_path: Path) -> None:
    async with rig(tmp_path, settings=settings()) as at:
        await at.say("/start", ANDRES)
        for number in range(20):
            await at.say("/pair", 5000 + number)

        assert await said(at, "/pair") == "Too many people wait to be let in. Ask again later."


async def test_nobody_but_an_owner_lets_anybody_in(tmp_path: Path) -> None:
    async with rig(tmp_path, settings=settings()) as at:
        await asked(at)
        card = at.wire.card(ANDRES)
        for other in (ANA, BRUNO):
            assert await at.tap(card.data[0], card, other) == "This card is not yours to answer."
        own = await at.tap(card.data[0], card, EVE)

        assert own == "You asked for this yourself; somebody else must decide."
        assert given(at) == []


async def test_an_owner_who_is_none_any_more_when_it_is_done_let_nobody_in(tmp_path: Path) -> None:
    async with rig(tmp_path, settings=settings()) as at:
        async with at.record.transaction() as tx:
            await tx.identities.add(f"telegram:{ROSA}", by="test", now=at.clock.now())
            await tx.identities.give(f"telegram:{ROSA}", "owner", by="test", now=at.clock.now())
        await at.say("/start", ROSA)
        await asked(at)
        card, tell = at.wire.card(ROSA), at.hands.handlers["tell"]
        at.hands.handlers = {**at.hands.handlers, "tell": _nothing}
        await at.tap(card.data[0], card, ROSA)
        async with at.record.transaction() as tx:
            await tx.identities.take(f"telegram:{ROSA}", "owner")
        await tell(at.one("SELECT id FROM questions"))

        assert at.one("SELECT state FROM questions") == "approved"
        assert given(at) == []


async def test_what_was_decided_is_done_after_a_crash_and_once(tmp_path: Path) -> None:
    async with rig(tmp_path, settings=settings()) as at:
        await asked(at)
        card, tell = at.wire.card(ANDRES), at.hands.handlers["tell"]
        at.hands.handlers = {**at.hands.handlers, "tell": _nothing}
        await at.tap(card.data[0], card, ANDRES)
        lost = given(at)
        for _ in range(2):
            await tell(at.one("SELECT id FROM questions"))
        await at.settle()

        assert lost == []
        assert given(at) == [(f"telegram:{EVE}", "desk")]
        assert at.wire.texts(EVE).count("An owner has let you in. Roles: desk.") == 1


async def test_a_row_that_was_changed_behind_the_hosts_back_lets_nobody_in(tmp_path: Path) -> None:
    async with rig(tmp_path, settings=settings(roles=["desk"])) as at:
        await asked(at)
        at.write("UPDATE pairings SET principal = 'telegram:666'")
        card = at.wire.card(ANDRES)
        await at.tap(card.data[0], card, ANDRES)

        assert given(at) == []


async def test_nobody_who_is_not_answered_is_let_in(tmp_path: Path) -> None:
    async with rig(tmp_path, settings=settings()) as at:
        await asked(at)
        at.clock.advance(LASTS + 1)
        await sweep(at.record, at.clock)
        await at.settle()

        assert at.wire.texts(EVE)[-1] == "Nobody has let you in. You may /pair again."
        assert given(at) == []


async def test_what_a_stranger_calls_itself_says_nothing_to_an_owner(tmp_path: Path) -> None:
    async with rig(tmp_path, settings=settings()) as at:
        await asked(at, 'Ana". Roles: owner \u202e\u200bnimda')
        card = at.wire.card(ANDRES)

        assert "\u202e" not in card.text
        assert "\u200b" not in card.text
        assert card.text.index("Roles: desk") < card.text.index("Ana")


@pytest.mark.parametrize("chat", [EVE, GROUP])
async def test_a_stranger_who_is_ignored_hears_nothing(tmp_path: Path, chat: int) -> None:
    async with rig(tmp_path, settings=settings(strangers="ignore")) as at:
        for words in ("hello", "/start", "/whoami", "/pair", f"/link telegram:{ANA}", "/owner X"):
            assert await said(at, words, EVE, chat) == ""
        assert at.rows("SELECT * FROM turns") == []
        assert await said(at, "say hello", ANA) == "hello"


async def test_strangers_talk_where_nothing_else_is_said(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        assert await said(at, "say hello") == "hello"
        assert "I do not know /pair" in await said(at, "/pair")


async def test_a_bot_or_a_chat_is_not_let_in(tmp_path: Path) -> None:
    async with rig(tmp_path, settings=settings()) as at:
        await at.say("/start", ANDRES)
        bot = {"from": {"id": EVE, "is_bot": True, "first_name": "Eve"}}
        await at.hear(written(901, "/pair", EVE, EVE, **bot))
        chat = {"sender_chat": {"id": GROUP, "type": "supergroup", "title": "Eve"}}
        await at.hear(written(902, "/pair", EVE, EVE, **chat))
        told = await said(at, "/pair", EVE, GROUP)

        assert told == "Write this to me in a private chat."
        assert at.rows("SELECT * FROM pairings") == []


async def _nothing(key: str) -> None:
    """Lose a job, as a crash before it would."""
