"""Makes a document fit what a channel can show: the rest becomes text, and nothing is lost."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final
from urllib.parse import urlsplit

from .buttons import offered
from .descriptor import Descriptor, Markup
from .document import (
    Action,
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
    Style,
    Table,
    Text,
    entries,
)
from .entities import MOST_AT_ONCE
from .i18n import text
from .inline import is_web_address, plain, write_out
from .tables import table_code

_CODE: Final[frozenset[Style]] = frozenset(("code",))

Shown = Callable[[Inline], Inline]
"""Returns inline text as a channel can show it."""


def degrade(document: Document, descriptor: Descriptor) -> Document:
    """Return the document with text in place of what the channel cannot show.

    Tables become code; links that cannot be held are written out; actions that can be no button
    (there are none, too many, or the data is too long) become numbered lines with the link or the
    code by which they are chosen. A document that already fits comes back equal. Length is left
    to the spellers, which make as many messages as it takes.
    """
    markup, shown = markup_of(descriptor), _shown_as(descriptor)
    blocks = tuple(_block(block, markup, shown) for block in document.blocks)
    buttons, spare = offered(document.actions, descriptor.buttons)
    if spare:
        lines = entries(*(shown(_line(action, document.language)) for action in spare))
        blocks = (*blocks, List(items=lines, ordered=True, start=len(buttons) + 1))
    return replace(document, blocks=blocks, actions=buttons)


def markup_of(descriptor: Descriptor) -> Markup:
    """Return the markup that the channel's limits leave room for."""
    most = descriptor.entity_limit
    if descriptor.markup == "entities" and most is not None and most < MOST_AT_ONCE:
        return "plain"
    return descriptor.markup


def _line(action: Action, language: str | None) -> Inline:
    """Word an action that is no button: its label, and the link or the code that chooses it."""
    if action.link is not None:
        return Rich(spans=(Span(text=action.label, link=action.link),))
    if action.code is None:
        return action.label
    lead = text("action.code", language, label=action.label)
    return Rich(spans=(Span(text=f"{lead} "), Span(text=action.code, styles=_CODE)))


def _block(block: Block, markup: Markup, shown: Shown) -> Block:
    match block:
        case Text() | Heading() | Notice():
            return replace(block, content=shown(block.content))
        case Fields():
            return Fields(fields=tuple(_field(field, shown) for field in block.fields))
        case Table():
            return _table(block, shown) if markup == "markdown" else table_code(block)
        case List():
            items = tuple(
                Item(blocks=_blocks(item.blocks, markup, shown), checked=item.checked)
                for item in block.items
            )
            return replace(block, items=items)
        case Quote():
            return Quote(blocks=_blocks(block.blocks, markup, shown))
        case Code() | Divider():
            return block


def _field(field: Field, shown: Shown) -> Field:
    return field if isinstance(field.value, Code) else replace(field, value=shown(field.value))


def _blocks(blocks: tuple[Block, ...], markup: Markup, shown: Shown) -> tuple[Block, ...]:
    return tuple(_block(block, markup, shown) for block in blocks)


def _table(table: Table, shown: Shown) -> Table:
    rows = tuple(tuple(map(shown, row)) for row in table.rows)
    return Table(header=tuple(map(shown, table.header)), rows=rows)


def _shown_as(descriptor: Descriptor) -> Shown:
    match markup_of(descriptor):
        case "entities":
            return lambda content: write_out(content, _telegram_holds)
        case "markdown":
            longest = descriptor.text_limit and descriptor.text_limit // 2
            return lambda content: write_out(content, lambda link: _web_holds(link, longest))
        case "plain" | "json":
            return plain


def _web_holds(link: str, longest: int | None) -> bool:
    """Hold what our parser reads as a link; one that fills a message is text, which can be cut."""
    return is_web_address(link) and (
        longest is None or len(link.encode("utf-8", "surrogatepass")) <= longest
    )


def _telegram_holds(link: str) -> bool:
    """Hold web addresses with a dotted host; Telegram drops other links and keeps their text.

    Source: tdlib, LinkManager::check_link_impl.
    """
    try:
        parts = urlsplit(link)
        return parts.scheme in ("http", "https") and "." in (parts.hostname or "").strip(".")
    except ValueError:
        return False
