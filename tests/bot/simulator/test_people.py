"""What people can do, and what bots are shown of it."""

import asyncio

import pytest

from comal_bot.simulator.values import Chat, Content, Standing


def told(world, bot):
    """Return kind and text of each update made for a bot."""
    return [(update.kind, update.payload.get("text")) for update in world.updates(bot.id)]


def texts(world, bot):
    return [text for kind, text in told(world, bot) if kind == "message"]


def bot_says(world, bot, chat: Chat, text: str) -> int:
    return world.post(world.room(chat), bot.user, Content(text=text)).id


def test_with_privacy_a_bot_sees_in_a_group_only_what_is_meant_for_it(world, bot, ada):
    world.add_bot("7002:x", "other_bot")
    group = world.create_group("Team", [ada.id, bot.id])
    said = bot_says(world, bot, group, "hi all")

    ada.send(group, "just talking")
    ada.send(group, "/help")
    ada.send(group, "/help@Comal_Bot now")
    ada.send(group, "/help@other_bot")
    ada.send(group, "hey @comal_bot!")
    ada.send(group, "mail me@comal_bot.org")
    ada.send(group, "yes", reply_to=said)
    ada.send(group, "no", reply_to=2)

    assert texts(world, bot) == ["/help", "/help@Comal_Bot now", "hey @comal_bot!", "yes"]


def test_without_privacy_a_bot_sees_people_but_never_bots(world, ada):
    open_bot = world.add_bot("7003:x", "open_bot", privacy=False)
    other = world.add_bot("7004:x", "other_bot", privacy=False)
    group = world.create_group("Team", [ada.id, open_bot.id, other.id], supergroup=True)

    ada.send(group, "just talking")
    bot_says(world, other, group, "@open_bot hello")

    assert texts(world, open_bot) == ["just talking"]
    assert group.id < -1_000_000_000_000


def test_a_bot_hears_nothing_of_its_own_messages_or_of_others_private_chats(world, bot, ada, ben):
    other = world.add_bot("7004:x", "other_bot")
    bot_says(world, bot, ada.chat_with(bot), "hello")

    ben.send(ben.chat_with(other), "for the other bot")

    assert told(world, bot) == []


def test_an_edit_is_told_as_edited_message_and_only_for_ones_own_text(world, bot, ada, ben):
    group = world.create_group("Team", [ada.id, ben.id, bot.id])
    sent = ada.send(group, "/buy 1")

    ada.edit(group, sent, "/buy 2")

    assert told(world, bot)[-2:] == [("message", "/buy 1"), ("edited_message", "/buy 2")]
    with pytest.raises(ValueError, match="written by Ada"):
        ben.edit(group, sent, "/buy 3")


def test_joining_being_kicked_and_blocked_are_told_as_my_chat_member(world, bot, ada):
    group = world.create_group("Team", [ada.id, bot.id])
    world.set_standing(group, bot.id, Standing.KICKED, by=ada.id)
    ada.chat_with(bot)
    world.set_blocked(ada.id, bot.id, True)

    changes = [
        (
            u.payload["chat"]["type"],
            u.payload["old_chat_member"]["status"],
            u.payload["new_chat_member"]["status"],
        )
        for u in world.updates(bot.id)
        if u.kind == "my_chat_member"
    ]

    assert changes == [
        ("group", "left", "member"),
        ("group", "member", "kicked"),
        ("private", "member", "kicked"),
    ]
    with pytest.raises(ValueError, match="unblock"):
        ada.send(ada.chat_with(bot), "hello?")


async def test_forged_data_and_taps_on_deleted_messages_reach_the_bot(world, bot, ada):
    chat = ada.chat_with(bot)
    card = bot_says(world, bot, chat, "Sure?")
    ada.press_raw(chat, card, "q1:stolen:yes")
    world.erase(world.room(chat).get(card))
    ada.press_raw(chat, card, "late")

    forged, late = (update.payload for update in world.updates(bot.id))

    assert forged["data"] == "q1:stolen:yes"
    assert late["message"] == {
        "chat": {"id": 42, "type": "private", "first_name": "Ada", "username": "ada"},
        "message_id": card,
        "date": 0,
    }


def test_who_is_not_in_a_chat_can_do_nothing_there(world, bot, ada, ben):
    group = world.create_group("Team", [ada.id, bot.id])
    card = bot_says(world, bot, group, "Sure?")

    for act in (
        lambda: ben.send(group, "hi"),
        lambda: ben.press_raw(group, card, "x"),
        lambda: ben.transcript(group),
    ):
        with pytest.raises(ValueError, match="Ben is in no such chat"):
            act()


async def test_the_version_grows_with_every_change_and_wakes_who_waits(world, bot, ada):
    chat = ada.chat_with(bot)
    before = world.version
    waiting = asyncio.create_task(world.wait_for_change(before, 30))
    await asyncio.sleep(0)

    ada.send(chat, "hello")

    assert await waiting == world.version > before
    assert await world.wait_for_change(world.version, 0.01) == world.version


async def test_waiting_for_a_message_in_vain_tells_what_was_there(world, bot, ada):
    chat = ada.chat_with(bot)
    ada.send(chat, "hello")

    with pytest.raises(TimeoutError, match="1 Ada: 'hello'"):
        await ada.wait_for(chat, lambda view: view.sender.is_bot, timeout=0.01)
