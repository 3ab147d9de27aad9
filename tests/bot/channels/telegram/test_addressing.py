"""Whom a text is for."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comal_bot.channels.channel import Inbound

from .updates import BOT, GROUP, PRIVATE, RITA, command, message, one


@pytest.mark.parametrize(
    ("text", "name", "rest"),
    [
        ("/status", "status", ""),
        ("/status@acme_bot", "status", ""),
        ("/status@ACME_Bot now", "status", "now"),
        ("/statusx@acme_bot", "statusx", ""),
        ("/status@acme_bot\nline2", "status", "line2"),
        ("/start ' OR 1=1 --", "start", "' OR 1=1 --"),
        ("/Start QUJD", "start", "QUJD"),
    ],
)
@pytest.mark.parametrize("marked", [True, False])
def test_a_command_for_this_bot_or_for_any_is_read(text: str, name: str, rest: str, marked: bool):
    inbound = one(command(text) if marked else message(text))

    assert (inbound.command, inbound.text, inbound.addressed) == (name, rest, True)


@pytest.mark.parametrize("text", ["/status@other_bot", "/status@acme_bot2 x"])
@pytest.mark.parametrize("chat", [GROUP, PRIVATE])
def test_a_command_for_another_bot_is_not_for_this_one(text: str, chat: dict[str, Any]):
    inbound = one(command(text, chat=chat))

    assert (inbound.command, inbound.addressed, inbound.text) == (None, False, text)


@pytest.mark.parametrize("text", ["/usr/bin is full", "a /status", "/", "/ статус", "/день"])
def test_what_only_looks_like_a_command_is_text(text: str):
    assert one(message(text)).command is None


def test_a_slash_inside_code_is_no_command():
    code = [{"type": "code", "offset": 0, "length": 7}]

    assert one(message("/status", entities=code)).command is None


def test_a_mention_after_an_emoji_is_found_by_utf16_units():
    mention = [{"type": "mention", "offset": 5, "length": 9}]

    inbound = one(message("👋🏽 @acme_bot status", entities=mention))

    assert (inbound.addressed, inbound.text) == (True, "status")


@given(st.text(alphabet="é😀👩‍🚀漢𠀀 ", max_size=12))
def test_a_mention_is_found_whatever_stands_before_it(before: str):
    offset = len(before.encode("utf-16-le")) // 2
    text = f"{before}@Acme_Bot go"

    marked = one(message(text, entities=[{"type": "mention", "offset": offset, "length": 9}]))

    assert marked.addressed
    assert marked.text in ("go", text)


@pytest.mark.parametrize(
    ("text", "addressed"),
    [
        ("what now, @acme_bot?", True),
        ("@ACME_BOT", True),
        ("mail me@acme_bot please", False),
        ("ask @acme_bot2", False),
        ("ask @other_bot", False),
    ],
)
def test_a_mention_nobody_marked_is_found_in_the_text(text: str, addressed: bool):
    inbound = one(message(text))

    assert (inbound.addressed, inbound.text) == (addressed, text)


def test_a_mention_by_id_counts_and_of_another_does_not():
    def by_id(user: int) -> Inbound:
        entity = {"type": "text_mention", "offset": 0, "length": 4, "user": {"id": user}}
        return one(message("Acme go", entities=[entity]))

    assert (by_id(7000000009).addressed, by_id(7000000009).text) == (True, "go")
    assert not by_id(8).addressed


def test_a_caption_is_read_with_its_own_entities():
    raw = message(
        None,
        photo=[{"file_id": "p"}],
        caption="/scan@acme_bot now",
        caption_entities=[{"type": "bot_command", "offset": 0, "length": 14}],
        entities="never looked at",
    )

    inbound = one(raw)

    assert (inbound.command, inbound.text) == ("scan", "now")


def test_a_reply_to_the_bot_is_for_it():
    mine = one(message(reply_to_message={"message_id": 3, "from": BOT, "text": "?"}))
    others = one(message(reply_to_message={"message_id": 3, "from": RITA, "text": "?"}))

    assert (mine.addressed, others.addressed) == (True, False)


def test_a_reply_to_the_opening_of_a_topic_is_not_for_the_bot_that_opened_it():
    opening = {"message_id": 200, "from": BOT}
    note = {**opening, "forum_topic_created": {"name": "Deploys"}}
    topic = {"message_thread_id": 200, "is_topic_message": True}

    assert not one(message(reply_to_message=note, **topic)).addressed
    assert not one(message(reply_to_message=opening, **topic)).addressed
    assert one(message(reply_to_message={"message_id": 205, "from": BOT}, **topic)).addressed
    assert one(message(reply_to_message=note, **topic)).reply_to is None
    assert one(message(reply_to_message=opening, **topic)).reply_to is None


def test_only_an_answer_to_the_bots_own_message_names_what_it_answers():
    mine = one(message(reply_to_message={"message_id": 3, "from": BOT, "text": "?"}))
    others = one(message(reply_to_message={"message_id": 3, "from": RITA, "text": "?"}))
    elsewhere = one(message(external_reply={"message_id": 3, "origin": {"type": "user"}}))

    assert (mine.reply_to, others.reply_to, elsewhere.reply_to) == ("3", None, None)
