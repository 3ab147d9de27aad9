"""From one Telegram update to what a person did; pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..channel import Address, Inbound, Raw, Tap
from .addressing import Bot, Heard, hear, read_entities
from .wire import a_number, a_text, an_object

# Senders that stand for a chat, not a person: GroupAnonymousBot, Telegram's own account that
# forwards channel posts, Channel_Bot. Source: core.telegram.org/bots/api, Message.from.
_FACELESS = frozenset({1087968824, 777000, 136817688})

INLINE = "inline:"
"""Starts the chat of a tap on an inline message, whose real chat nobody tells."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Setting:
    """What parsing must know besides the update."""

    update: str
    channel: str
    bot: Bot


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sender:
    """Who wrote; `principal` is None when no person can be named."""

    principal: str | None
    name: str
    is_bot: bool


def parse(raw: Raw, *, channel: str, bot_id: int, bot_username: str) -> list[Inbound]:
    """Read one update; kinds and fields that are not known give an empty list.

    Edited messages are not run again, so they give an empty list too.

    Raises:
        ValueError: The update is broken; the text names the field.

    Source: Bot API 10.4, Update.
    """
    update = str(a_number(an_object(raw, "update").get("update_id"), "update_id"))
    bot = Bot(id=bot_id, username=bot_username)
    setting = _Setting(update=update, channel=channel, bot=bot)
    match raw:
        case {"message": message}:
            return _message(an_object(message, "message"), "message", setting)
        case {"channel_post": post}:
            return _message(an_object(post, "channel_post"), "channel_post", setting)
        case {"callback_query": query}:
            return _callback(an_object(query, "callback_query"), setting)
        case _:
            return []


def _message(message: Raw, kind: str, setting: _Setting) -> list[Inbound]:
    address, private = _place(message, kind, setting)
    match message:
        case {"migrate_to_chat_id": new}:
            return [_move(address.chat, _id(new, f"{kind}.migrate_to_chat_id"), setting)]
        case {"migrate_from_chat_id": old}:
            return [_move(_id(old, f"{kind}.migrate_from_chat_id"), address.chat, setting)]
        case {"text": text}:
            words, marks = a_text(text, f"{kind}.text"), "entities"
        case {"caption": caption}:
            words, marks = a_text(caption, f"{kind}.caption"), "caption_entities"
        case _:
            return []
    heard = hear(words, read_entities(message.get(marks), f"{kind}.{marks}"), setting.bot)
    sender, answered = _sender(message, kind), _answered(message, setting.bot)
    return [
        Inbound(
            id=setting.update,
            address=address,
            sender=sender.principal,
            sender_name=sender.name,
            sender_is_bot=sender.is_bot,
            private=private,
            addressed=_addressed(message, heard, private=private, answered=answered),
            text=heard.text,
            command=heard.command,
            reply_to=answered,
        )
    ]


def _callback(query: Raw, setting: _Setting) -> list[Inbound]:
    """Read a tap; one without data, such as a game's, is nobody's card."""
    callback = a_text(query.get("id"), "callback_query.id")
    sender = _user(query.get("from"), "callback_query.from")
    match query:
        case {"data": data, "message": message}:
            hung = an_object(message, "callback_query.message")
            address, private = _place(hung, "callback_query.message", setting)
            on = _id(hung.get("message_id"), "callback_query.message.message_id")
        case {"data": data, "inline_message_id": inline}:
            on, private = a_text(inline, "callback_query.inline_message_id"), False
            address = Address(channel=setting.channel, chat=f"{INLINE}{on}")
        case {"data": _}:
            raise ValueError("callback_query has neither message nor inline_message_id")
        case _:
            return []
    return [
        Inbound(
            id=setting.update,
            address=address,
            sender=sender.principal,
            sender_name=sender.name,
            sender_is_bot=sender.is_bot,
            private=private,
            tap=Tap(callback=callback, data=a_text(data, "callback_query.data"), message=on),
        )
    ]


def _place(message: Raw, where: str, setting: _Setting) -> tuple[Address, bool]:
    """Return the address of a message and whether its chat is private."""
    chat = an_object(message.get("chat"), f"{where}.chat")
    kind = a_text(chat.get("type"), f"{where}.chat.type")
    thread: str | None = None
    match message:
        case {"is_topic_message": True, "message_thread_id": topic}:
            thread = _id(topic, f"{where}.message_thread_id")
        case _:
            pass  # a thread id without the mark is a chain of replies, not a topic
    chat_id = _id(chat.get("id"), f"{where}.chat.id")
    return Address(channel=setting.channel, chat=chat_id, thread=thread), kind == "private"


def _sender(message: Raw, kind: str) -> _Sender:
    match message:
        case {"sender_chat": chat}:
            name = _words(an_object(chat, f"{kind}.sender_chat"), ("title",), f"{kind}.sender_chat")
            return _Sender(principal=None, name=name, is_bot=False)
        case {"from": user}:
            return _user(user, f"{kind}.from")
        case _ if kind == "channel_post":
            return _Sender(principal=None, name="", is_bot=False)
        case _:
            raise ValueError(f"{kind}.from is missing; expected an object")


def _user(value: object, where: str) -> _Sender:
    user = an_object(value, where)
    number = a_number(user.get("id"), f"{where}.id")
    name = _words(user, ("first_name", "last_name"), where)
    if number in _FACELESS:
        return _Sender(principal=None, name=name, is_bot=False)
    is_bot = user.get("is_bot") is True
    return _Sender(principal=f"telegram:{number}", name=name, is_bot=is_bot)


def _addressed(message: Raw, heard: Heard, *, private: bool, answered: str | None) -> bool:
    if message.get("is_automatic_forward") is True:  # the channel's own post, heard there already
        return False
    if heard.meant is not None:
        return heard.meant
    return private or answered is not None


def _answered(message: Raw, bot: Bot) -> str | None:
    """Return the id of the bot's message that one replies to; a topic's opening note is none."""
    match message:
        case {"reply_to_message": {"forum_topic_created": _}}:
            return None
        case {
            "is_topic_message": True,
            "message_thread_id": topic,
            "reply_to_message": {"message_id": opening},
        } if topic == opening:
            return None
        case {"reply_to_message": {"from": {"id": author}, "message_id": replied}} if (
            author == bot.id
        ):
            return _id(replied, "reply_to_message.message_id")
        case _:
            return None


def _move(old: str, new: str, setting: _Setting) -> Inbound:
    return Inbound(
        id=setting.update,
        address=Address(channel=setting.channel, chat=old),
        sender=None,
        private=False,
        addressed=False,
        migrated_to=new,
    )


def _id(value: object, where: str) -> str:
    return str(a_number(value, where))


def _words(holder: Mapping[str, Any], keys: tuple[str, ...], where: str) -> str:
    """Join the strings under `keys` that are there."""
    return " ".join(a_text(holder[key], f"{where}.{key}") for key in keys if key in holder)
