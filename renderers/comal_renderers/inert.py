"""Keeps text that others wrote from coming to life: no command, mention or link by itself."""

import re
from dataclasses import replace
from typing import Final

from .document import (
    Block,
    Code,
    Divider,
    Document,
    Field,
    Fields,
    Heading,
    Inline,
    Item,
    List,
    Notice,
    Quote,
    Rich,
    Span,
    Table,
    Text,
)
from .inline import spans_of

_JOINER: Final = "\N{WORD JOINER}"  # Invisible, no part of a word, and never a place to break.
_SIGN: Final = re.compile(
    r"https?://[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:[/?#]\S*)?"
    r"|(?:(?<![A-Za-z0-9_])@|(?<![A-Za-z0-9_/<>])/)(?=[A-Za-z0-9_]|$)"
)
_LINKING: Final = re.compile(r"(?<![A-Za-z0-9_])[/@#](?=\w)|\.(?=[^\W\d_])|:(?=//)")
# Source: tdlib, MessageEntity.cpp: match_mentions, match_bot_commands, match_urls.


def inert_words(text: str) -> str:
    """Return text in which no word is a command or a mention; web addresses stay links."""
    return _SIGN.sub(lambda found: found[0] if len(found[0]) > 1 else found[0] + _JOINER, text)


def inert_name(text: str) -> str:
    """Return text in which no word is a command, a mention, a tag or a link."""
    return _LINKING.sub(lambda found: found[0] + _JOINER, text)


def inert(document: Document) -> Document:
    """Return the document with `inert_words` everywhere but in code, where nothing comes to life.

    An invisible U+2060 stands behind the `/` or `@` that begins such a word.
    """
    return replace(document, blocks=tuple(_block(block) for block in document.blocks))


def _block(block: Block) -> Block:
    match block:
        case Text() | Heading() | Notice():
            return replace(block, content=_inline(block.content))
        case Fields():
            return Fields(fields=tuple(map(_field, block.fields)))
        case List():
            return replace(block, items=tuple(_item(item) for item in block.items))
        case Quote():
            return Quote(blocks=tuple(_block(inner) for inner in block.blocks))
        case Table() | Code() | Divider():
            return block


def _field(field: Field) -> Field:
    return field if isinstance(field.value, Code) else replace(field, value=_inline(field.value))


def _item(item: Item) -> Item:
    return replace(item, blocks=tuple(_block(block) for block in item.blocks))


def _inline(content: Inline) -> Inline:
    if isinstance(content, str):
        return inert_words(content)
    return Rich(spans=tuple(_span(span) for span in spans_of(content)))


def _span(span: Span) -> Span:
    return span if "code" in span.styles else replace(span, text=inert_words(span.text))
