"""What a person did, read from one update."""

from typing import Any

import pytest

from comal_bot.channels.channel import Address, Inbound, Tap

from .updates import BOT, GROUP, PRIVATE, RITA, message, one, read, tap


def test_a_private_text_is_for_the_bot_and_names_its_sender():
    assert one(message("hi", chat=PRIVATE)) == Inbound(
        id="11",
        address=Address(channel="main", chat="5"),
        sender="telegram:5",
        sender_name="Rita Paz",
        private=True,
        addressed=True,
        text="hi",
    )


@pytest.mark.parametrize("kind", ["group", "supergroup", "something_new"])
def test_a_group_text_that_names_nobody_is_not_for_the_bot(kind: str):
    inbound = one(message(chat={"id": -4, "type": kind}))

    assert (inbound.private, inbound.addressed) == (False, False)
    assert inbound.address == Address(channel="main", chat="-4")


def test_a_topic_is_a_thread_and_a_chain_of_replies_is_none():
    topic = one(message(message_thread_id=200, is_topic_message=True))
    chain = one(message(message_thread_id=200))

    assert (topic.address.thread, chain.address.thread) == ("200", None)


@pytest.mark.parametrize("stand_in", [1087968824, 777000, 136817688])
def test_an_account_that_stands_for_a_chat_is_nobody(stand_in: int):
    user = {"id": stand_in, "is_bot": True, "first_name": "Group"}

    with_chat = one(message("/pay", **{"from": user}, sender_chat=GROUP))
    without = one(message("/pay", **{"from": user}))

    assert (with_chat.sender, without.sender) == (None, None)
    assert with_chat.sender_name == "Ops"


def test_a_message_on_behalf_of_a_chat_is_nobodys_even_from_a_person():
    assert one(message(sender_chat=GROUP)).sender is None


def test_another_bot_is_marked_as_one():
    inbound = one(message(**{"from": {"id": 8, "is_bot": True, "first_name": "Echo"}}))

    assert (inbound.sender, inbound.sender_is_bot) == ("telegram:8", True)


def test_a_channel_post_has_no_sender_and_its_forwarded_copy_is_not_for_the_bot():
    chat = {"id": -1002000000003, "type": "channel", "title": "News"}
    post = {"message_id": 40, "date": 1, "chat": chat, "sender_chat": chat, "text": "/status"}
    telegram = {"id": 777000, "is_bot": False, "first_name": "Telegram"}
    copy = message("/status", **{"from": telegram}, sender_chat=chat, is_automatic_forward=True)

    original = one({"update_id": 11, "channel_post": post})
    bare = one({"update_id": 11, "channel_post": {"chat": chat, "text": "x"}})

    assert (original.sender, original.private, original.command) == (None, False, "status")
    assert (bare.sender, bare.addressed) == (None, False)
    assert (one(copy).sender, one(copy).addressed) == (None, False)


def test_a_tap_names_the_person_the_message_and_the_topic():
    hung = {"message_id": 740, "date": 1, "chat": GROUP, "from": BOT, "text": "Pay?"}
    topic = {"message_thread_id": 3, "is_topic_message": True}

    inbound = one(tap(data="q1:x:yes", message={**hung, **topic}))

    assert inbound == Inbound(
        id="12",
        address=Address(channel="main", chat="-1002000000001", thread="3"),
        sender="telegram:5",
        sender_name="Rita Paz",
        private=False,
        tap=Tap(callback="900", data="q1:x:yes", message="740"),
    )


def test_a_tap_on_a_message_the_bot_can_no_longer_see_is_a_tap():
    inbound = one(tap(data="ok", message={"chat": PRIVATE, "message_id": 12, "date": 0}))

    assert (inbound.private, inbound.sender) == (True, "telegram:5")
    assert inbound.tap == Tap(callback="900", data="ok", message="12")


def test_a_tap_on_an_inline_message_belongs_to_no_chat_of_the_bot():
    inbound = one(tap(data="ok", inline_message_id="AbC"))

    assert (inbound.address.chat, inbound.private) == ("inline:AbC", False)
    assert inbound.tap == Tap(callback="900", data="ok", message="AbC")


def test_a_tap_by_a_stand_in_is_nobodys():
    anonymous = {"id": 1087968824, "is_bot": True, "first_name": "Group"}
    hung = {"message_id": 1, "date": 1, "chat": GROUP}

    assert one(tap(data="ok", message=hung, **{"from": anonymous})).sender is None


def test_a_tap_without_data_is_nothing():
    assert read(tap(game_short_name="demo", message={"message_id": 1, "chat": GROUP})) == []
    assert read(tap(message={"message_id": 1, "chat": GROUP})) == []


def test_both_notes_of_a_move_say_from_where_to_where():
    old = {"id": -400000001, "type": "group"}
    new = {"id": -1002000000077, "type": "supergroup"}

    leaving = one(message(None, chat=old, migrate_to_chat_id=-1002000000077))
    arriving = one(message(None, chat=new, migrate_from_chat_id=-400000001))

    assert leaving == arriving
    assert (leaving.address.chat, leaving.migrated_to) == ("-400000001", "-1002000000077")
    assert (leaving.sender, leaving.addressed, leaving.text) == (None, False, "")


@pytest.mark.parametrize(
    "raw",
    [
        {"update_id": 1},
        {"update_id": 1, "quantum_reaction": {"chat": 5}},
        {"update_id": 1, "edited_message": message()["message"]},
        {"update_id": 1, "business_message": message()["message"]},
        message(None, pinned_message={"chat": GROUP, "message_id": 5, "date": 0}),
        message(None, new_chat_members=[BOT, RITA]),
        message(None, photo=[{"file_id": "p"}]),
    ],
)
def test_what_is_of_no_interest_is_nothing(raw: dict[str, Any]):
    assert read(raw) == []
