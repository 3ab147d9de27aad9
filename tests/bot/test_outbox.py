"""Delivery: each chat in order and at its pace; what is not known is not repeated."""

from pathlib import Path
from typing import Any

import pytest

import comal_bot.outbox
from comal_bot.channels.channel import Denied, Retry, Uncertain, Unsupported
from comal_bot.outbox import Pace
from comal_bot.speech import message_to
from comal_runtime.rate_limit import GcraRateLimiter
from comal_runtime.record import Outgoing, Place
from comal_runtime.testing import FakeClock

from .rig import Rig, rig
from .wire import ANA, APPROVERS, ROSA

STATES = "SELECT state FROM outbox ORDER BY id"
DELETE = 'call delete_note {"note": 2}'


def message(key: str, chat: int = ROSA, **changes: Any) -> Outgoing:
    place = Place(channel="main", chat=str(chat))
    return message_to(place, key, {"text": key}, **changes)


async def queue(at: Rig, *messages: Outgoing) -> None:
    """Queue all of them in one transaction, so that none goes before the last is there."""
    async with at.record.transaction() as tx:
        for one in messages:
            await tx.outbox.add(one, now=at.clock.now())
    await at.settle()


def edit(key: str, of: str) -> Outgoing:
    place = Place(channel="main", chat=str(ROSA))
    return Outgoing(
        idempotency=key,
        channel=place.channel,
        chat=place.chat,
        body='{"text": "' + key + '"}',
        priority=0,
        edits=of,
    )


async def test_messages_of_a_chat_go_by_priority_and_then_in_their_order(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        await queue(at, message("first"))
        await queue(
            at,
            message("answer one"),
            message("answer two"),
            message("card", priority=3),
            edit("decision", "1"),
        )

        tried = [text for _, _, text in at.wire.log]

    assert tried == ["first", "decision", "card", "answer one", "answer two"]


async def test_a_message_queued_twice_under_one_key_is_sent_once(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        await queue(at, message("hello"))
        await queue(at, message("hello"))

        assert at.wire.texts(ROSA) == ["hello"]


async def test_a_chat_that_must_wait_waits_and_another_chat_goes_on(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        at.wire.troubles.append(Retry("429", after=30))
        await queue(at, message("one"))
        await queue(at, message("two"), message("elsewhere", ANA))
        during = at.wire.texts(ROSA), at.wire.texts(ANA)
        at.clock.advance(29)
        await at.settle()
        early = at.wire.texts(ROSA)
        at.clock.advance(2)
        await at.settle()

        assert during == ([], ["elsewhere"])
        assert early == []
        assert at.wire.texts(ROSA) == ["one", "two"]


async def test_a_pause_that_a_server_asked_for_outlives_a_restart(tmp_path: Path) -> None:
    clock = FakeClock()
    async with rig(tmp_path, clock=clock) as at:
        at.wire.troubles.append(Retry("429", after=30))
        await queue(at, message("one"))

    async with rig(tmp_path, clock=clock, name="second") as again:
        await queue(again, message("two"), message("elsewhere", ANA))
        during = again.wire.texts(ROSA), again.wire.texts(ANA)
        clock.advance(31)
        await again.settle()

        assert during == ([], ["elsewhere"])
        assert again.wire.texts(ROSA) == ["one", "two"]


async def test_a_plain_message_that_may_have_arrived_is_not_repeated(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        at.wire.troubles.append(Uncertain("the line broke"))
        await queue(at, message("one"), message("two"))
        at.clock.advance(3600)
        await at.settle()

        assert at.rows(STATES) == [("uncertain",), ("sent",)]
        assert [text for _, _, text in at.wire.log] == ["one", "two"]


async def test_an_edit_whose_fate_is_unknown_is_repeated(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        await queue(at, message("one"))
        at.wire.amend_troubles.append(Retry("the line broke", after=1))
        await queue(at, edit("two", "1"))
        at.clock.advance(2)
        await at.settle()

        assert at.wire.texts(ROSA) == ["two"]


async def test_a_sender_that_died_leaves_edits_to_repeat_and_messages_unknown(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path) as at:
        await queue(at, message("one"))
        async with at.record.transaction() as tx:
            await tx.outbox.add(edit("decision", "1"), now=at.clock.now())
            await tx.outbox.add(message("elsewhere", ANA), now=at.clock.now())
            await tx.outbox.claim(
                "dead", now=at.clock.now(), lease_until=at.clock.now() + 20, limit=9
            )
        await at.outbox.recover()
        within_lease = [state for (state,) in at.rows(STATES)]
        at.clock.advance(21)
        await at.outbox.recover()
        await at.settle()

        assert within_lease == ["sent", "sending", "sending"]
        assert [state for (state,) in at.rows(STATES)] == ["sent", "sent", "uncertain"]
        assert at.wire.texts(ROSA) == ["decision"]
        assert at.wire.texts(ANA) == []


async def test_a_send_that_never_ends_is_given_up_before_its_lease_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert comal_bot.outbox._LONGEST < comal_bot.outbox._LEASE
    monkeypatch.setattr(comal_bot.outbox, "_LONGEST", 0.05)
    async with rig(tmp_path) as at:
        at.wire.delay = 60
        await queue(at, message("one"))

        assert at.rows(STATES) == [("uncertain",)]


async def test_a_refusal_ends_a_message_and_the_next_ones_go(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        at.wire.troubles.extend([Denied("message is too long"), Unsupported("no photos")])
        await queue(at, message("one"), message("two"), message("three"))

        assert at.rows(STATES) == [("refused",), ("refused",), ("sent",)]


async def test_a_message_to_a_channel_that_is_gone_is_refused(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        gone = Outgoing(idempotency="x", channel="former", chat="1", body="{}")
        await queue(at, gone, message("one"))

        assert at.rows("SELECT state, error FROM outbox WHERE channel = 'former'") == [
            ("refused", "there is no channel 'former' any more")
        ]
        assert at.wire.texts(ROSA) == ["one"]


async def test_a_chat_that_blocked_the_bot_drops_what_waits_and_revives_when_it_writes(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path) as at:
        at.wire.troubles.append(Denied("bot was blocked by the user", gone=True))
        await queue(at, message("one"), message("two"), message("elsewhere", ANA))
        gone = at.rows("SELECT chat, gone FROM chats")
        blocked = [state for (state,) in at.rows(STATES)]
        await at.say("say welcome back")

        assert gone == [(str(ROSA), 1)]
        assert blocked == ["refused", "refused", "sent"]
        assert at.rows("SELECT chat, gone FROM chats") == [(str(ROSA), 0)]
        assert at.wire.texts(ROSA) == ["welcome back"]


async def test_a_chat_that_is_gone_is_not_tried_again_until_it_writes(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        at.wire.troubles.append(Denied("bot was blocked by the user", gone=True))
        await queue(at, message("one"))
        tried = len(at.wire.log)
        await queue(at, message("two"))

        assert len(at.wire.log) == tried
        assert at.one("SELECT error FROM outbox ORDER BY id DESC").startswith("the chat is gone")


async def test_a_chat_takes_messages_at_its_own_pace_and_delays_no_other(tmp_path: Path) -> None:
    pace = Pace(GcraRateLimiter(2, 2), GcraRateLimiter(1, 60), GcraRateLimiter(100, 1))
    async with rig(tmp_path, pace=pace) as at:
        mine = [message(f"m{number}") for number in range(4)]
        group = [message(f"g{number}", APPROVERS) for number in range(2)]
        await queue(at, *mine, *group, message("elsewhere", ANA))
        burst = len(at.wire.texts(ROSA)), len(at.wire.texts(APPROVERS)), len(at.wire.texts(ANA))
        at.clock.advance(1.01)
        await at.settle()
        later = len(at.wire.texts(ROSA)), len(at.wire.texts(APPROVERS))
        at.clock.advance(60)
        await at.settle()

        assert burst == (2, 1, 1)
        assert later == (3, 1)
        assert at.wire.texts(ROSA) == ["m0", "m1", "m2", "m3"]
        assert at.wire.texts(APPROVERS) == ["g0", "g1"]


async def test_a_decision_that_must_wait_for_the_pace_still_goes_before_answers(
    tmp_path: Path,
) -> None:
    pace = Pace(GcraRateLimiter(1, 1), GcraRateLimiter(1, 1), GcraRateLimiter(100, 1))
    async with rig(tmp_path, pace=pace) as at:
        await queue(at, message("first"))
        await queue(at, message("answer"))
        await queue(at, edit("decision", "1"))
        for _ in range(4):
            at.clock.advance(1.01)
            await at.settle()

        assert [text for _, _, text in at.wire.log] == ["first", "decision", "answer"]


def test_the_whole_channel_has_a_pace_as_well() -> None:
    pace = Pace.telegram()

    waits = [pace.wait(message("x", chat), 1000.0) for chat in range(1, 32)]

    assert waits[:30] == [0] * 30
    assert waits[30] > 0
