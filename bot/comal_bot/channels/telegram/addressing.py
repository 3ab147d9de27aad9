"""Whom a text is for: this bot, another one, or nobody in particular."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from .utf16 import piece
from .wire import a_list, a_number, a_text, an_object

# Source: Bot API, MessageEntity `bot_command`: `/start@jobs_bot`.
_COMMAND = re.compile(r"/(?P<name>[A-Za-z0-9_]{1,64})(?:@(?P<bot>[A-Za-z0-9_]{1,64}))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bot:
    """This bot, as `getMe` tells it."""

    id: int
    username: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A marked part of a text; `offset` and `length` in UTF-16 units."""

    kind: str
    offset: int
    length: int
    user: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What a text says to this bot.

    `meant` is True when the text names this bot, False when it names another one, None when it
    names none. `text` lacks the command and a mention at its head.
    """

    text: str = field(repr=False)
    command: str | None = None
    meant: bool | None = None


def read_entities(value: object, where: str) -> tuple[Entity, ...]:
    """Read an array of entities.

    Raises:
        ValueError: An entity has a wrong shape.
    """
    return tuple(_entity(item, where) for item in a_list(value, where))


def hear(text: str, entities: Sequence[Entity], bot: Bot) -> Heard:
    """Find the command or the mention that makes a text this bot's."""
    command = _command(text, entities)
    if command is not None:
        return _obey(text, command, bot)
    span = _mention(text, entities, bot)
    if span is None:
        return Heard(text=text)
    before, after = piece(text, 0, span[0]), piece(text, span[1]).strip()
    leads = not any(character.isalnum() for character in before)
    return Heard(text=after if leads and after else text, meant=True)


def _entity(value: object, where: str) -> Entity:
    item = an_object(value, where)
    offset = a_number(item.get("offset"), f"{where}.offset")
    length = a_number(item.get("length"), f"{where}.length")
    if offset < 0 or length < 0:
        raise ValueError(f"{where} has a negative offset or length")
    user = item.get("user")
    return Entity(
        kind=a_text(item.get("type"), f"{where}.type"),
        offset=offset,
        length=length,
        user=None
        if user is None
        else a_number(an_object(user, f"{where}.user").get("id"), f"{where}.user.id"),
    )


def _command(text: str, entities: Sequence[Entity]) -> re.Match[str] | None:
    """Match the command at the head: as the server marked it, or by its look if it marked none."""
    for entity in entities:
        if entity.kind == "bot_command" and entity.offset == 0:
            return _COMMAND.fullmatch(piece(text, 0, entity.length))
    if entities:
        return None
    found = _COMMAND.match(text)
    return found if found and text[found.end() : found.end() + 1].strip() == "" else None


def _obey(text: str, command: re.Match[str], bot: Bot) -> Heard:
    other = command["bot"]
    if other is not None and other.casefold() != bot.username.casefold():
        return Heard(text=text, meant=False)
    return Heard(text=text[command.end() :].strip(), command=command["name"].lower(), meant=True)


def _mention(text: str, entities: Sequence[Entity], bot: Bot) -> tuple[int, int] | None:
    """Return where this bot is mentioned, start and end in UTF-16 units."""
    name = f"@{bot.username}".casefold()
    for entity in entities:
        span = (entity.offset, entity.offset + entity.length)
        match entity.kind:
            case "mention" if piece(text, entity.offset, entity.length).casefold() == name:
                return span
            case "text_mention" if entity.user == bot.id:
                return span
    if entities or not bot.username:
        return None
    found = re.search(rf"(?<![\w@/.]){re.escape(name)}(?!\w)", text, re.IGNORECASE)
    if found is None:
        return None
    return _units(text[: found.start()]), _units(text[: found.end()])


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
