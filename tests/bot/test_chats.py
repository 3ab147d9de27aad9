"""Chats that go, come back or move: cards follow, and somebody hears when nobody is reached."""

from pathlib import Path
from typing import Any

import pytest

from comal_bot.channels.channel import Denied

from .rig import Rig, house_settings, rig
from .test_convergence import refusing
from .test_reminding import sweep
from .wire import ANA, ANDRES, APPROVERS, BOT, BRUNO, GROUP, ROSA

REFUND = 'call refund {"order": 7}'
DELETE = 'call delete_note {"note": 2}'
KICKED = Denied("bot was kicked from the supergroup chat", gone=True)
BLOCKED = Denied("bot was blocked by the user", gone=True)
NEW = -1002002


def under(*cards: int, **route: Any) -> Any:
    fields = {
        "tool": "refund",
        "approvers": [f"telegram:{ANA}", f"telegram:{ANDRES}"],
        "cards": [f"main:{chat}" for chat in cards],
        "policy": "dual",
    }
    return house_settings(routes=[{**fields, **route}])


def moved(update: int, old: int, new: int) -> dict[str, Any]:
    message = {
        "message_id": update,
        "date": 1_796_040_000,
        "chat": {"id": old, "type": "group"},
        "from": BOT,
        "migrate_to_chat_id": new,
    }
    return {"update_id": update, "message": message}


def uncarded(at: Rig) -> int:
    return sum("Nobody can decide" in text for text in at.wire.texts(BRUNO))


async def test_a_chat_lost_after_its_card_had_arrived_lets_the_requester_know_once(
    tmp_path: Path,
) -> None:
    settings = under(ANA, remind="1h")
    async with rig(tmp_path, settings=settings) as at:
        await at.say(REFUND, sender=BRUNO)
        before = uncarded(at)
        at.wire.troubles.append(BLOCKED)
        await sweep(at, 3600)
        await sweep(at, 60)

        assert before == 0
        assert uncarded(at) == 1
        assert at.one("SELECT state FROM questions") == "open"


async def test_as_long_as_one_chat_is_reached_nobody_is_told_that_none_is(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path, settings=under(ANA, APPROVERS, remind="1h")) as at:
        await at.say(REFUND, sender=BRUNO)
        at.wire.troubles.append(BLOCKED)
        await sweep(at, 3600)

        assert uncarded(at) == 0


async def test_who_comes_back_gets_the_open_card_anew_if_it_is_the_only_one(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path, settings=under(ANA, policy="single", remind="1h")) as at:
        await at.say(REFUND, sender=BRUNO)
        first = at.wire.card(ANA)
        at.wire.troubles.append(BLOCKED)
        await sweep(at, 3600)
        await at.say("say hello", sender=ANA)
        again = at.wire.card(ANA)
        await at.say("say more", sender=ANA)
        await at.tap(again.data[0], again, sender=ANA)

        assert again.message != first.message
        assert len([text for text in at.wire.texts(ANA) if "Refund" in text]) == 2
        assert at.shop.ran == [7]
        assert not any(sent.data for sent in at.wire.sent.values())


async def test_who_comes_back_while_others_see_a_card_keeps_the_one_there_was(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path, settings=under(ANA, APPROVERS, remind="1h")) as at:
        await at.say(REFUND, sender=BRUNO)
        first, other = at.wire.card(ANA), at.wire.card(APPROVERS)
        at.wire.troubles.append(BLOCKED)
        await sweep(at, 3600)
        await at.tap(other.data[0], other, sender=ANDRES)
        await at.say("say hello", sender=ANA)

        assert at.wire.card(ANA).message == first.message
        assert "1 of 2 approvals" in at.wire.sent[first.message].text


async def test_a_card_decided_while_its_chat_was_gone_is_closed_when_that_is_back(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path, settings=under(ANA, APPROVERS, policy="single")) as at:
        await at.say(REFUND, sender=BRUNO)
        first, other = at.wire.card(ANA), at.wire.card(APPROVERS)
        amend = at.wire.amend

        async def blocked(receipt: Any, body: Any) -> None:
            if receipt.address.chat == str(ANA):
                raise BLOCKED
            await amend(receipt, body)

        at.wire.amend = blocked  # type: ignore[method-assign]
        await at.tap(other.data[0], other, sender=ANDRES)
        alive = at.wire.sent[first.message].data
        at.wire.amend = amend  # type: ignore[method-assign]
        await at.say("say hello", sender=ANA)

        assert alive
        assert "executed" in at.wire.sent[first.message].text
        assert not at.wire.sent[first.message].data
        assert at.shop.ran == [7]


@pytest.mark.failure_mode(9)
async def test_a_part_of_a_card_stays_a_part_when_its_chat_comes_back(tmp_path: Path) -> None:
    settings = under(ANA, APPROVERS, tool="save", remind="1h")
    async with rig(tmp_path, settings=settings) as at:
        await at.say('call save {"text": "' + "x" * 9000 + '"}', sender=BRUNO)
        part = at.wire.card(ANA)
        at.wire.troubles.append(BLOCKED)
        await sweep(at, 3600)
        forged = [await at.tap(part.data[0][:-1] + "y", part, sender=ANA)]
        await at.say("say hello", sender=ANA)
        forged.append(await at.tap(part.data[0][:-1] + "y", part, sender=ANA))

        assert forged == ["Unknown button."] * 2


async def test_a_group_that_moves_takes_its_cards_and_those_to_come_with_it(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path, settings=under(APPROVERS)) as at:
        await at.say(REFUND, sender=BRUNO)
        old = at.wire.card(APPROVERS)
        await at.hear(moved(900, APPROVERS, NEW))
        refusing(at, APPROVERS)
        await at.tap(old.data[0], old, sender=ANA, chat=NEW)
        copy = at.wire.card(NEW)
        await at.say('call refund {"order": 8}', sender=BRUNO)
        later = at.wire.card(NEW)
        await at.tap(copy.data[0], copy, sender=ANDRES, chat=NEW)

        assert "1 of 2 approvals" in copy.text
        assert "order: 8" in later.text
        assert at.shop.ran == [7]
        assert len(at.wire.texts(APPROVERS)) == 1


async def test_a_group_that_moved_unseen_is_found_by_the_error_of_the_next_card(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path, settings=under(APPROVERS)) as at:
        at.wire.troubles.append(Denied("group chat was upgraded", moved_to=str(NEW)))
        await at.say(REFUND, sender=BRUNO)
        await at.say('call refund {"order": 8}', sender=BRUNO)

        assert len(at.wire.texts(NEW)) == 2
        assert at.wire.texts(APPROVERS) == []
        assert uncarded(at) == 0


async def test_a_confirmation_is_told_to_nobody_as_undecidable_and_hangs_anew_on_return(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path) as at:
        await at.say("say hello")
        at.wire.troubles.append(BLOCKED)
        await at.say(DELETE)
        await at.say("say I am back")
        card = at.wire.card(ROSA)
        await at.tap(card.data[0], card)

        assert at.shop.ran == [2]
        assert not any("Nobody can decide" in text for text in at.wire.texts(ROSA))


async def test_a_chat_that_threw_the_bot_out_is_tried_again_with_each_new_card(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path, settings=under(APPROVERS, GROUP)) as at:
        at.wire.troubles.append(KICKED)
        await at.say(REFUND, sender=BRUNO)
        await at.say('call refund {"order": 8}', sender=BRUNO)

        assert len([text for text in at.wire.texts(APPROVERS) if "order: 8" in text]) == 1
        assert at.rows("SELECT gone FROM chats WHERE gone = 1") == []
