"""Saying things: documents become rows that the chat's channel can send."""

import json
from pathlib import Path
from typing import Any

from comal_bot.speech import ANSWER, CARD, DECISION, Speech, message_to
from comal_renderers import Document
from comal_runtime.record import Place, memory_record

from .wire import Wire

PLACE = Place(channel="main", chat="5", thread="7")
SPEECH = Speech({"main": Wire()})


async def spoken(*texts: tuple[str, str], how: str = "plain") -> list[dict[str, Any]]:
    """Queue (key, text) pairs; the bodies that would be sent, in order."""
    record = memory_record(hosted=True)
    async with record.transaction() as tx:
        for key, text in texts:
            await getattr(SPEECH, how)(tx, key, PLACE, text, 0.0)
    async with record.transaction() as tx:
        bodies = []
        while claimed := await tx.outbox.claim("me", now=1.0, lease_until=9.0, limit=1):
            assert claimed[0].message.thread == "7"
            assert claimed[0].message.priority == ANSWER
            bodies.append(json.loads(claimed[0].message.body))
            await tx.outbox.sent(claimed[0].id, "me", message="1")
    return bodies


async def test_a_host_text_is_literal() -> None:
    (body,) = await spoken(("k", "**not bold** <b> & `code` [x](http://y.example)"))

    assert body["text"] == "**not bold** <b> & `code` [x](http://y.example)"
    assert [e for e in body["entities"] if e["type"] not in ("url",)] == []


async def test_prose_is_markdown() -> None:
    (body,) = await spoken(("k", "**bold** and `code`"), how="prose")

    assert body["text"] == "bold and code"
    assert [entity["type"] for entity in body["entities"]] == ["bold", "code"]


async def test_prose_holds_no_command_or_mention_and_keeps_its_links() -> None:
    (body,) = await spoken(("k", "press /stop, @ana, or https://a.example/@b"), how="prose")

    assert body["text"] == "press /\u2060stop, @\u2060ana, or https://a.example/@b"


async def test_what_is_said_on_a_channel_that_is_gone_is_passed_over() -> None:
    record = memory_record(hosted=True)
    async with record.transaction() as tx:
        shown = await Speech({}).prose(tx, "k", PLACE, "hello", 0.0)
    async with record.reading() as stored:
        assert await stored.outbox.unsettled() == 0

    assert shown is False


async def test_the_same_key_is_said_once() -> None:
    bodies = await spoken(("k", "one"), ("k", "two"), ("l", "three"))

    assert [body["text"] for body in bodies] == ["one", "three"]


async def test_a_text_of_several_messages_is_said_whole_and_in_order() -> None:
    text = " ".join(str(number) for number in range(4000))
    bodies = await spoken(("k", text), ("k", text))

    assert len(bodies) > 2
    assert " ".join(body["text"] for body in bodies).split() == text.split()


async def test_a_document_with_nothing_in_it_says_so_and_queues_nothing(tmp_path: Path) -> None:
    record = memory_record(hosted=True)
    async with record.transaction() as tx:
        shown = await SPEECH.document(tx, "k", PLACE, Document(blocks=()), 0.0)
    async with record.reading() as stored:
        assert await stored.outbox.unsettled() == 0

    assert shown is False


def test_decisions_go_before_cards_and_cards_before_answers() -> None:
    assert DECISION < CARD < ANSWER


def test_a_row_keeps_letters_as_they_are_and_names_its_card() -> None:
    message = message_to(PLACE, "k", {"text": "señal 🌽"}, card="c")

    assert "señal 🌽" in message.body
    assert (message.card, message.edits) == ("c", None)
