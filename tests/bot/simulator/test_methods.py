"""The methods that write, edit, answer and look, over a real socket."""

import pytest

from comal_bot.simulator.values import Standing


async def test_a_tap_reaches_the_bot_with_its_message_and_the_answer_reaches_the_person(
    api, ada, bot, send_card
):
    chat = ada.chat_with(bot)
    card = await send_card(chat)

    press = ada.press(chat, card, "yes")
    (update,) = (await api("getUpdates")).result
    query = update["callback_query"]
    answered = await api(
        "answerCallbackQuery", callback_query_id=query["id"], text="Done", show_alert=True
    )

    assert query["data"] == "q1:abc:yes"
    assert query["from"]["id"] == 42
    assert query["message"]["message_id"] == card
    assert query["message"]["reply_markup"]["inline_keyboard"][0][1]["text"] == "No"
    assert query["chat_instance"]
    assert answered.result is True
    answer = await press.answered()
    assert (answer.text, answer.alert) == ("Done", True)


async def test_a_tap_is_answered_once_and_in_time(api, ada, bot, clock, send_card):
    chat = ada.chat_with(bot)
    card = await send_card(chat)
    first, late = ada.press(chat, card, "yes"), ada.press(chat, card, "No")
    await api("answerCallbackQuery", callback_query_id=first.id)

    twice = await api("answerCallbackQuery", callback_query_id=first.id)
    unknown = await api("answerCallbackQuery", callback_query_id="77")
    long = await api("answerCallbackQuery", callback_query_id=late.id, text="x" * 201)
    clock.advance(151)
    too_late = await api("answerCallbackQuery", callback_query_id=late.id)

    old = "Bad Request: query is too old and response timeout expired or query ID is invalid"
    assert twice.refused == unknown.refused == too_late.refused == (400, old)
    assert long.refused == (400, "Bad Request: MESSAGE_TOO_LONG")
    assert first.answer is not None
    assert late.answer is None


async def test_an_edit_without_markup_takes_the_keyboard_away(api, ada, bot, send_card):
    chat = ada.chat_with(bot)
    card = await send_card(chat)

    edited = await api("editMessageText", chat_id=chat.id, message_id=card, text="Done.")

    (view,) = ada.transcript(chat)
    assert "reply_markup" not in edited.result
    assert edited.result["edit_date"] >= edited.result["date"]
    assert (view.text, view.labels) == ("Done.", ())
    assert [content.text for content in view.history] == ["Sure?"]


async def test_the_markup_alone_can_be_edited(api, ada, bot, send_card):
    chat = ada.chat_with(bot)
    card = await send_card(chat)

    edited = await api("editMessageReplyMarkup", chat_id=chat.id, message_id=card)
    again = await api("editMessageReplyMarkup", chat_id=chat.id, message_id=card)

    assert edited.result["text"] == "Sure?"
    assert "reply_markup" not in edited.result
    assert again.refused[1].startswith("Bad Request: message is not modified: specified new")


async def test_edits_that_cannot_be_are_refused_in_the_servers_words(api, ada, bot):
    chat = ada.chat_with(bot)
    theirs = ada.send(chat, "mine")
    own = (await api("sendMessage", chat_id=chat.id, text="same")).result["message_id"]
    edit = {"chat_id": chat.id, "text": "same"}

    same = await api("editMessageText", message_id=own, **edit)
    foreign = await api("editMessageText", message_id=theirs, **edit)
    unknown = await api("editMessageText", message_id=99, **edit)
    unnamed = await api("editMessageText", **edit)

    assert same.refused == (
        400,
        "Bad Request: message is not modified: specified new message content and reply markup "
        "are exactly the same as a current content and reply markup of the message",
    )
    assert foreign.refused == (400, "Bad Request: message can't be edited")
    assert unknown.refused == (400, "Bad Request: message to edit not found")
    assert unnamed.refused == (400, "Bad Request: message identifier is not specified")


async def test_a_deleted_message_is_marked_and_cannot_be_edited_or_deleted_again(
    api, ada, bot, send_card
):
    chat = ada.chat_with(bot)
    card = await send_card(chat)
    which = {"chat_id": chat.id, "message_id": card}

    deleted = await api("deleteMessage", **which)
    again = await api("deleteMessage", **which)
    edited = await api("editMessageText", text="x", **which)

    (view,) = ada.transcript(chat)
    assert deleted.result is True
    assert view.deleted
    assert again.refused == (400, "Bad Request: message to delete not found")
    assert edited.refused == (400, "Bad Request: message to edit not found")


async def test_a_message_older_than_48_hours_cannot_be_deleted(api, ada, bot, clock, send_card):
    chat = ada.chat_with(bot)
    card = await send_card(chat)
    clock.advance(48 * 3600 + 1)

    answer = await api("deleteMessage", chat_id=chat.id, message_id=card)

    assert answer.refused == (400, "Bad Request: message can't be deleted")


async def test_a_bot_cannot_write_where_it_is_not_wanted(api, world, bot, ada, ben, faults):
    chat = ada.chat_with(bot)
    faults.block(ada.id, bot.id)
    group = world.create_group("Team", [ada.id, bot.id])
    world.set_standing(group, bot.id, Standing.KICKED, by=ada.id)

    async def refused(chat_id):
        return (await api("sendMessage", chat_id=chat_id, text="x")).refused

    assert await refused(chat.id) == (403, "Forbidden: bot was blocked by the user")
    assert await refused(group.id) == (403, "Forbidden: bot was kicked from the group chat")
    assert await refused(ben.id) == (403, "Forbidden: bot can't initiate conversation with a user")
    assert await refused(-5) == (400, "Bad Request: chat not found")
    assert await refused("@nobody") == (400, "Bad Request: chat not found")
    assert await refused("") == (400, "Bad Request: chat_id is empty")
    faults.clear()
    assert (await api("sendMessage", chat_id=chat.id, text="x")).status == 200


async def test_an_action_shows_for_five_seconds_or_until_the_bot_writes(
    api, ada, bot, world, clock
):
    chat = ada.chat_with(bot)

    await api("sendChatAction", chat_id=chat.id, action="typing")
    shown = [a.action for a in world.actions(chat)]
    clock.advance(5.1)
    faded = world.actions(chat)
    wrong = await api("sendChatAction", chat_id=chat.id, action="dancing")

    assert shown == ["typing"]
    assert faded == []
    assert wrong.refused == (400, "Bad Request: wrong parameter action in request")


async def test_small_methods_answer(api, ada, bot):
    chat = ada.chat_with(bot)
    ada.send(chat, "hello")
    commands = [{"command": "start", "description": "Begin"}]

    me = (await api("getMe")).result
    full = (await api("getChat", chat_id=chat.id)).result
    member = (await api("getChatMember", chat_id=chat.id, user_id=ada.id)).result
    before = (await api("getWebhookInfo")).result
    dropped = (await api("deleteWebhook", drop_pending_updates=True)).result
    after = (await api("getWebhookInfo")).result

    assert (me["id"], me["username"], me["can_read_all_group_messages"]) == (
        7001,
        "comal_bot",
        False,
    )
    assert (full["type"], full["first_name"], full["accent_color_id"]) == ("private", "Ada", 0)
    assert member["status"] == "member"
    assert (before["pending_update_count"], dropped, after["pending_update_count"]) == (1, True, 0)
    assert (await api("setMyCommands", commands=commands)).result is True


async def test_a_reply_carries_what_it_replies_to(api, ada, bot):
    chat = ada.chat_with(bot)
    asked = ada.send(chat, "question")

    sent = await api(
        "sendMessage", chat_id=chat.id, text="answer", reply_parameters={"message_id": asked}
    )
    missing = await api(
        "sendMessage", chat_id=chat.id, text="answer", reply_parameters={"message_id": 77}
    )

    assert sent.result["reply_to_message"]["text"] == "question"
    assert missing.refused == (400, "Bad Request: message to be replied not found")


async def test_two_bots_talk_to_one_person_in_two_chats(api, world, bot, ada):
    other = world.add_bot("7002:other", "other_bot")
    chat, elsewhere = ada.chat_with(bot), ada.chat_with(other)
    ada.send(elsewhere, "secret")

    await api("sendMessage", chat_id=ada.id, text="hello")

    assert [view.text for view in ada.transcript(chat)] == ["hello"]
    assert (await api("getUpdates")).result == []
    with pytest.raises(ValueError, match="pass the Chat"):
        world.transcript(ada.id)
