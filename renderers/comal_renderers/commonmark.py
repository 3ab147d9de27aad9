"""Spells a document as Markdown: CommonMark with tables, in which no data becomes markup."""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from .degrade import degrade
from .descriptor import MARKDOWN, Descriptor
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
    Table,
    Text,
)
from .inline import plain, spans_of
from .layout import ICONS, clean, lay_out
from .markup import one_line, paragraph
from .numbering import number_line, room_for_numbers
from .packing import packed
from .plain import bodies
from .rendered import Rendered

_DEPTH: Final = 12  # Levels of lists and quotes; what is deeper is written as plain text.
_LONGEST_NUMBER: Final = 99_999_999  # Source: CommonMark, list items: nine digits at most.
_FENCE: Final = re.compile(r"`{3,}")
_LANGUAGE: Final = re.compile(r"[\w+#.-]{1,40}")
_CLOSING: Final = re.compile(r"(?<![\\#])#+\Z")  # Source: CommonMark, ATX headings.


def spell_markdown(
    document: Document, descriptor: Descriptor = MARKDOWN, *, numbered: bool = False
) -> Rendered:
    """Spell the document as `{"text": …}` bodies of Markdown within the channel's limits.

    Each body is whole Markdown by itself: a list, table, quote or fence that is cut begins again
    in the next. Actions are `buttons` of the last body where the channel has them, else numbered
    lines with a link or a code. `numbered` begins each of several messages with `⟨2/3⟩`.

    Source: CommonMark 0.31; GitHub Flavored Markdown, tables and strikethrough.
    """
    fitted = degrade(document, descriptor)
    room = room_for_numbers(descriptor) if numbered else None
    texts, cut = packed(fitted, descriptor, write_blocks, room)
    if numbered and len(texts) > 1 and room is not None:
        texts = [f"{number_line(at, len(texts))}\n{each}" for at, each in enumerate(texts, 1)]
    return bodies(texts, fitted.actions, descriptor, cut)


def write_blocks(blocks: Iterable[Block], depth: int = _DEPTH) -> str:
    """Write blocks as Markdown; two lists in a row stay two by taking turns in their signs."""
    written: list[str] = []
    turn = False
    for block in blocks:
        is_list = isinstance(block, List | Fields)
        text = _block(block, turn and is_list, depth)
        if text:
            written.append(text)
            turn = is_list and not turn
    return "\n\n".join(written)


def _block(block: Block, turn: bool, depth: int) -> str:  # noqa: C901 - one case for each kind
    match block:
        case Text():
            return paragraph(block.content)
        case Heading():
            title = _CLOSING.sub(r"\\\g<0>", one_line(block.content))
            return f"{'#' * min(max(block.level, 1), 6)} {title}" if title else ""
        case Notice():
            return f"{ICONS[block.tone]} {paragraph(block.content)}"
        case Divider():
            return "***"
        case Code():
            return _code(block)
        case Table():
            return _table(block)
        case Fields():
            return "\n".join(_field(field, turn) for field in block.fields)
        case List() | Quote() if depth == 0:
            return paragraph("".join(run.text for run in lay_out((block,))))
        case List():
            return _list(block, turn, depth - 1)
        case Quote():
            return _prefixed(write_blocks(block.blocks, depth - 1), "> ", "> ")


def _code(block: Code) -> str:
    text = clean(block.text)
    if not text:
        return ""
    fence = "`" * (max(map(len, _FENCE.findall(text)), default=2) + 1)
    language = block.language if block.language and _LANGUAGE.fullmatch(block.language) else ""
    return f"{fence}{language}\n{text}\n{fence}"


def _table(block: Table) -> str:
    rows = [list(map(_cell, row)) for row in (block.header, *block.rows)]
    columns = max(map(len, rows))
    if not columns:
        return ""
    lines = ["| " + " | ".join(row + [""] * (columns - len(row))) + " |" for row in rows]
    lines.insert(1, "|" + " --- |" * columns)
    return "\n".join(lines)


def _cell(content: Inline) -> str:
    """Write a cell; code that holds a bar is written as text, in which a bar can be escaped."""
    spans = (
        replace(span, styles=span.styles - {"code"}) if "|" in span.text else span
        for span in spans_of(content)
    )
    return one_line(content if isinstance(content, str) else Rich(spans=tuple(spans)))


def _field(field: Field, turn: bool) -> str:
    sign = "+ " if turn else "- "
    label = one_line(f"{field.label.strip()}:")
    if isinstance(field.value, Code):
        return _prefixed(f"**{label}**\n{_code(field.value)}".rstrip(), sign, "  ")
    value = paragraph(field.value)
    return _prefixed(f"**{label}** {value}" if value else f"**{label}**", sign, "  ")


def _list(block: List, turn: bool, depth: int) -> str:
    entries = []
    first = min(max(block.start, 0), _LONGEST_NUMBER)
    for number, item in enumerate(block.items, first):
        sign = f"{number}{')' if turn else '.'} " if block.ordered else ("+ " if turn else "- ")
        entries.append(_prefixed(_item(item, depth), sign, " " * len(sign)))
    return "\n".join(entries)


def _item(item: Item, depth: int) -> str:
    text = write_blocks(item.blocks, depth)
    if item.checked is None:
        return text
    if item.blocks and isinstance(item.blocks[0], Text) and plain(item.blocks[0].content).strip():
        return f"[{'x' if item.checked else ' '}] {text}"
    box = "☑" if item.checked else "☐"
    return f"{box}\n\n{text}" if text else box


def _prefixed(text: str, first: str, rest: str) -> str:
    """Put a sign before the first line and a sign or room before the others; no blank is added."""
    lead, *others = text.split("\n")
    lines = [first + lead if lead else first.rstrip()]
    lines.extend(rest + line if line else rest.rstrip() for line in others)
    return "\n".join(lines)
