"""Messages that can show nothing new, replies to messages, and chats that are there no more."""

import pytest

from comal_bot.channels.channel import Address, Denied, Receipt
from comal_bot.channels.telegram.client import BotApiError
from comal_bot.channels.telegram.errors import channel_error

from .scripted_http import ScriptedHttp, channel, refusal

CHAT = Address(channel="main", chat="-1002000000001")
CARD = Receipt(address=CHAT, message="740")
FIXED = refusal(400, "Bad Request: message can't be edited")
GONE = refusal(400, "Bad Request: message to edit not found")
TOO_LONG = refusal(400, "Bad Request: message is too long")


async def test_a_message_that_takes_no_other_text_loses_its_buttons_and_is_told_as_lost():
    http = ScriptedHttp(editMessageText=[FIXED])

    with pytest.raises(Denied, match="can't be edited") as refused:
        await channel(http).amend(CARD, {"text": "decided"})

    [params] = http.asked("editMessageReplyMarkup")
    assert params == {"chat_id": -1002000000001, "message_id": 740}
    assert refused.value.lost


async def test_a_message_that_is_not_there_is_told_as_lost_and_not_touched_again():
    http = ScriptedHttp(editMessageText=[GONE])

    with pytest.raises(Denied) as refused:
        await channel(http).amend(CARD, {"text": "decided"})

    assert refused.value.lost
    assert http.asked("editMessageReplyMarkup") == []


async def test_text_that_is_refused_is_told_as_lost_only_if_the_buttons_stay_too():
    kept = ScriptedHttp(editMessageText=[TOO_LONG], editMessageReplyMarkup=[GONE])
    removed = ScriptedHttp(editMessageText=[TOO_LONG])
    lost = []
    for http in (kept, removed):
        with pytest.raises(Denied, match="too long") as refused:
            await channel(http).amend(CARD, {"text": "decided"})
        lost.append(refused.value.lost)

    assert lost == [True, False]


async def test_a_reply_names_its_message_and_goes_out_even_if_that_is_there_no_more():
    http = ScriptedHttp()

    await channel(http).deliver(CHAT, {"text": "still waiting", "reply_to": "740"})

    [params] = http.asked("sendMessage")
    assert params["reply_parameters"] == {"message_id": 740, "allow_sending_without_reply": True}
    assert "reply_to" not in params


@pytest.mark.parametrize(
    ("said", "gone"),
    [
        ("Bad Request: chat not found", True),
        ("Bad Request: PEER_ID_INVALID", True),
        ("Bad Request: group chat was deactivated", True),
        ("Bad Request: message to edit not found", False),
        ("Bad Request: message is too long", False),
    ],
)
def test_a_chat_that_is_there_no_more_counts_as_gone(said: str, gone: bool):
    error = channel_error(BotApiError(400, said), method="sendMessage", channel="main")

    assert isinstance(error, Denied)
    assert error.gone is gone
