"""What a refusal or a lost answer of the Bot API means for the host.

ChannelError
  Retry        not sent, or sending it twice changes nothing
  Uncertain    may have been sent
  Denied       refused for good
    ContentRefused   for what it says; the message it would replace still stands
"""

from collections.abc import Callable

from comal_runtime.http.client import HttpError

from ..channel import ChannelError, Denied, Retry, Uncertain
from .client import BotApiError

CONFLICT_PAUSE = 3.0  # seconds. Source: Bot API server, the second conflict is delayed by 3 s.

_REPEATABLE = frozenset(
    {
        "answerCallbackQuery",
        "deleteMessage",
        "deleteWebhook",
        "editMessageReplyMarkup",
        "editMessageText",
        "getMe",
        "getUpdates",
        "sendChatAction",
        "setMyCommands",
    }
)

# Source: Bot API server, Client.cpp; what was asked for is so already, or no longer matters.
_ALREADY_SO = {
    "editMessageText": ("message is not modified",),
    "editMessageReplyMarkup": ("message is not modified",),
    "answerCallbackQuery": ("query is too old", "query id is invalid"),
    "deleteMessage": ("message to delete not found",),
}

_NO_SUCH_MESSAGE = (
    "message to edit not found",
    "message_id_invalid",
    "message identifier is not specified",
)

_NO_OTHER_TEXT = ("message can't be edited",)

_NO_SUCH_CHAT = ("chat not found", "peer_id_invalid", "group chat was deactivated")


class ContentRefused(Denied):
    """Refused for what the message says or for its buttons, not for where it goes.

    The message that it would replace still stands; `lost` tells that it can say nothing else.
    """


def is_already_so(error: HttpError | BotApiError, method: str) -> bool:
    """Tell a refusal that means success: the thing asked for is so, or can no longer matter."""
    if not isinstance(error, BotApiError) or error.code != 400:
        return False
    description = error.description.lower()
    return any(phrase in description for phrase in _ALREADY_SO.get(method, ()))


def blames_formatting(error: BotApiError) -> bool:
    """Tell a refusal that the same text without entities may not meet."""
    description = error.description.lower()
    return error.code == 400 and ("entit" in description or "parse" in description)


def channel_error(error: HttpError | BotApiError, *, method: str, channel: str) -> ChannelError:
    """Say what may be done next about a failed call.

    Args:
        method: The Bot API's spelling; tells whether repeating the call is harmless.
        channel: The instance's name, for naming the setting to mend.
    """
    lost: Callable[[str], ChannelError] = Retry if method in _REPEATABLE else Uncertain
    if isinstance(error, HttpError):
        return lost(str(error)) if error.sent else Retry(str(error))
    if error.code == 429:
        return Retry(f"{method}: {error}", after=_pause(error, 1.0))
    if error.code == 409:
        return Retry(f"{method}: {error}", after=_pause(error, CONFLICT_PAUSE))
    if error.code >= 500:
        return lost(f"{method}: {error}")
    return _denial(error, method=method, channel=channel)


def _pause(error: BotApiError, least: float) -> float:
    return least if error.retry_after is None else max(least, error.retry_after)


def _denial(error: BotApiError, *, method: str, channel: str) -> Denied:
    setting = f"COMAL_CHANNELS__{channel.upper()}"
    if error.code == 401:
        return Denied(f"token refused by the Bot API; set {setting}__TOKEN (@BotFather gives one)")
    if error.code == 404:
        return Denied(
            f"no such bot there: {setting}__TOKEN is wrong (@BotFather gives one), "
            f"or {setting}__API_BASE is not a Bot API's address"
        )
    reason = f"{method}: {error}"
    if error.code == 403:
        return Denied(reason, gone=True)
    if error.migrate_to is not None:
        return Denied(reason, moved_to=error.migrate_to)
    description = error.description.lower()
    if any(phrase in description for phrase in _NO_SUCH_CHAT):
        return Denied(reason, gone=True)
    if any(phrase in description for phrase in _NO_SUCH_MESSAGE):
        return Denied(reason, lost=True)
    if error.code != 400:
        return Denied(reason)
    fixed = any(phrase in description for phrase in _NO_OTHER_TEXT)
    return ContentRefused(reason, lost=fixed)
