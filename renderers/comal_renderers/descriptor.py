"""What a channel can show and do: frozen data, no behaviour."""

from dataclasses import dataclass
from typing import Final, Literal

Unit = Literal["utf16", "chars", "bytes"]
Markup = Literal["entities", "markdown", "plain", "json"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ButtonLimits:
    """How many buttons a message holds, in `total` and `per_row`.

    `data_bytes` is how long the data of one may be (bytes of UTF-8).
    """

    data_bytes: int
    per_row: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Descriptor:
    """One kind of channel, as far as showing and answering goes.

    `text_limit` is what one message holds, counted in `text_unit` after entity parsing;
    `entity_limit` counts the entities of a message, `message_limit` the messages that one document
    may take, at least one (what is over is cut, and the cut is said). None is no limit. `buttons`
    is None where there are none. `ack_deadline` is the seconds within which a tap must be
    acknowledged; None where nothing waits for it.
    """

    name: str
    label: str
    markup: Markup
    text_limit: int | None = None
    text_unit: Unit | None = None
    entity_limit: int | None = None
    message_limit: int | None = None
    buttons: ButtonLimits | None = None
    can_edit: bool = False
    can_reply: bool = False
    can_ephemeral: bool = False
    can_draft: bool = False
    can_type: bool = False
    has_threads: bool = False
    has_files: bool = False
    ack_deadline: float | None = None


TELEGRAM: Final = Descriptor(
    name="telegram",
    label="Telegram",
    markup="entities",
    text_limit=4096,  # UTF-16 code units after entity parsing. Source: Bot API, sendMessage.
    text_unit="utf16",
    entity_limit=100,  # The rest is ignored. Source: python-telegram-bot, MessageLimit.
    buttons=ButtonLimits(
        data_bytes=64,  # Source: Bot API, InlineKeyboardButton.callback_data.
        per_row=8,  # Source: python-telegram-bot, InlineKeyboardMarkupLimit.
        total=100,  # Source: python-telegram-bot, InlineKeyboardMarkupLimit.
    ),
    can_edit=True,  # Source: Bot API, editMessageText; no end for the bot's own text.
    can_reply=True,  # Source: Bot API, sendMessage, reply_parameters.
    can_ephemeral=True,  # Groups only. Source: Bot API 10.2, ephemeral messages.
    can_draft=True,  # Private chats only. Source: Bot API 9.5, sendMessageDraft.
    can_type=True,  # Source: Bot API, sendChatAction.
    has_threads=True,  # Source: Bot API, message_thread_id.
    has_files=True,  # Source: Bot API, sendDocument.
    ack_deadline=10.0,  # Clients give up after 10 to 30 s; field reports, not documented.
)

CONSOLE: Final = Descriptor(
    name="console",
    label="Console",
    markup="plain",
    # Source: a terminal prints what it is given and takes nothing back.
)

WEB: Final = Descriptor(
    name="web",
    label="Web",
    markup="markdown",
    # Source: our own page; it keeps the strictest channel's button data so that cards fit both.
    buttons=ButtonLimits(data_bytes=64, per_row=4, total=100),
    can_edit=True,
    can_draft=True,
    can_type=True,
    has_threads=True,
)

MCP: Final = Descriptor(
    name="mcp",
    label="MCP",
    markup="json",
    # Source: Model Context Protocol, tools/call: content goes back once, as the call's answer.
)

PLAIN: Final = Descriptor(
    name="plain",
    label="Plain text",
    markup="plain",
    # Source: the least that every channel can show.
)

MARKDOWN: Final = Descriptor(
    name="markdown",
    label="Markdown",
    markup="markdown",
    # Source: CommonMark and GitHub Flavored Markdown, which bound nothing.
)
