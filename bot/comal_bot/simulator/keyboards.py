"""Inline keyboards as bots send them, checked as the server checks them."""

from collections.abc import Mapping

from .refusal import bad_request
from .values import Button, Keyboard

MAX_BUTTONS = 100  # Source: python-telegram-bot, InlineKeyboardMarkupLimit.
MAX_ROW = 8  # Source: python-telegram-bot, InlineKeyboardMarkupLimit.
MAX_DATA = 64  # bytes. Source: Bot API, InlineKeyboardButton.
OTHER_MARKUPS = ("keyboard", "remove_keyboard", "force_reply")
ACTIONS = (
    "url",
    "web_app",
    "login_url",
    "switch_inline_query",
    "switch_inline_query_current_chat",
    "switch_inline_query_chosen_chat",
    "copy_text",
    "callback_game",
    "pay",
)


def read_keyboard(value: object) -> Keyboard | None:
    """Read the parsed `reply_markup` parameter; None if there are no inline buttons.

    Reply keyboards and forced replies are accepted and shown nowhere.

    Raises:
        Refusal: 400, with the server's words.
    """
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise bad_request("object expected as reply markup")
    if "inline_keyboard" not in value:
        if value and not any(name in value for name in OTHER_MARKUPS):
            raise bad_request("object expected as reply markup")
        return None
    rows = value["inline_keyboard"]
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise bad_request(
            'field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays'
        )
    read = tuple(tuple(_read_button(item) for item in row) for row in rows if row)
    if any(len(row) > MAX_ROW for row in read) or sum(map(len, read)) > MAX_BUTTONS:
        raise bad_request("reply markup is too long")
    return Keyboard(rows=read) if read else None


def _read_button(item: object) -> Button:
    what = "can't parse inline keyboard button"
    if not isinstance(item, Mapping):
        raise bad_request(f"{what}: InlineKeyboardButton must be an Object")
    if "text" not in item:
        raise bad_request(f'{what}: Can\'t find field "text"')
    label = item["text"]
    if not isinstance(label, str):
        raise bad_request(f'{what}: Field "text" must be of type String')
    if not label.strip():
        raise bad_request(f"{what}: Inline keyboard button text must be non-empty")
    return Button(label=label, data=_read_data(item, what), wire=dict(item))


def _read_data(item: Mapping[object, object], what: str) -> str | None:
    data = item.get("callback_data")
    if data is None or data == "":
        if not any(name in item for name in ACTIONS):
            raise bad_request(f"{what}: Text buttons are unallowed in the inline keyboard")
        return None
    if not isinstance(data, str):
        raise bad_request(f'{what}: Field "callback_data" must be of type String')
    if len(data.encode()) > MAX_DATA:
        raise bad_request("BUTTON_DATA_INVALID")
    return data
