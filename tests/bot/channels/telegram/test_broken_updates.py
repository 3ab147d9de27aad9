"""Broken updates are refused by name, never by accident."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comal_bot.channels.channel import Inbound

from .updates import BOT, GROUP, PRIVATE, command, message, one, read, tap

HUNG = {"message_id": 1, "chat": GROUP}


@pytest.mark.parametrize(
    ("raw", "named"),
    [
        (42, "update "),
        ({}, "update_id"),
        ({"malformed": 3}, "update_id"),
        ({"update_id": True, "message": {}}, "update_id"),
        ({"update_id": 2**60}, "update_id"),
        ({"update_id": 1, "message": "hi"}, "message "),
        ({"update_id": 1, "message": None}, "message "),
        (message(chat=None), "message.chat "),
        (message(chat={"type": "private"}), "message.chat.id"),
        (message(chat={"id": "5", "type": "private"}), "message.chat.id"),
        (message(chat={"id": 5}), "message.chat.type"),
        (message(7), "message.text"),
        (message(None, caption=["x"]), "message.caption"),
        (message(**{"from": None}), "message.from"),
        (message(**{"from": {"first_name": "x"}}), "message.from.id"),
        (message(**{"from": {"id": 5.0}}), "message.from.id"),
        (message(**{"from": {"id": 5, "first_name": 3}}), "message.from.first_name"),
        (message(sender_chat=3), "message.sender_chat"),
        (message(entities={"type": "x"}), "message.entities"),
        (message(entities=[3]), "message.entities"),
        (message(entities=[{"type": "x", "offset": "0", "length": 1}]), "entities.offset"),
        (message(entities=[{"type": "x", "offset": -1, "length": 1}]), "negative"),
        (message(message_thread_id="t", is_topic_message=True), "message_thread_id"),
        (message(None, migrate_to_chat_id="x"), "migrate_to_chat_id"),
        (tap(id=900, data="x", message=HUNG), "callback_query.id"),
        (tap(data=1, message=HUNG), "callback_query.data"),
        (tap(data="x"), "neither message nor inline_message_id"),
        (tap(data="x", message={"chat": GROUP}), "callback_query.message.message_id"),
        (tap(data="x", message=HUNG, **{"from": {}}), "callback_query.from.id"),
    ],
)
def test_a_broken_update_is_refused_by_the_name_of_its_field(raw: Any, named: str):
    with pytest.raises(ValueError) as broken:
        read(raw)

    assert named in str(broken.value)
    assert not isinstance(broken.value, UnicodeError)


def test_a_message_without_any_sender_is_broken():
    raw = message()
    del raw["message"]["from"]

    with pytest.raises(ValueError, match=r"message\.from is missing"):
        read(raw)


def test_lone_surrogates_do_not_reach_the_host():
    assert one(message("a\ud83d", chat=PRIVATE)).text == "a�"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["id", "type", "text", "from", "chat", "entities", "data", "message"]),
            inner,
            max_size=5,
        )
    ),
    max_leaves=12,
)


@given(st.sampled_from(["message", "channel_post", "callback_query"]), JSON)
def test_no_shape_raises_anything_but_value_error(kind: str, value: Any):
    assert_read_or_refused({"update_id": 1, kind: value})


@given(st.data())
def test_a_good_update_with_one_field_replaced_raises_nothing_but_value_error(data: st.DataObject):
    raw = data.draw(
        st.sampled_from(
            [
                command("/pay@acme_bot 5", reply_to_message={"from": BOT}),
                tap(data="x", message=HUNG),
            ]
        )
    )
    kind = next(key for key in raw if key != "update_id")
    field = data.draw(st.sampled_from(sorted(raw[kind])))
    broken = {**raw, kind: {**raw[kind], field: data.draw(JSON)}}

    assert_read_or_refused(broken)


def test_every_stored_case_is_read(shared: Path):
    lines = (shared / "cases" / "telegram-updates.jsonl").read_text().splitlines()
    found = [raw for line in lines for raw in updates(json.loads(line)["input"])]

    read_back = [inbound for raw in found for inbound in read(raw)]

    assert len(found) > 20
    assert {inbound.address.channel for inbound in read_back} == {"main"}


def assert_read_or_refused(raw: dict[str, Any]) -> None:
    """Fail on any exception but a ValueError with a text of its own."""
    refusals: list[str] = []
    found: list[Inbound] = []
    try:
        found = read(raw)
    except ValueError as refusal:
        refusals.append(str(refusal))
    assert len(found) <= 1
    assert all(refusals)


def updates(value: Any) -> list[dict[str, Any]]:
    """Return every update inside a case's input."""
    if isinstance(value, list):
        return [raw for item in value for raw in updates(item)]
    if not isinstance(value, dict):
        return []
    if "update_id" in value:
        return [value]
    return [raw for item in value.values() for raw in updates(item)]
