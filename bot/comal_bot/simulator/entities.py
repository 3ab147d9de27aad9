"""Marks on text: UTF-16 arithmetic, what the server checks and what it finds by itself."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from .refusal import bad_request
from .values import Entity

MAX_ENTITIES = 100  # the rest is dropped silently. Source: python-telegram-bot, MessageLimit.
KINDS = frozenset(
    {
        *("mention", "hashtag", "cashtag", "bot_command", "url", "email", "phone_number"),
        *("bold", "italic", "underline", "strikethrough", "spoiler", "code", "pre"),
        *("blockquote", "expandable_blockquote", "text_link", "text_mention"),
        *("custom_emoji", "date_time"),
    }
)  # Source: Bot API, MessageEntity.
NEEDS = {"text_link": "url", "text_mention": "user", "custom_emoji": "custom_emoji_id"}
SPOTTED = re.compile(
    r"(?<![\w/<>@])(?P<bot_command>/[a-zA-Z0-9_]{1,64}(?:@[a-zA-Z0-9_]{3,32})?)(?![\w/<>])"
    r"|(?<![\w/])(?P<mention>@[a-zA-Z0-9_]{2,32})(?!\w)",
    re.ASCII,
)


def utf16_length(text: str) -> int:
    """Return how many UTF-16 units `text` takes."""
    return len(text.encode("utf-16-le")) // 2


def piece(text: str, entity: Entity) -> str:
    """Return the characters that `entity` marks."""
    units = text.encode("utf-16-le")
    return units[entity.offset * 2 : entity.end * 2].decode("utf-16-le")


def read_entities(value: object) -> tuple[Entity, ...]:
    """Read the parsed `entities` parameter.

    Raises:
        Refusal: 400, for a wrong shape.
    """
    if value is None:
        return ()
    if not isinstance(value, list):
        raise bad_request("expected an Array of MessageEntity")
    return tuple(_read_entity(item) for item in value)


def _read_entity(item: object) -> Entity:
    if not isinstance(item, Mapping):
        raise bad_request("can't parse MessageEntity: expected an Object")
    kind, offset, length = (item.get(name) for name in ("type", "offset", "length"))
    if not isinstance(kind, str):
        raise bad_request('can\'t parse MessageEntity: Field "type" must be of type String')
    for name, number in (("offset", offset), ("length", length)):
        if not isinstance(number, int) or isinstance(number, bool):
            raise bad_request(f'can\'t parse MessageEntity: Field "{name}" must be of type Number')
    if kind not in KINDS:
        raise bad_request("unsupported type specified")
    if kind in NEEDS and not item.get(NEEDS[kind]):
        raise bad_request(f"can't parse MessageEntity: Can't find field \"{NEEDS[kind]}\"")
    extra = {name: v for name, v in item.items() if name not in ("type", "offset", "length")}
    return Entity(kind=kind, offset=int(str(offset)), length=int(str(length)), extra=extra)


def check_entities(text: str, entities: Iterable[Entity]) -> None:
    """Refuse marks that leave the text or cut a character in two.

    Raises:
        Refusal: 400, with the server's words.
    """
    total = utf16_length(text)
    middles = _middles(text)
    for entity in entities:
        begin = f"entity beginning at UTF-16 offset {entity.offset}"
        if entity.offset < 0 or entity.length < 0:
            raise bad_request("receive an entity with incorrect offset or length")
        if entity.end > total:
            raise bad_request(f"{begin} ends after the end of the text at UTF-16 offset {total}")
        if entity.offset in middles:
            at = middles[entity.offset]
            raise bad_request(f"entity begins in a middle of a UTF-16 symbol at byte offset {at}")
        if entity.end in middles:
            at = middles[entity.end]
            raise bad_request(f"{begin} ends in a middle of a UTF-16 symbol at byte offset {at}")


def _middles(text: str) -> dict[int, int]:
    """Map each UTF-16 offset inside a surrogate pair to its character's byte offset."""
    middles: dict[int, int] = {}
    unit = byte = 0
    for character in text:
        if ord(character) > 0xFFFF:
            middles[unit + 1] = byte
            unit += 1
        unit += 1
        byte += len(character.encode())
    return middles


def trim(text: str, entities: tuple[Entity, ...]) -> tuple[str, tuple[Entity, ...]]:
    """Strip white space at both ends, as the server does, and move the marks along."""
    headless = text.lstrip()
    stripped = headless.rstrip()
    lead = utf16_length(text) - utf16_length(headless)
    total = utf16_length(stripped)
    moved = []
    for entity in entities:
        begin, end = max(entity.offset - lead, 0), min(entity.end - lead, total)
        if end > begin:
            moved.append(replace(entity, offset=begin, length=end - begin))
    return stripped, tuple(moved)


def with_spotted(text: str, entities: tuple[Entity, ...]) -> tuple[Entity, ...]:
    """Add the commands and mentions found in unmarked text; keep at most 100 marks."""
    kept = entities[:MAX_ENTITIES]
    found = [
        spotted
        for spotted in spot(text)
        if not any(spotted.offset < mark.end and mark.offset < spotted.end for mark in kept)
    ]
    return tuple(sorted((*kept, *found), key=lambda mark: mark.offset))[:MAX_ENTITIES]


def spot(text: str) -> tuple[Entity, ...]:
    """Find bot commands and mentions."""
    return tuple(
        Entity(
            kind=str(match.lastgroup),
            offset=utf16_length(text[: match.start()]),
            length=utf16_length(match.group()),
        )
        for match in SPOTTED.finditer(text)
    )
