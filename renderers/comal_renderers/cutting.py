"""Cuts one block in two where a message cannot hold it whole."""

from collections.abc import Sequence
from dataclasses import replace

from .document import (
    Block,
    Code,
    Divider,
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
from .inline import plain, spans_of
from .split import place_to_cut

Pieces = tuple[tuple[Block, ...], tuple[Block, ...]]
"""What stays in this message, and what goes to the next."""


def length(block: Block) -> int:
    """Return in how many places a block can be cut: letters of text, else entries or rows."""
    match block:
        case Text() | Heading() | Notice():
            return len(_letters(block.content))
        case Code():
            return len(block.text)
        case Fields():
            return len(block.fields)
        case List():
            return len(block.items)
        case Table():
            return len(block.rows)
        case Quote():
            return len(block.blocks)
        case Divider():
            return 0


def cut(block: Block, place: int) -> Pieces:
    """Return a block's first `place` letters, entries or rows, and the rest; no word is broken."""
    match block:
        case Text() | Heading() | Notice():
            first, rest = _cut_inline(block.content, place)
            return (replace(block, content=first),), (Text(content=rest),)
        case Code():
            at = place_to_cut(block.text, 0, place)
            head, tail = block.text[:at], block.text[at:]
            return (replace(block, text=head.removesuffix("\n")),), (replace(block, text=tail),)
        case Fields():
            return (Fields(fields=block.fields[:place]),), (Fields(fields=block.fields[place:]),)
        case List():
            tail_list = replace(block, items=block.items[place:], start=block.start + place)
            return (replace(block, items=block.items[:place]),), (tail_list,)
        case Table():
            tail_table = replace(block, rows=block.rows[place:])
            return (replace(block, rows=block.rows[:place]),), (tail_table,)
        case Quote():
            return (Quote(blocks=block.blocks[:place]),), (Quote(blocks=block.blocks[place:]),)
        case Divider():
            return (block,), ()


def opened(block: Block) -> tuple[Block, ...]:
    """Return a block of which not even one entry fits as the simpler blocks in it.

    One letter that does not fit loses its styles; nothing is left of one without any.
    """
    match block:
        case Text() | Heading() | Notice():
            text = _letters(block.content)
            return (Text(content=text),) if block != Text(content=text) else ()
        case Code():
            return (Text(content=block.text),)
        case Fields():
            return tuple(each for field in block.fields for each in _bare(field))
        case List():
            return tuple(each for item in block.items for each in _unlisted(item))
        case Table():
            return tuple(Fields(fields=_record(block.header, row)) for row in block.rows) or tuple(
                Text(content=cell) for cell in block.header
            )
        case Quote():
            return _quoted(block)
        case Divider():
            return ()


def _letters(content: Inline) -> str:
    return content if isinstance(content, str) else "".join(s.text for s in content.spans)


def _cut_inline(content: Inline, place: int) -> tuple[Inline, Inline]:
    text = _letters(content)
    at = place_to_cut(text, 0, place)
    if isinstance(content, str):
        return text[:at].rstrip(), text[at:].lstrip("\n ")
    first, rest = [], []
    for span in spans_of(content):
        head, tail = span.text[: max(at, 0)], span.text[max(at, 0) :]
        first.extend([replace(span, text=head)] if head else [])
        rest.extend([replace(span, text=tail)] if tail else [])
        at -= len(span.text)
    return Rich(spans=tuple(first)), Rich(spans=tuple(rest))


def _bare(field: Field) -> tuple[Block, ...]:
    label = Span(text=f"{field.label}: ", styles=frozenset(("bold",)))
    if isinstance(field.value, Code):
        return (Text(content=Rich(spans=(label,))), field.value)
    return (Text(content=Rich(spans=(label, *spans_of(field.value)))),)


def _unlisted(item: Item) -> tuple[Block, ...]:
    if item.checked is None:
        return item.blocks
    return (Text(content="☑" if item.checked else "☐"), *item.blocks)


def _record(header: Sequence[Inline], row: Sequence[Inline]) -> tuple[Field, ...]:
    names = [plain(cell) for cell in header] + [""] * (len(row) - len(header))
    return tuple(Field(label=name, value=cell) for name, cell in zip(names, row, strict=False))


def _quoted(block: Quote) -> tuple[Block, ...]:
    """Open what a quote holds within the quote, as long as there is anything to open."""
    if len(block.blocks) != 1:
        return tuple(Quote(blocks=(inner,)) for inner in block.blocks)
    (inner,) = block.blocks
    if length(inner) > 1:
        head, tail = cut(inner, max(1, length(inner) // 2))
        return Quote(blocks=head), *((Quote(blocks=tail),) if tail else ())
    return opened(inner)
