"""Hanging cards, and making every copy say how it ended."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

from comal_bot.channels.channel import Denied
from comal_bot.questions import QuestionCards
from comal_runtime import Progress, ToolContext
from comal_runtime.call import Call, Request
from comal_runtime.record import Card
from comal_runtime.result import ToolResult
from comal_runtime.tools import tool
from tests.support.stage import scripted

from .rig import Rig, house_settings, rig
from .wire import ANA, APPROVERS, BRUNO, GROUP, ROSA, written

DELETE = 'call delete_note {"note": 2}'
REFUND = 'call refund {"order": 7}'


class Bakery:
    """A tool that tells how far it is."""

    def __init__(self) -> None:
        self.told = asyncio.Event()
        self.go_on = asyncio.Event()

    @tool(mutating=True)
    async def bake(self) -> AsyncIterator[object]:
        """Bake."""
        for number in range(1, 4):
            yield Progress(number, 4, "loaves")
        self.told.set()
        await self.go_on.wait()
        yield Progress(4, 4, "loaves")
        yield "all baked"


async def test_a_question_shown_twice_hangs_once(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        await at.say(REFUND, sender=BRUNO)
        await at.cards.show(at.one("SELECT id FROM questions"))
        await at.settle()

        assert len(at.wire.texts(APPROVERS)) == 1
        assert at.one("SELECT COUNT(*) FROM cards") == 2


async def test_a_confirmation_hangs_where_it_was_asked_thread_included(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        topic = {"is_topic_message": True, "message_thread_id": 7}
        await at.hear(written(1, f"@comal_bot {DELETE}", chat=GROUP, **topic))

        assert at.wire.card(GROUP).thread == "7"
        assert at.rows("SELECT role, chat, thread FROM cards") == [("requester", str(GROUP), "7")]


async def test_a_verification_hangs_with_the_approvers_and_waits_with_the_requester(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path) as at:
        await at.say(REFUND, sender=BRUNO)

        assert [one[-1] for one in at.wire.card(APPROVERS).data] == ["y", "n", "c"]
        assert "Waiting for an approver" in at.wire.texts(BRUNO)[0]
        assert f"Asked by: Bruno (telegram:{BRUNO})" in at.wire.texts(APPROVERS)[0]
        assert [one[-1] for one in at.wire.card(BRUNO).data] == ["w"]


async def test_a_route_without_a_chat_hangs_its_card_where_it_was_asked(tmp_path: Path) -> None:
    route = {"tool": "refund", "approvers": [f"telegram:{ANA}"]}
    async with rig(tmp_path, settings=house_settings(routes=[route])) as at:
        await at.say(f"@comal_bot {REFUND}", sender=ROSA, chat=GROUP)
        card = at.wire.card(GROUP)

        assert len(at.wire.texts(GROUP)) == 1
        assert await at.tap(card.data[0], card, sender=ANA) == "Recorded."
        assert at.shop.ran == [7]


async def test_a_card_in_the_chat_it_was_asked_in_is_one_card(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        await at.say(f"@comal_bot {REFUND}", sender=ROSA, chat=APPROVERS)

        assert len(at.wire.texts(APPROVERS)) == 1
        assert at.wire.card(APPROVERS).data


async def test_every_copy_says_how_it_ended_and_loses_its_buttons(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        await at.say(REFUND, sender=BRUNO)
        card = at.wire.card(APPROVERS)
        await at.tap(card.data[1], card, sender=ANA)

        cards = [sent for sent in at.wire.sent.values() if "Refund" in sent.text]
        assert len(cards) == 2
        assert all("Rejected by Ana" in sent.text and not sent.data for sent in cards)
        assert all("order: 7" in sent.text for sent in cards)


async def test_a_card_that_cannot_be_edited_keeps_no_other_from_being_edited(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path) as at:
        await at.say(REFUND, sender=BRUNO)
        card = at.wire.card(APPROVERS)
        at.wire.amend_troubles.append(Denied("message to edit not found"))
        await at.tap(card.data[0], card, sender=ANA)

        assert at.shop.ran == [7]
        shown = [at.wire.texts(chat)[0] for chat in (BRUNO, APPROVERS)]
        assert sum("executed" in text for text in shown) == 1
        assert at.rows("SELECT COUNT(*) FROM outbox WHERE state = 'refused'") == [(1,)]


async def test_a_card_on_a_channel_that_is_gone_keeps_no_other_from_being_told(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path) as at:
        await at.say(DELETE)
        question = at.one("SELECT id FROM questions")
        gone = Card(
            id="C" * 22,
            question=question,
            role="approver",
            channel="former",
            chat="1",
            message="5",
        )
        async with at.record.transaction() as tx:
            await tx.cards.add(gone)
        card = at.wire.card()
        await at.tap(card.data[0], card)

        assert at.hands.failures == []
        assert "executed" in at.wire.sent[card.message].text
        assert "I heard: done" in at.wire.texts(ROSA)


async def test_edits_that_wait_give_way_to_the_newest(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        await at.say(DELETE)
        card = at.wire.card()
        async with at.record.transaction() as tx:
            await tx.outbox.cool("main", str(ROSA), until=at.clock.now() + 30)
        await at.tap(card.data[0], card)
        at.wire.log.clear()
        at.clock.advance(31)
        await at.settle()

        edits = [text for what, _, text in at.wire.log if what == "amend"]
        assert len(edits) == 1
        assert "executed" in edits[0]
        assert at.wire.log[0][0] == "amend"


async def test_a_running_tool_shows_how_far_it_is_and_its_end_comes_last(tmp_path: Path) -> None:
    bakery = Bakery()
    async with rig(tmp_path, tools=lambda shop: [bakery]) as at:
        await at.say("call bake {}")
        card = at.wire.card()
        pressing = asyncio.create_task(at.tap(card.data[0], card))
        await bakery.told.wait()
        while "3/4" not in at.wire.sent[card.message].text:
            await asyncio.sleep(0.001)
        running = at.wire.sent[card.message]
        bakery.go_on.set()
        await pressing

        assert "running: 3/4 loaves" in running.text
        assert running.data == []
        assert "executed" in at.wire.sent[card.message].text
        assert "running" not in at.wire.sent[card.message].text
        assert [text for what, _, text in at.wire.log if what == "amend"][-1].count("executed") == 1


async def test_progress_that_cannot_be_stored_does_not_harm_the_tool(tmp_path: Path) -> None:
    bakery = Bakery()
    bakery.go_on.set()
    async with rig(tmp_path, tools=lambda shop: [bakery]) as at:
        await at.say("call bake {}")
        card = at.wire.card()
        full = "WHEN NEW.body LIKE '%running:%' BEGIN SELECT RAISE(ABORT, 'the disk is full'); END"
        at.write(f"CREATE TRIGGER full BEFORE INSERT ON outbox {full}")
        await at.tap(card.data[0], card)

        assert at.rows("SELECT state FROM acts") == [("done",)]
        assert "executed" in at.wire.sent[card.message].text


async def test_progress_of_a_call_that_nobody_was_asked_about_shows_nowhere(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path) as at:
        registered = at.house.registry._deps.tools["notes"]
        call = Call(Request("notes", {}, ToolContext.cli()), registered, {})
        await at.cards.progress(call, Progress(1, 2))

        assert at.rows("SELECT COUNT(*) FROM outbox") == [(0,)]


async def test_telling_twice_edits_once_and_begins_one_turn(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        await at.say(DELETE)
        card = at.wire.card()
        await at.tap(card.data[0], card)
        before = len(at.wire.log), at.one("SELECT COUNT(*) FROM turns")
        key = at.one("SELECT id FROM questions")
        await QuestionCards(at.house).tell(key)
        await QuestionCards(at.house).tell(key)
        await at.settle()

        assert (len(at.wire.log), at.one("SELECT COUNT(*) FROM turns")) == before


async def test_telling_about_nothing_is_no_error(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        await at.cards.tell("unheard-of")
        await at.cards.show("unheard-of")
        await at.settle()

        assert at.wire.log == []


async def test_a_late_end_amends_what_the_card_said_before(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        await at.say(DELETE)
        card = at.wire.card()
        await at.tap(card.data[0], card)
        key = at.one("SELECT key FROM acts")
        seen = [await _after(at, key, card.message, state) for state in ("unknown", "done_late")]

        assert "outcome unknown" in seen[0]
        assert "done late" in seen[1]
        assert at.wire.texts(ROSA)[-2:] == ["I heard: unknown", "I heard: done_late"]


async def _after(at: Rig, key: str, message: str, state: str) -> str:
    """Put an act into a state, tell it, and return what its card shows then."""
    at.write("UPDATE acts SET state = ? WHERE key = ?", state, key)
    await at.cards.tell(key)
    await at.settle()
    return at.wire.sent[message].text


async def test_what_belongs_to_a_channel_that_is_gone_is_passed_over(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        await at.say(DELETE)
        at.write("UPDATE addresses SET channel = 'former'")
        at.write("UPDATE cards SET channel = 'former'")
        at.clock.advance(601)
        await at.house.registry.sweep()
        await at.settle()

        assert at.hands.failures == []
        assert at.one("SELECT state FROM questions") == "expired"
        assert at.rows("SELECT state FROM turns") == [("ended",)]
        assert at.house.missed == {"former"}


async def test_a_route_whose_chat_is_on_a_channel_that_is_gone_tells_the_requester(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path) as at:
        await at.say(REFUND, sender=BRUNO)
        at.write("DELETE FROM cards")
        at.write("UPDATE questions SET route = replace(route, 'main:', 'former:')")
        await at.cards.show(at.one("SELECT id FROM questions"))
        await at.settle()

        assert at.hands.failures == []
        assert sum("Nobody can decide" in text for text in at.wire.texts(BRUNO)) == 1


async def test_a_tool_that_only_says_it_asks_ends_no_turn_without_a_word(tmp_path: Path) -> None:
    model = scripted(
        ("fake", lambda *_: [("fake", {})]),
        (".*", lambda _m, _t, messages: f"I read {messages[-1].content}"),
    )
    async with rig(tmp_path, tools=lambda shop: [Faker()], model=model) as at:
        await at.say("fake")

        (said,) = at.wire.texts(ROSA)
        assert "Sure?" in said
        assert "awaiting" not in said
        assert at.one("SELECT COUNT(*) FROM questions") == 0


class Faker:
    """A tool that answers as if somebody were asked."""

    @tool
    async def fake(self) -> ToolResult:
        """Say that it asks."""
        return ToolResult.confirmation("Sure?")
