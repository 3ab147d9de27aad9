"""Opening, delivering, amending and signalling."""

from typing import Any

import pytest

from comal_bot.channels.channel import (
    Address,
    Channel,
    Denied,
    Receipt,
    Retry,
    Uncertain,
    Unsupported,
)
from comal_renderers.descriptor import TELEGRAM

from .scripted_http import LOST, UNSENT, ScriptedHttp, answer, channel, refusal

CHAT = Address(channel="main", chat="-1002000000001")
TOPIC = Address(channel="main", chat="-1002000000001", thread="200")
CARD = Receipt(address=TOPIC, message="740")
BOLD = [{"type": "bold", "offset": 0, "length": 2}]
KEYBOARD = {"inline_keyboard": [[{"text": "Yes", "callback_data": "q1:x:yes"}]]}
BAD_ENTITIES = refusal(400, "Bad Request: can't parse entities: bad bounds")
TOO_LONG = refusal(400, "Bad Request: message is too long")


async def test_opening_learns_the_bot_ends_a_webhook_keeping_updates_and_publishes_commands():
    http = ScriptedHttp()

    async with channel(http, commands=[("start", "Say hello")]) as telegram:
        [inbound] = telegram.parse(
            {
                "update_id": 1,
                "message": {
                    "chat": {"id": -4, "type": "group"},
                    "from": {"id": 5},
                    "text": "@acme_bot hi",
                },
            }
        )

    assert http.calls == [
        ("getMe", {}),
        ("deleteWebhook", {"drop_pending_updates": False}),
        ("setMyCommands", {"commands": [{"command": "start", "description": "Say hello"}]}),
    ]
    assert (inbound.address.channel, inbound.addressed, inbound.text) == ("main", True, "hi")


async def test_commands_that_cannot_be_published_do_not_stop_the_bot(
    caplog: pytest.LogCaptureFixture,
):
    http = ScriptedHttp(setMyCommands=[refusal(400, "Bad Request: BOT_COMMAND_INVALID")])

    async with channel(http, commands=[("Bad Name", "x")]):
        pass

    assert [record.message for record in caplog.records] == ["commands.unpublished"]


async def test_without_commands_those_of_the_bots_owner_stay():
    http = ScriptedHttp()

    async with channel(http):
        pass

    assert http.asked("setMyCommands") == []


@pytest.mark.parametrize(
    ("script", "meaning", "text"),
    [
        (refusal(401, "Unauthorized"), Denied, "COMAL_CHANNELS__MAIN__TOKEN"),
        (refusal(404, "Not Found"), Denied, "COMAL_CHANNELS__MAIN__TOKEN"),
        ({"id": "x"}, Denied, "api_base"),
        (UNSENT, Retry, "no connection"),
    ],
)
async def test_a_bot_that_cannot_be_opened_says_why(
    script: object, meaning: type[Exception], text: str
):
    with pytest.raises(meaning, match=text):
        async with channel(ScriptedHttp(getMe=[script])):
            pass


def test_a_channel_that_is_not_open_cannot_parse():
    with pytest.raises(RuntimeError, match="async with"):
        channel(ScriptedHttp()).parse({"update_id": 1})


def test_it_is_a_channel_and_shows_what_telegram_shows():
    telegram: Channel = channel(ScriptedHttp())

    assert (telegram.name, telegram.descriptor) == ("main", TELEGRAM)


async def test_a_message_goes_to_its_chat_and_topic_without_a_link_preview():
    http = ScriptedHttp(sendMessage=[{"message_id": 55}, {"message_id": 56}])
    telegram = channel(http)

    first = await telegram.deliver(
        TOPIC, {"text": "hi", "entities": BOLD, "reply_markup": KEYBOARD}
    )
    second = await telegram.deliver(CHAT, {"text": "hi", "entities": None})

    assert first == Receipt(address=TOPIC, message="55")
    assert second == Receipt(address=CHAT, message="56")
    no_preview = {"link_preview_options": {"is_disabled": True}}
    plain = {"chat_id": -1002000000001, "text": "hi", **no_preview}
    assert http.asked("sendMessage") == [
        {**plain, "message_thread_id": 200, "entities": BOLD, "reply_markup": KEYBOARD},
        plain,
    ]


async def test_refused_entities_are_left_out_once():
    http = ScriptedHttp(sendMessage=[BAD_ENTITIES, {"message_id": 55}])

    await channel(http).deliver(CHAT, {"text": "hi", "entities": BOLD, "reply_markup": KEYBOARD})

    first, second = http.asked("sendMessage")
    assert second == {key: value for key, value in first.items() if key != "entities"}


@pytest.mark.parametrize("entities", [{"entities": BOLD}, {}])
async def test_text_refused_without_entities_is_refused_for_good(entities: dict[str, Any]):
    http = ScriptedHttp(sendMessage=[BAD_ENTITIES, BAD_ENTITIES, {"message_id": 1}])

    with pytest.raises(Denied):
        await channel(http).deliver(CHAT, {"text": "hi", **entities})

    assert len(http.asked("sendMessage")) == 1 + len(entities)


@pytest.mark.parametrize("script", [LOST, refusal(500, "Internal"), answer(b"<html>"), {"odd": 1}])
async def test_a_message_that_may_have_gone_is_sent_once_and_uncertain(script: object):
    http = ScriptedHttp(sendMessage=[script])

    with pytest.raises(Uncertain):
        await channel(http).deliver(CHAT, {"text": "hi"})

    assert len(http.asked("sendMessage")) == 1


async def test_a_flood_refusal_is_the_callers_to_wait_out():
    http = ScriptedHttp(sendMessage=[refusal(429, "Too Many Requests", retry_after=33)])

    with pytest.raises(Retry) as refused:
        await channel(http).deliver(CHAT, {"text": "hi"})

    assert refused.value.after == 33.0
    assert len(http.asked("sendMessage")) == 1


async def test_a_markup_language_is_not_sent():
    http = ScriptedHttp()

    with pytest.raises(Unsupported, match="parse_mode"):
        await channel(http).deliver(CHAT, {"text": "<b>x</b>", "parse_mode": "HTML"})

    assert http.calls == []


@pytest.mark.parametrize("chat", ["inline:AbC", "somewhere"])
async def test_what_is_no_chat_of_telegram_is_refused_before_any_call(chat: str):
    http = ScriptedHttp()

    with pytest.raises(Denied, match="expected a whole number"):
        await channel(http).deliver(Address(channel="main", chat=chat), {"text": "hi"})

    assert http.calls == []


async def test_an_amendment_replaces_text_and_buttons():
    http = ScriptedHttp()

    await channel(http).amend(CARD, {"text": "done", "entities": BOLD})

    assert http.calls == [
        (
            "editMessageText",
            {
                "chat_id": -1002000000001,
                "message_id": 740,
                "text": "done",
                "entities": BOLD,
                "link_preview_options": {"is_disabled": True},
            },
        )
    ]


async def test_an_amendment_that_changes_nothing_is_success():
    http = ScriptedHttp(editMessageText=[refusal(400, "Bad Request: message is not modified: x")])

    await channel(http).amend(CARD, {"text": "done"})

    assert len(http.calls) == 1


async def test_a_refused_text_still_loses_its_buttons():
    http = ScriptedHttp(editMessageText=[TOO_LONG])

    with pytest.raises(Denied, match="message is too long"):
        await channel(http).amend(CARD, {"text": "x" * 5000})

    assert http.asked("editMessageReplyMarkup") == [{"chat_id": -1002000000001, "message_id": 740}]


async def test_a_refused_text_of_an_open_card_keeps_the_buttons_it_should_have():
    http = ScriptedHttp(editMessageText=[TOO_LONG])

    with pytest.raises(Denied):
        await channel(http).amend(CARD, {"text": "1 of 2 said yes", "reply_markup": KEYBOARD})

    [params] = http.asked("editMessageReplyMarkup")
    assert params["reply_markup"] == KEYBOARD


async def test_buttons_that_could_not_be_removed_now_are_worth_another_try():
    http = ScriptedHttp(editMessageText=[TOO_LONG], editMessageReplyMarkup=[LOST])

    with pytest.raises(Retry):
        await channel(http).amend(CARD, {"text": "x"})


async def test_buttons_that_cannot_be_removed_leave_the_first_refusal():
    gone = refusal(400, "Bad Request: message to edit not found")
    http = ScriptedHttp(editMessageText=[TOO_LONG], editMessageReplyMarkup=[gone])

    with pytest.raises(Denied, match="message is too long"):
        await channel(http).amend(CARD, {"text": "x"})


@pytest.mark.parametrize(
    ("script", "meaning"),
    [
        (refusal(400, "Bad Request: message to edit not found"), Denied),
        (refusal(403, "Forbidden: bot was blocked by the user"), Denied),
        (refusal(400, "Bad Request: upgraded", migrate_to_chat_id=-7), Denied),
        (LOST, Retry),
        (refusal(502, "Bad Gateway"), Retry),
    ],
)
async def test_only_refused_content_touches_the_buttons_alone(
    script: object, meaning: type[Exception]
):
    http = ScriptedHttp(editMessageText=[script])

    with pytest.raises(meaning):
        await channel(http).amend(CARD, {"text": "x"})

    assert http.asked("editMessageReplyMarkup") == []
