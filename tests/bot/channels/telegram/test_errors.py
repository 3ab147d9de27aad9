"""What may be done after a failed call."""

import pytest

from comal_bot.channels.channel import ChannelError, Denied, Retry, Uncertain
from comal_bot.channels.telegram import BotApiError
from comal_bot.channels.telegram.errors import (
    ContentRefused,
    blames_formatting,
    channel_error,
    is_already_so,
)
from comal_runtime.http.client import HttpError

REPEATABLE = (
    "editMessageText",
    "editMessageReplyMarkup",
    "getUpdates",
    "answerCallbackQuery",
    "sendChatAction",
    "deleteMessage",
)


def meaning(error: HttpError | BotApiError, method: str = "sendMessage") -> ChannelError:
    return channel_error(error, method=method, channel="main")


@pytest.mark.parametrize("method", ["sendMessage", *REPEATABLE])
def test_what_never_left_may_be_sent_again(method: str):
    assert type(meaning(HttpError("refused", sent=False), method)) is Retry


@pytest.mark.parametrize("error", [HttpError("reset", sent=True), BotApiError(502, "Bad Gateway")])
def test_a_send_without_an_answer_is_uncertain(error: HttpError | BotApiError):
    assert type(meaning(error)) is Uncertain


@pytest.mark.parametrize("error", [HttpError("reset", sent=True), BotApiError(500, "Internal")])
@pytest.mark.parametrize("method", REPEATABLE)
def test_a_repeatable_call_without_an_answer_is_repeated(
    error: HttpError | BotApiError, method: str
):
    assert type(meaning(error, method)) is Retry


def test_a_method_nobody_vouched_for_is_not_repeated():
    assert type(meaning(HttpError("reset", sent=True), "sendInvoice")) is Uncertain


@pytest.mark.parametrize(("told", "after"), [(33.0, 33.0), (None, 1.0), (0.0, 1.0)])
def test_a_flood_refusal_waits_as_long_as_told(told: float | None, after: float):
    error = meaning(BotApiError(429, "Too Many Requests", told))

    assert isinstance(error, Retry)
    assert error.after == after


@pytest.mark.parametrize(
    "description",
    [
        "Forbidden: bot was blocked by the user",
        "Forbidden: user is deactivated",
        "Forbidden: bot was kicked from the supergroup chat",
        "Forbidden: bot can't initiate conversation with a user",
    ],
)
def test_a_forbidden_chat_is_gone(description: str):
    error = meaning(BotApiError(403, description))

    assert isinstance(error, Denied)
    assert error.gone
    assert description in str(error)


def test_a_chat_that_became_a_supergroup_names_its_new_id():
    error = meaning(BotApiError(400, "Bad Request: group chat was upgraded", None, "-100277"))

    assert isinstance(error, Denied)
    assert (error.moved_to, error.gone) == ("-100277", False)


def test_an_address_without_that_bot_names_both_settings():
    error = channel_error(BotApiError(404, "Not Found"), method="getMe", channel="main")

    assert isinstance(error, Denied)
    assert "COMAL_CHANNELS__MAIN__TOKEN" in str(error)
    assert "COMAL_CHANNELS__MAIN__API_BASE" in str(error)


def test_a_refused_token_names_the_setting_to_mend():
    error = channel_error(BotApiError(401, "Unauthorized"), method="getMe", channel="main")

    assert isinstance(error, Denied)
    assert not error.gone
    assert str(error) == (
        "token refused by the Bot API; set COMAL_CHANNELS__MAIN__TOKEN (@BotFather gives one)"
    )


def test_other_bad_requests_are_refused_for_good():
    text = meaning(BotApiError(400, "Bad Request: message is too long"))
    chat = meaning(BotApiError(400, "Bad Request: chat not found"))
    large = meaning(BotApiError(413, "Request Entity Too Large"))

    assert type(text) is ContentRefused
    assert type(chat) is type(large) is Denied


def test_a_message_that_is_not_there_is_not_refused_for_its_content():
    error = meaning(BotApiError(400, "Bad Request: message to edit not found"), "editMessageText")

    assert type(error) is Denied


@pytest.mark.parametrize(
    ("method", "description"),
    [
        ("editMessageText", "Bad Request: message is not modified: specified new message content"),
        ("editMessageReplyMarkup", "Bad Request: message is not modified"),
        ("answerCallbackQuery", "Bad Request: query is too old and response timeout expired"),
        ("deleteMessage", "Bad Request: message to delete not found"),
    ],
)
def test_a_refusal_of_what_is_already_so_is_success(method: str, description: str):
    assert is_already_so(BotApiError(400, description), method)
    assert not is_already_so(BotApiError(400, description), "sendMessage")
    assert not is_already_so(BotApiError(403, description), method)
    assert not is_already_so(HttpError(description, sent=True), method)


def test_formatting_is_blamed_only_when_named():
    assert blames_formatting(BotApiError(400, "Bad Request: can't parse entities: byte 3"))
    assert blames_formatting(BotApiError(400, "Bad Request: ENTITY_BOUNDS_INVALID"))
    assert not blames_formatting(BotApiError(400, "Bad Request: message is too long"))
    assert not blames_formatting(BotApiError(413, "Request Entity Too Large"))
