"""Intake: one transaction, no update twice, no update lost, no update in another's way."""

from pathlib import Path
from typing import Any

import pytest

from comal_bot.channels.channel import Denied, Inbound, Raw
from comal_bot.inbox import Intake

from .rig import Rig, rig
from .wire import ANA, APPROVERS, BRUNO, GROUP, ROSA, Wire, tapped, written

JOBS = "SELECT kind, lane, key FROM jobs ORDER BY id"


class Tripping(Wire):
    """A channel whose reading itself fails at some update."""

    def parse(self, raw: Raw) -> list[Inbound]:
        if raw["update_id"] == 3:
            raise RuntimeError("out of order")
        return super().parse(raw)


async def take(at: Rig, *batch: Raw) -> None:
    """Take a batch in without doing any of its jobs."""
    await Intake(at.record, at.clock, at.wire)(batch)


def states(at: Rig) -> list[tuple[Any, ...]]:
    return at.rows("SELECT event, state FROM inbox ORDER BY id")


async def test_an_update_and_its_job_are_stored_together_or_not_at_all(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        tripping = Intake(at.record, at.clock, Tripping())

        with pytest.raises(RuntimeError):
            await tripping([written(1, "hello"), written(2, "hello"), written(3, "hello")])
        nothing = states(at), at.rows(JOBS)
        await take(at, written(1, "hello"))
        both = states(at), len(at.rows(JOBS))

    assert nothing == ([], [])
    assert both == ([("1", "new")], 1)


async def test_the_same_update_is_stored_once_however_often_it_comes(tmp_path: Path) -> None:
    """TD-01, TD-05."""
    async with rig(tmp_path) as at:
        await take(at, written(1, "pay 10"), written(1, "pay 10"))
        await take(at, written(1, "pay 10"))

        assert states(at) == [("1", "new")]
        assert len(at.rows(JOBS)) == 1


async def test_an_update_done_before_a_restart_is_known_after_it(tmp_path: Path) -> None:
    """TD-05."""
    async with rig(tmp_path) as at:
        await at.hear(written(1, "say hello"))

    async with rig(tmp_path, name="second") as again:
        await again.hear(written(1, "say hello"))

        assert again.wire.texts(ROSA) == []
        assert again.one("SELECT COUNT(*) FROM turns") == 1


async def test_the_same_event_id_with_another_payload_is_another_update(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        await at.hear(written(1, "say one"))
        await at.hear(written(1, "say two"))

        assert states(at) == [("1", "done"), ("1", "done")]
        assert at.wire.texts(ROSA) == ["one", "two"]


async def test_the_same_update_on_another_channel_is_another_update(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        await take(at, written(1, "hello"))
        await Intake(at.record, at.clock, Wire("second"))([written(1, "hello")])

        assert at.rows("SELECT channel FROM inbox ORDER BY id") == [("main",), ("second",)]


@pytest.mark.parametrize(
    "poison",
    [
        {"update_id": 2, "message": {"chat": "nowhere"}},
        {"update_id": 2, "message": None},
        {"update_id": 2, "callback_query": {"id": 5, "data": "x"}},
        {"update_id": "two", "message": {}},
        {"malformed": ["not", "an", "object"]},
        written(2**60, "x", chat=2**60),
        written(2, "x", entities=[{"type": "bold", "offset": -1, "length": 1}]),
    ],
)
async def test_a_broken_update_is_kept_and_counted_and_its_neighbours_are_handled(
    tmp_path: Path, poison: Raw
) -> None:
    async with rig(tmp_path) as at:
        await at.hear(written(1, "say one"), poison, written(3, "say three"))

        assert [state for _, state in states(at)] == ["done", "broken", "done"]
        assert at.one("SELECT error FROM inbox WHERE state = 'broken'")
        assert at.wire.texts(ROSA) == ["one", "three"]
        async with at.record.reading() as stored:
            assert await stored.inbox.count("broken") == 1


async def test_half_a_surrogate_pair_is_stored_and_answered(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        await at.hear(written(1, "say half \ud800 a pair"))

        assert states(at) == [("1", "done")]
        assert at.wire.texts(ROSA) == ["half \ufffd a pair"]


async def test_text_in_a_group_that_is_for_nobody_here_leaves_no_trace_but_itself(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path) as at:
        await at.hear(
            written(1, "good morning", chat=GROUP),
            written(2, "@other_bot say hi", chat=GROUP),
            written(3, "/help@other_bot", chat=GROUP),
        )

        assert {state for _, state in states(at)} == {"done"}
        assert at.one("SELECT COUNT(*) FROM conversations") == 0
        assert at.wire.log == []


async def test_what_bots_write_and_press_is_ignored(tmp_path: Path) -> None:
    bot = {"id": 55, "is_bot": True, "first_name": "Other"}
    press = tapped(3, "q1:x:y", ROSA, ROSA, "9")
    press["callback_query"]["from"] = bot

    async with rig(tmp_path) as at:
        await at.hear(
            written(1, "say hi", **{"from": bot}),
            written(2, "@comal_bot say hi", chat=GROUP, **{"from": bot}),
            press,
        )

        assert {state for _, state in states(at)} == {"done"}
        assert at.wire.log == []
        assert at.wire.signals == []


@pytest.mark.parametrize(
    "faceless",
    [
        {"sender_chat": {"id": GROUP, "type": "supergroup", "title": "Shop"}},
        {"from": {"id": 1087968824, "is_bot": True, "first_name": "Group"}},
    ],
)
async def test_an_anonymous_admin_is_answered_without_a_turn(
    tmp_path: Path, faceless: dict[str, Any]
) -> None:
    async with rig(tmp_path) as at:
        await at.hear(written(1, "@comal_bot call delete_note {}", chat=GROUP, **faceless))

        assert at.wire.texts(GROUP) == ["I cannot tell who you are here."]
        assert at.one("SELECT COUNT(*) FROM turns") == 0


async def test_a_channel_post_that_names_the_bot_is_answered_without_a_turn(tmp_path: Path) -> None:
    post = written(1, "@comal_bot say hi", chat=GROUP)["message"]
    del post["from"]

    async with rig(tmp_path) as at:
        await at.hear({"update_id": 1, "channel_post": post})

        assert at.wire.texts(GROUP) == ["I cannot tell who you are here."]
        assert at.one("SELECT COUNT(*) FROM turns") == 0


async def test_messages_wait_in_their_conversation_taps_in_their_person_and_stop_in_neither(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path) as at:
        await take(
            at,
            written(1, "a", sender=ROSA),
            written(2, "b", sender=ROSA),
            written(3, "c", sender=ANA),
            tapped(4, "x", ROSA, ROSA, "1"),
            tapped(5, "x", ROSA, GROUP, "1"),
            written(6, "/stop", sender=ROSA),
        )
        lanes = [lane for _, lane, _ in at.rows(JOBS)]
        await at.settle()

    assert lanes[0] == lanes[1] != lanes[2]
    assert lanes[3] == lanes[4] == f"tap:telegram:{ROSA}"
    assert lanes[5] not in lanes[:5]


async def test_two_threads_of_a_group_are_two_conversations(tmp_path: Path) -> None:
    def topic(update: int, thread: int) -> Raw:
        return written(
            update,
            "@comal_bot say hi",
            chat=GROUP,
            is_topic_message=True,
            message_thread_id=thread,
        )

    async with rig(tmp_path) as at:
        await at.hear(topic(1, 7), topic(2, 8))

        assert at.one("SELECT COUNT(*) FROM conversations") == 2
        assert {sent.thread for sent in at.wire.sent.values()} == {"7", "8"}


@pytest.mark.parametrize("notice", ["migrate_to_chat_id", "migrate_from_chat_id", "both"])
async def test_a_group_that_becomes_a_supergroup_keeps_its_conversation_cards_and_messages(
    tmp_path: Path, notice: str
) -> None:
    new = -1_001_700_000_777
    told = {
        "migrate_to_chat_id": written(50, "", chat=GROUP, migrate_to_chat_id=new),
        "migrate_from_chat_id": written(51, "", chat=new, migrate_from_chat_id=GROUP),
    }
    async with rig(tmp_path) as at:
        await at.say('@comal_bot call delete_note {"note": 2}', chat=GROUP)
        card = at.wire.card(GROUP)
        async with at.record.transaction() as tx:
            await tx.outbox.cool("main", str(GROUP), until=at.clock.now() + 60)
        await at.say("@comal_bot say later", chat=GROUP)
        conversations = at.rows("SELECT id FROM conversations")

        await at.hear(*(update for name, update in told.items() if notice in (name, "both")))
        answer = await at.tap(card.data[0], card.message, chat=new)

        assert answer == "Recorded."
        assert at.shop.ran == [2]
        assert at.rows("SELECT id FROM conversations") == conversations
        assert at.rows("SELECT DISTINCT chat FROM addresses") == [(str(new),)]
        assert at.rows("SELECT DISTINCT chat FROM cards") == [(str(new),)]
        assert "later" in at.wire.texts(new)
        assert "I heard: done" in at.wire.texts(new)


async def test_an_approvers_group_that_moved_is_found_by_the_next_card(tmp_path: Path) -> None:
    """The settings still name the old chat; the channel tells the new one."""
    new = -1_001_700_000_778
    async with rig(tmp_path) as at:
        at.wire.troubles.extend([Denied("upgraded to a supergroup", moved_to=str(new))])
        await at.say('call refund {"order": 7}', sender=BRUNO)
        card = at.wire.card(new)
        answer = await at.tap(card.data[0], card, sender=ANA)

        assert answer == "Recorded."
        assert at.shop.ran == [7]
        assert "executed" in at.wire.texts(new)[0]
        assert at.wire.texts(APPROVERS) == []
