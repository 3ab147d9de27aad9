"""Linking: two accounts are one person once each has named the other, and gain nothing by it."""

from pathlib import Path

import pytest

from comal_bot.doing import Doing
from comal_bot.linking import OFFER_LASTS
from comal_bot.people import LINK_RESTS
from comal_bot.settings import Settings

from .rig import Rig, house_settings, rig
from .wire import ANA, ANDRES, APPROVERS, BRUNO, GROUP, ROSA, written

EVE = 1009
REFUND = 'call refund {"order": 7}'


def settings() -> Settings:
    """Return a house whose owner is Andrés and where finance approves refunds."""
    return house_settings(
        people=[
            {"name": "Rosa", "identities": [f"telegram:{ROSA}"], "roles": ["desk"]},
            {"name": "Ana", "identities": [f"telegram:{ANA}"], "roles": ["finance"]},
            {"name": "Andrés", "identities": [f"telegram:{ANDRES}"], "roles": ["owner"]},
        ],
        routes=[{"tool": "refund", "approvers": ["role:finance"], "cards": [f"main:{APPROVERS}"]}],
    )


async def said(at: Rig, words: str, sender: int, chat: int | None = None) -> str:
    await at.say(words, sender, chat)
    return at.wire.texts(chat or sender)[-1]


async def linked(at: Rig, one: int, other: int) -> str:
    """Let two accounts name each other, the first one first."""
    await said(at, f"/link telegram:{other}", one)
    return await said(at, f"/link telegram:{one}", other)


async def given(at: Rig, principal: str, role: str) -> None:
    async with at.record.transaction() as tx:
        await tx.identities.add(principal, by="test", now=at.clock.now())
        await tx.identities.give(principal, role, by="test", now=at.clock.now())


def links(at: Rig) -> list[tuple[str, str]]:
    return at.rows("SELECT anchor, added FROM identity_links WHERE until IS NULL")


async def test_two_accounts_are_one_person_once_both_said_so_and_the_owner_hears(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path, settings=settings()) as at:
        await at.say("/start", ANDRES)
        offered = await said(at, f"/link telegram:{EVE}", ROSA)
        before = links(at)
        done = await said(at, f"/link telegram:{ROSA}", EVE)

        assert "Within a day" in offered
        assert before == []
        assert links(at) == [(f"telegram:{ROSA}", f"telegram:{EVE}")]
        assert "are one person now" in done
        assert at.wire.texts(ROSA)[-1] == at.wire.texts(ANDRES)[-1] == done
        assert f"as are telegram:{ROSA}" in await said(at, "/whoami", EVE)
        assert "counts from" in await said(at, "/whoami", EVE)


async def test_a_link_moves_no_role(tmp_path: Path) -> None:
    async with rig(tmp_path, settings=settings()) as at:
        await linked(at, ANA, EVE)
        at.clock.advance(LINK_RESTS)
        await at.say(REFUND, BRUNO)
        card = at.wire.card(APPROVERS)

        assert await at.tap(card.data[0], card, EVE) == "This card is not yours to answer."
        assert at.shop.ran == []


@pytest.mark.failure_mode(5)
async def test_nobody_approves_what_a_linked_account_of_theirs_asked_for(tmp_path: Path) -> None:
    """AP-17: also for identities linked across channels, and unlinking does not help."""
    async with rig(tmp_path, settings=settings()) as at:
        await linked(at, ANA, EVE)
        await at.say(REFUND, EVE)
        card = at.wire.card(APPROVERS)
        while_linked = await at.tap(card.data[0], card, ANA)
        await said(at, f"/unlink telegram:{EVE}", ANA)
        after = await at.tap(card.data[0], card, ANA)

        assert while_linked == after == "You asked for this yourself; somebody else must decide."
        assert links(at) == []
        assert at.shop.ran == []


async def test_who_links_to_the_requester_after_approving_did_not_approve(tmp_path: Path) -> None:
    """AP-17: checked at redemption time as well."""
    async with rig(tmp_path, settings=settings()) as at:
        await at.say(REFUND, EVE)
        question = at.one("SELECT id FROM questions")
        card = at.wire.card(APPROVERS)
        at.hands.handlers = {
            kind: handler for kind, handler in at.hands.handlers.items() if kind != "execute_act"
        }
        await at.tap(card.data[0], card, ANA)
        await linked(at, EVE, ANA)
        await Doing(at.house).execute(question)

        assert at.rows("SELECT state FROM acts") == [("void",)]
        assert at.shop.ran == []


@pytest.mark.failure_mode(3)
async def test_an_approver_stripped_of_the_role_between_prompt_and_press_is_refused(
    tmp_path: Path,
) -> None:
    """AP-17: remove Oleg from the approvers between prompt and press."""
    async with rig(tmp_path, settings=settings()) as at:
        await given(at, f"telegram:{EVE}", "finance")
        await at.say(REFUND, BRUNO)
        card = at.wire.card(APPROVERS)
        async with at.record.transaction() as tx:
            await tx.identities.take(f"telegram:{EVE}", "finance")
        pressed = await at.tap(card.data[0], card, EVE)

        assert pressed == "This card is not yours to answer."
        assert at.shop.ran == []


async def test_a_new_identity_counts_only_a_day_after_it_was_linked(tmp_path: Path) -> None:
    async with rig(tmp_path, settings=settings()) as at:
        await linked(at, ROSA, EVE)
        await given(at, f"telegram:{EVE}", "finance")
        await at.say(REFUND, BRUNO)
        card = at.wire.card(APPROVERS)
        fresh = await at.tap(card.data[0], card, EVE)
        at.clock.advance(LINK_RESTS)
        await at.say(REFUND, BRUNO)
        later = at.wire.card(APPROVERS)
        rested = await at.tap(later.data[0], later, EVE)

        assert fresh == "This card is not yours to answer."
        assert rested == "Recorded."
        assert at.shop.ran == [7]


async def test_a_fresh_link_does_not_silence_the_account_that_was_there(tmp_path: Path) -> None:
    async with rig(tmp_path, settings=settings()) as at:
        await linked(at, EVE, ANA)
        await at.say(REFUND, BRUNO)
        card = at.wire.card(APPROVERS)

        assert await at.tap(card.data[0], card, ANA) == "Recorded."


async def test_a_new_account_confirms_its_own_calls_at_once(tmp_path: Path) -> None:
    async with rig(tmp_path, settings=settings()) as at:
        await linked(at, ROSA, EVE)
        await at.say('call delete_note {"note": 2}', EVE)
        card = at.wire.card(EVE)
        await at.tap(card.data[0], card, EVE)

        assert at.shop.ran == [2]


async def test_one_person_counts_once_whatever_they_unlink_meanwhile(tmp_path: Path) -> None:
    route = {
        "tool": "refund",
        "approvers": ["role:finance"],
        "cards": [f"main:{APPROVERS}"],
        "policy": "dual",
    }
    people = [
        {"name": "Ana", "identities": [f"telegram:{ANA}"], "roles": ["finance"]},
        {"name": "Rosa", "identities": [f"telegram:{ROSA}"], "roles": ["finance"]},
    ]
    async with rig(tmp_path, settings=house_settings(people=people, routes=[route])) as at:
        await linked(at, ANA, EVE)
        await given(at, f"telegram:{EVE}", "finance")
        at.clock.advance(LINK_RESTS)
        await at.say(REFUND, BRUNO)
        card = at.wire.card(APPROVERS)
        await at.tap(card.data[0], card, ANA)
        await said(at, f"/unlink telegram:{EVE}", ANA)
        await at.tap(card.data[0], card, EVE)
        still = at.one("SELECT state FROM questions")
        await at.tap(card.data[0], card, ROSA)

        assert still == "open"
        assert at.shop.ran == [7]


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        (ROSA, ANA, "The settings name both, as two people"),
        (EVE, EVE, "Write /link and the other account"),
    ],
)
async def test_two_people_of_the_settings_stay_two(
    tmp_path: Path, one: int, other: int, told: str
) -> None:
    async with rig(tmp_path, settings=settings()) as at:
        assert told in await linked(at, one, other)
        assert links(at) == []


async def test_two_who_both_decide_stay_two(tmp_path: Path) -> None:
    async with rig(tmp_path, settings=settings()) as at:
        await given(at, f"telegram:{EVE}", "finance")

        assert "stay two people" in await linked(at, ANA, EVE)
        assert links(at) == []


async def test_whom_a_route_names_in_person_lends_that_to_no_other_account(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        assert "a route names" in await said(at, f"/link telegram:{EVE}", ANDRES)
        await said(at, f"/link telegram:{ANDRES}", EVE)

        assert links(at) == []


@pytest.mark.parametrize("named", ["", "Rosa", "telegram:007", "os:root", "role:owner", "@rosa"])
async def test_only_an_account_of_a_channel_can_be_named(tmp_path: Path, named: str) -> None:
    async with rig(tmp_path, settings=settings()) as at:
        assert "Write /link and the other" in await said(at, f"/link {named}", EVE)
        assert at.rows("SELECT * FROM link_offers") == []


async def test_an_offer_of_yesterday_is_none(tmp_path: Path) -> None:
    async with rig(tmp_path, settings=settings()) as at:
        await said(at, f"/link telegram:{EVE}", ROSA)
        at.clock.advance(OFFER_LASTS)

        assert "Within a day" in await said(at, f"/link telegram:{ROSA}", EVE)
        assert links(at) == []


async def test_nobody_links_in_front_of_others_nor_without_a_face(tmp_path: Path) -> None:
    async with rig(tmp_path, settings=settings()) as at:
        told = await said(at, f"/link telegram:{EVE}", ROSA, GROUP)
        faceless = {"sender_chat": {"id": GROUP, "type": "supergroup", "title": "Rosa"}}
        await at.hear(written(901, f"/link telegram:{EVE}", ROSA, ROSA, **faceless))
        bot = {"from": {"id": ROSA, "is_bot": True, "first_name": "Rosa"}}
        await at.hear(written(902, f"/link telegram:{EVE}", ROSA, ROSA, **bot))

        assert told == "Write this to me in a private chat."
        assert at.rows("SELECT * FROM link_offers") == []


async def test_somebody_else_cannot_end_a_link(tmp_path: Path) -> None:
    async with rig(tmp_path, settings=settings()) as at:
        await linked(at, ROSA, EVE)

        assert "are not linked here" in await said(at, f"/unlink telegram:{EVE}", BRUNO)
        assert links(at) != []


async def test_another_worker_learns_of_a_link_before_a_vote_counts(tmp_path: Path) -> None:
    async with (
        rig(tmp_path, settings=settings()) as at,
        rig(tmp_path, settings=settings(), clock=at.clock, name="second") as second,
    ):
        await linked(at, ANA, EVE)
        async with second.record.reading() as stored:
            await second.house.people.refresh(stored)

        assert second.house.people.ever_one(f"telegram:{ANA}", f"telegram:{EVE}", 0.0)
