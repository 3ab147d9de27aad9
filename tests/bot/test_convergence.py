"""Every copy comes to say how it ended, whatever the chats and their server do meanwhile."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from comal_bot.channels.channel import Body, Denied, Receipt, Retry, Uncertain
from comal_bot.speech import message_to
from comal_runtime.record import Place

from .rig import Rig, house_settings, rig
from .test_reminding import sweep
from .wire import ANA, ANDRES, APPROVERS, BRUNO, GROUP, ROSA, Sent

REFUND = 'call refund {"order": 7}'
DELETE = 'call delete_note {"note": 2}'
LOST = Denied("editMessageText: message to edit not found", lost=True)
LONG = "x" * 9000


def everywhere(**route: Any) -> Any:
    """Return settings in which a card hangs in two chats besides that of whoever asks."""
    fields = {
        "tool": "refund",
        "approvers": [f"telegram:{ANA}", f"telegram:{ANDRES}"],
        "cards": [f"main:{APPROVERS}", f"main:{GROUP}"],
    }
    return house_settings(routes=[{**fields, **route}])


def refusing(at: Rig, chat: int) -> None:
    """Let the first message of a chat be beyond change, and no other."""
    amend = at.wire.amend
    first = next(one.message for one in at.wire.sent.values() if one.chat == str(chat))

    async def once(receipt: Receipt, body: Body) -> None:
        if receipt.message == first:
            raise LOST
        await amend(receipt, body)

    at.wire.amend = once  # type: ignore[method-assign]


def newest(at: Rig, chat: int) -> Sent:
    return [one for one in at.wire.sent.values() if one.chat == str(chat)][-1]


async def test_a_decision_in_one_chat_closes_the_card_in_every_chat(tmp_path: Path) -> None:
    async with rig(tmp_path, settings=everywhere()) as at:
        await at.say(REFUND, sender=BRUNO)
        card = at.wire.card(GROUP)
        await at.tap(card.data[0], card, sender=ANA)

        for chat in (GROUP, APPROVERS, BRUNO):
            assert "executed" in at.wire.texts(chat)[0]
        assert not any(sent.data for sent in at.wire.sent.values())


@pytest.mark.failure_mode(26)
async def test_an_edit_that_fails_is_tried_again_ever_more_slowly_until_it_is_made(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path) as at:
        await at.say(DELETE)
        card = at.wire.card()
        at.wire.amend_troubles.extend([Retry("502")] * 5)
        await at.tap(card.data[0], card)
        tried = []
        for second in range(1, 60):
            before = len(at.wire.log)
            at.clock.advance(1)
            await at.settle()
            tried += [second] if len(at.wire.log) > before else []

        pauses = [later - one for one, later in pairwise(tried)]
        assert "executed" in at.wire.sent[card.message].text
        assert not at.wire.sent[card.message].data
        assert sorted(pauses[:4]) == pauses[:4]
        assert at.shop.ran == [2]


@pytest.mark.failure_mode(26)
async def test_where_a_message_cannot_be_changed_a_new_one_says_the_outcome_once(
    tmp_path: Path,
) -> None:
    """AP-07."""
    async with rig(tmp_path) as at:
        await at.say(DELETE)
        card = at.wire.card()
        at.wire.amend_troubles.extend([LOST] * 9)
        told = await at.tap(card.data[0], card)
        at.clock.advance(60)
        await at.settle()

        assert told == "Recorded."
        assert at.shop.ran == [2]
        assert sum("executed" in text for text in at.wire.texts(ROSA)) == 1


async def test_an_open_card_that_was_deleted_hangs_again_and_can_be_answered(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path, settings=everywhere(policy="dual")) as at:
        await at.say(REFUND, sender=BRUNO)
        deleted, other = at.wire.card(APPROVERS), at.wire.card(GROUP)
        refusing(at, APPROVERS)
        await at.tap(other.data[0], other, sender=ANA)
        again = newest(at, APPROVERS)
        await at.tap(again.data[0], again, sender=ANDRES)

        assert again.message != deleted.message
        assert at.wire.sent[deleted.message] == deleted
        assert "1 of 2 approvals" in again.text
        assert at.shop.ran == [7]
        assert "executed" in newest(at, APPROVERS).text


async def test_a_chat_in_which_nothing_can_be_changed_is_not_filled_with_copies(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path, settings=everywhere(policy="quorum", k=2, reject_threshold=2)) as at:
        await at.say(REFUND, sender=BRUNO)
        at.wire.amend_troubles.extend([LOST] * 500)
        question = at.one("SELECT id FROM questions")
        for number in range(30):
            at.write("UPDATE cards SET shown = ? WHERE shown NOT LIKE '%replaced'", f"s{number}")
            await at.cards.tell(question)
            await at.settle()

        assert len(at.wire.texts(APPROVERS)) <= 8


async def test_decisions_go_before_everything_that_waits_in_a_crowded_chat(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path) as at:
        await at.say(DELETE)
        card = at.wire.card()
        place = Place(channel="main", chat=str(ROSA))
        at.wire.troubles.append(Retry("429", after=5))
        async with at.record.transaction() as tx:
            for number in range(200):
                one = message_to(place, f"crowd {number}", {"text": f"crowd {number}"})
                await tx.outbox.add(one, now=at.clock.now())
        await at.tap(card.data[0], card)
        held = len(at.wire.log)
        at.clock.advance(6)
        await at.settle()

        kinds = [kind for kind, _, _ in at.wire.log[held:]]
        assert kinds[0] == "amend"
        assert kinds.count("deliver") >= 200


async def test_a_decision_is_not_kept_waiting_by_slow_answers_elsewhere(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        await at.say(DELETE)
        card = at.wire.card()
        at.wire.delay = 2.5
        async with at.record.transaction() as tx:
            for chat in range(5000, 5100):
                one = message_to(Place(channel="main", chat=str(chat)), f"to {chat}", {"text": "?"})
                await tx.outbox.add(one, now=at.clock.now())
        while at.one("SELECT COUNT(*) FROM outbox WHERE state = 'sending'") < 30:
            await at.hands.work()
        at.write("UPDATE questions SET expires_at = ?", at.clock.now())
        await at.house.registry.sweep()
        await at.hands.work()
        while "Expired" not in at.wire.sent[card.message].text:
            await at.hands.work()

        assert at.one("SELECT COUNT(*) FROM outbox WHERE state = 'sent'") < 30
        at.wire.delay = 0.0
        at.write("DELETE FROM outbox WHERE state = 'waiting'")


@pytest.mark.failure_mode(15)
async def test_an_expired_card_says_so_before_all_else_that_waits(tmp_path: Path) -> None:
    """AP-08."""
    async with rig(tmp_path) as at:
        await at.say(DELETE)
        place = Place(channel="main", chat=str(ROSA))
        at.wire.troubles.append(Retry("429", after=650))
        async with at.record.transaction() as tx:
            for number in range(50):
                one = message_to(place, f"crowd {number}", {"text": f"crowd {number}"})
                await tx.outbox.add(one, now=at.clock.now() + 600)
        await at.settle()
        await sweep(at, 601)
        held = len(at.wire.log)
        at.clock.advance(60)
        await at.settle()

        assert at.wire.log[held][0] == "amend"
        assert "Expired" in at.wire.log[held][2]
        assert not at.wire.sent["1"].data or "y" not in at.wire.sent["1"].data[0][-1]
        assert at.rows("SELECT state FROM questions") == [("expired",)]
        assert at.rows("SELECT * FROM acts") == at.shop.ran == []


async def test_a_card_in_several_messages_shows_the_votes_on_its_last_and_then_the_end(
    tmp_path: Path,
) -> None:
    settings = everywhere(tool="save", policy="dual")
    async with rig(tmp_path, settings=settings) as at:
        await at.say('call save {"text": "' + LONG + '"}', sender=BRUNO)
        part = at.wire.card(APPROVERS)
        await at.tap(part.data[0], part, sender=ANA)
        pieces = [sent for sent in at.wire.sent.values() if sent.chat == str(APPROVERS)][1:]
        await at.tap(pieces[-1].data[0], pieces[-1], sender=ANA)
        counted = [at.wire.sent[one.message] for one in pieces]
        await at.tap(counted[-1].data[0], counted[-1], sender=ANDRES)

        assert len(pieces) > 1
        assert [one.text for one in counted[:-1]] == [one.text for one in pieces[:-1]]
        assert "1 of 2 approvals" in counted[-1].text
        assert counted[-1].data == pieces[-1].data
        assert at.shop.ran == [LONG]
        assert "executed" in at.wire.sent[pieces[-1].message].text
        assert not at.wire.sent[pieces[-1].message].data


@pytest.mark.failure_mode(9)
async def test_a_card_that_shows_a_part_shows_the_votes_and_decides_no_more_than_before(
    tmp_path: Path,
) -> None:
    settings = everywhere(tool="save", policy="dual")
    async with rig(tmp_path, settings=settings) as at:
        await at.say('call save {"text": "' + LONG + '"}', sender=BRUNO)
        here, there = at.wire.card(APPROVERS), at.wire.card(GROUP)
        await at.tap(here.data[0], here, sender=ANA)
        whole = at.wire.card(APPROVERS)
        await at.tap(whole.data[0], whole, sender=ANA)
        part = at.wire.sent[there.message]
        forged = await at.tap(part.data[0][:-1] + "y", part, sender=ANDRES)

        assert "1 of 2 approvals" in part.text
        assert [one[-1] for one in part.data] == ["s"]
        assert forged == "Unknown button."


@pytest.mark.failure_mode(35)
async def test_what_was_decided_elsewhere_is_told_where_it_was_asked_and_nowhere_else(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path, settings=everywhere()) as at:
        await at.say(REFUND, sender=BRUNO)
        card = at.wire.card(GROUP)
        await at.tap(card.data[0], card, sender=ANA)

        assert [text for text in at.wire.texts(BRUNO) if "I heard" in text] == ["I heard: done"]
        for chat in (GROUP, APPROVERS, ANA):
            assert not any("I heard" in text for text in at.wire.texts(chat))


async def test_a_card_lost_on_its_way_and_decided_elsewhere_ends_when_it_is_found(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path, settings=everywhere()) as at:
        at.wire.troubles.append(Uncertain("the line broke"))
        await at.say(REFUND, sender=BRUNO)
        card = at.wire.card(GROUP)
        await at.tap(card.data[0], card, sender=ANA)
        at.clock.advance(60)
        await at.settle()

        assert at.shop.ran == [7]
        assert not any(sent.data for sent in at.wire.sent.values())
