"""Acknowledging, typing and deleting."""

from typing import Any

import pytest

from comal_bot.channels.channel import Ack, Address, Delete, Retry, Signal, Typing

from .scripted_http import LOST, ScriptedHttp, channel, refusal

CHAT = Address(channel="main", chat="-1002000000001")
TOPIC = Address(channel="main", chat="-1002000000001", thread="200")


@pytest.mark.parametrize(
    ("signal", "call"),
    [
        (
            Ack(callback="900", text="Done", alert=True),
            (
                "answerCallbackQuery",
                {"callback_query_id": "900", "show_alert": True, "text": "Done"},
            ),
        ),
        (
            Ack(callback="900"),
            ("answerCallbackQuery", {"callback_query_id": "900", "show_alert": False}),
        ),
        (
            Typing(),
            (
                "sendChatAction",
                {"chat_id": -1002000000001, "message_thread_id": 200, "action": "typing"},
            ),
        ),
        (
            Delete(message="740"),
            ("deleteMessage", {"chat_id": -1002000000001, "message_id": 740}),
        ),
    ],
)
async def test_each_signal_is_one_call(signal: Signal, call: tuple[str, dict[str, Any]]):
    http = ScriptedHttp()

    await channel(http).signal(TOPIC, signal)

    assert http.calls == [call]


@pytest.mark.parametrize(("text", "kept"), [("x" * 201, "x" * 200), ("😀" * 150, "😀" * 100)])
async def test_an_acknowledgement_is_cut_to_what_telegram_takes(text: str, kept: str):
    http = ScriptedHttp()

    await channel(http).signal(CHAT, Ack(callback="900", text=text))

    assert http.asked("answerCallbackQuery")[0]["text"] == kept


async def test_a_tap_on_an_inline_message_can_be_acknowledged():
    http = ScriptedHttp()

    await channel(http).signal(Address(channel="main", chat="inline:AbC"), Ack(callback="900"))

    assert len(http.asked("answerCallbackQuery")) == 1


async def test_signals_that_come_too_late_are_success():
    old = refusal(400, "Bad Request: query is too old and response timeout expired")
    gone = refusal(400, "Bad Request: message to delete not found")
    telegram = channel(ScriptedHttp(answerCallbackQuery=[old], deleteMessage=[gone]))

    await telegram.signal(CHAT, Ack(callback="900"))
    await telegram.signal(CHAT, Delete(message="740"))


@pytest.mark.parametrize("signal", [Ack(callback="900"), Typing(), Delete(message="740")])
async def test_a_lost_signal_may_be_repeated(signal: Signal):
    http = ScriptedHttp(answerCallbackQuery=[LOST], sendChatAction=[LOST], deleteMessage=[LOST])

    with pytest.raises(Retry):
        await channel(http).signal(CHAT, signal)
