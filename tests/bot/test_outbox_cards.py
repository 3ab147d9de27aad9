"""Cards whose sending nobody can be sure of: a copy goes out, and all copies converge."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from comal_bot.channels.channel import Denied, Uncertain

from .rig import Rig, rig
from .wire import ANA, APPROVERS, BRUNO

REFUND = 'call refund {"order": 7}'
DELETE = 'call delete_note {"note": 2}'


async def test_a_card_that_may_have_arrived_goes_again_as_a_copy_and_both_show_the_end(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path) as at:
        arrived = await lose_the_card(at)
        copy = at.wire.card()
        answer = await at.tap(copy.data[0], copy)
        only_copy_closed = at.wire.sent[arrived].data != []
        late = await at.tap(first_data(at), arrived)

        assert copy.message != arrived
        assert answer == "Recorded."
        assert only_copy_closed
        assert late.startswith("Already decided: ✅ Confirmed by Rosa")
        assert at.shop.ran == [2]
        assert [sent.data for sent in at.wire.sent.values()] == [[], [], []]
        assert "executed" in at.wire.sent[arrived].text
        assert "executed" in at.wire.sent[copy.message].text


async def test_a_tap_on_a_card_that_was_thought_lost_counts_and_finds_its_message(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path) as at:
        arrived = await lose_the_card(at)
        copy = at.wire.card()
        answer = await at.tap(first_data(at), arrived)

        assert answer == "Recorded."
        assert at.shop.ran == [2]
        assert "executed" in at.wire.sent[arrived].text
        assert "executed" in at.wire.sent[copy.message].text
        assert at.rows("SELECT message FROM cards ORDER BY created_at, message") == [
            (arrived,),
            (copy.message,),
        ]


async def test_a_copy_of_a_card_that_shows_a_part_can_decide_no_more_than_the_first(
    tmp_path: Path,
) -> None:
    long = "x" * 9000
    async with rig(tmp_path) as at:
        at.wire.troubles.append(Uncertain("the line broke"))
        await at.say('call save {"text": "' + long + '"}')
        at.clock.advance(60)
        await at.settle()
        copy = at.wire.card()
        forged = await at.tap(copy.data[0][:-1] + "y", copy)

        assert [data[-1] for data in copy.data] == ["s"]
        assert forged == "Unknown button."
        assert at.shop.ran == []


async def test_a_card_that_is_lost_again_and_again_is_copied_once(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        at.wire.troubles.extend([Uncertain("gateway")] * 50)
        await at.say(DELETE)
        for _ in range(20):
            at.clock.advance(30)
            await at.settle()

        assert len(at.wire.log) == 2
        assert at.one("SELECT COUNT(*) FROM cards") == 2


async def test_a_card_whose_place_is_not_known_when_it_is_decided_learns_it_from_a_later_tap(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path) as at:
        arrived = await lose_the_card(at)
        copy = at.wire.card()
        at.write("UPDATE cards SET message = NULL")
        await at.tap(copy.data[0], copy)
        before = at.wire.sent[arrived].data
        late = await at.tap(first_data(at), arrived)

        assert before != []
        assert late.startswith("Already decided: ✅ Confirmed by Rosa")
        assert at.shop.ran == [2]
        assert at.wire.sent[arrived].data == []
        assert at.wire.sent[copy.message].data == []


async def test_a_chat_that_throws_the_bot_out_lets_the_requester_know_once(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        at.wire.troubles.append(Denied("bot was kicked from the supergroup chat", gone=True))
        await at.say(REFUND, sender=BRUNO)
        await at.settle()

        assert sum("Nobody can decide" in text for text in at.wire.texts(BRUNO)) == 1
        assert at.rows("SELECT chat, gone FROM chats") == [(str(APPROVERS), 1)]


async def test_an_edit_that_a_chat_refuses_tells_nobody_that_the_card_hangs_nowhere(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path) as at:
        await at.say(REFUND, sender=BRUNO)
        card = at.wire.card(APPROVERS)
        at.wire.amend_troubles.extend([Denied("kicked", gone=True)] * 2)
        await at.tap(card.data[0], card, sender=ANA)

        assert at.shop.ran == [7]
        assert not any("Nobody can decide" in text for text in at.wire.texts(BRUNO))


async def test_a_card_is_tried_in_a_chat_that_was_gone_and_its_arrival_revives_the_chat(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path) as at:
        await at.say("say hello", sender=BRUNO)
        async with at.record.transaction() as tx:
            await tx.outbox.mark_gone("main", str(APPROVERS))
        await at.say(REFUND, sender=BRUNO)

        assert at.wire.card(APPROVERS).data
        assert at.rows("SELECT gone FROM chats") == [(0,)]


async def test_no_copy_goes_out_for_a_question_that_is_decided(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        await at.say(DELETE)
        at.write("UPDATE outbox SET state = 'sending', owner = 'dead', lease_until = 1")
        at.write("UPDATE cards SET message = NULL")
        at.write("UPDATE questions SET state = 'expired'")
        await at.outbox.recover()
        await at.settle()

        assert at.rows("SELECT state FROM outbox WHERE card IS NOT NULL") == [("uncertain",)]
        assert at.one("SELECT COUNT(*) FROM cards") == 1


def first_data(at: Rig) -> str:
    """Return what the Confirm button of the oldest card carries."""
    return f"q1:{at.rows('SELECT id FROM cards ORDER BY rowid')[0][0]}:y"


async def lose_the_card(at: Rig) -> str:
    """Ask with a card that arrives although its sender cannot know; the id of its message."""
    deliver = at.wire.deliver

    async def once(target: Any, body: Mapping[str, Any]) -> Any:
        receipt = await deliver(target, body)
        at.wire.deliver = deliver  # type: ignore[method-assign]
        lost.append(receipt.message)
        raise Uncertain("the answer was lost")

    lost: list[str] = []
    at.wire.deliver = once  # type: ignore[method-assign]
    await at.say(DELETE)
    at.clock.advance(5)
    await at.settle()
    return lost[0]
