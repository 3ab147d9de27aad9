"""Voters that are no person: anonymous admins, channels, bots; and cards that were forwarded."""

from dataclasses import replace
from pathlib import Path

import pytest

from comal_bot.settings import Settings
from comal_bot.taps import Taps

from .rig import house_settings, rig
from .wire import ANA, APPROVERS, BRUNO, tapped

REFUND = 'call refund {"order": 7}'


def naming_everybody() -> Settings:
    """Return a house whose route names, beside Ana, the accounts that stand for no person."""
    faceless = [f"telegram:{number}" for number in (1087968824, 777000, 136817688)]
    asked = {"approvers": ["role:finance", *faceless], "cards": [f"main:{APPROVERS}"]}
    return house_settings(routes=[{"tool": "refund", **asked}])


@pytest.mark.failure_mode(20)
@pytest.mark.failure_mode(36)
@pytest.mark.parametrize(
    "voter",
    [
        {"id": 1087968824, "is_bot": True, "first_name": "Group"},
        {"id": 777000, "is_bot": False, "first_name": "Telegram"},
        {"id": 136817688, "is_bot": True, "first_name": "Channel"},
        {"id": ANA, "is_bot": True, "first_name": "Ana"},
    ],
    ids=["anonymous admin", "channel post", "channel bot", "a bot with an approver's id"],
)
async def test_what_is_no_person_never_votes_not_even_where_a_route_names_it(
    tmp_path: Path, voter: dict[str, object]
) -> None:
    async with rig(tmp_path, settings=naming_everybody()) as at:
        await at.say(REFUND, BRUNO)
        card = at.wire.card(APPROVERS)
        update = tapped(903, card.data[0], ANA, APPROVERS, card.message)
        update["callback_query"]["from"] = voter
        await at.hear(update)

        assert at.one("SELECT state FROM questions") == "open"
        assert at.rows("SELECT * FROM votes") == []


@pytest.mark.failure_mode(20)
async def test_a_bots_press_decides_nothing_although_the_intake_let_it_through(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path) as at:
        await at.say(REFUND, BRUNO)
        card = at.wire.card(APPROVERS)
        [press] = at.wire.parse(tapped(903, card.data[0], ANA, APPROVERS, card.message))
        assert press.tap is not None
        await Taps(at.house, at.cards).handle(replace(press, sender_is_bot=True), press.tap)

        assert at.wire.answers == ["This card is not yours to answer."]
        assert at.rows("SELECT * FROM votes") == []


async def test_a_forwarded_card_decides_nothing(tmp_path: Path) -> None:
    """AP-18: the button of a copy that hangs in another chat is refused, whoever presses it."""
    async with rig(tmp_path) as at:
        await at.say(REFUND, BRUNO)
        card = at.wire.card(APPROVERS)
        forwarded = await at.tap(card.data[0], "4711", ANA, chat=ANA)
        genuine = await at.tap(card.data[0], card, ANA)

        assert forwarded == "This button was copied from another message."
        assert genuine == "Recorded."
