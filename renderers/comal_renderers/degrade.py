"""Makes a document fit a channel: what it cannot show becomes text, and nothing is lost."""

import unicodedata
from dataclasses import replace
from urllib.parse import urlsplit

from .descriptor import Descriptor, Markup
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
    Table,
    Text,
    entries,
)
from .inline import Holds, holds_all, holds_none, plain, write_out


def degrade(document: Document, descriptor: Descriptor) -> Document:
    """Return the document with text in place of what the channel cannot show.

    Tables become code, links that cannot be held are written out, actions without a button
    become numbered lines. A document that already fits comes back equal.
    """
    blocks = tuple(_block(block, descriptor.markup) for block in document.blocks)
    room = descriptor.buttons.total if descriptor.buttons else 0
    spare = document.actions[room:]
    if spare:
        lines = entries(*(action.label for action in spare))
        blocks = (*blocks, List(items=lines, ordered=True, start=room + 1))
    return Document(blocks=blocks, actions=document.actions[:room])


def table_code(table: Table) -> Code:
    """Draw a table in a fixed width; wide letters count as two columns."""
    grid = [[_cell(cell) for cell in row] for row in (table.header, *table.rows)]
    columns = max((len(row) for row in grid), default=0)
    for row in grid:
        row.extend([""] * (columns - len(row)))
    widths = [max(_width(row[column]) for row in grid) for column in range(columns)]
    lines = [
        " │ ".join(
            cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)
        )
        for row in grid
    ]
    lines.insert(1, "─┼─".join("─" * width for width in widths))
    return Code(text="\n".join(line.rstrip() for line in lines))


def _cell(content: Inline) -> str:
    return " ".join(plain(content).split())


def _width(text: str) -> int:
    return sum(_columns(letter) for letter in text)


def _columns(letter: str) -> int:
    if unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def _block(block: Block, markup: Markup) -> Block:
    match block:
        case Text() | Heading() | Notice():
            return replace(block, content=_inline(block.content, markup))
        case Fields():
            fields = (Field(label=f.label, value=_inline(f.value, markup)) for f in block.fields)
            return Fields(fields=tuple(fields))
        case Table():
            return block if markup == "markdown" else table_code(block)
        case List():
            items = tuple(
                Item(blocks=tuple(_block(b, markup) for b in item.blocks), checked=item.checked)
                for item in block.items
            )
            return replace(block, items=items)
        case Quote():
            return Quote(blocks=tuple(_block(inner, markup) for inner in block.blocks))
        case Code() | Divider():
            return block


def _inline(content: Inline, markup: Markup) -> Inline:
    return plain(content) if markup in ("plain", "json") else write_out(content, _holds(markup))


def _holds(markup: Markup) -> Holds:
    match markup:
        case "entities":
            return _telegram_holds
        case "markdown":
            return holds_all
        case "plain" | "json":
            return holds_none


def _telegram_holds(link: str) -> bool:
    """Hold web addresses with a dotted host; Telegram drops other links and keeps their text.

    Source: tdlib, LinkManager::check_link_impl.
    """
    try:
        parts = urlsplit(link)
        return parts.scheme in ("http", "https") and "." in (parts.hostname or "").strip(".")
    except ValueError:
        return False
