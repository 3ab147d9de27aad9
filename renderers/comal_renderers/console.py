"""Spells a document for a terminal: pure text of a width, with ANSI styles where wanted."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Final

from .columns import chopped, padded, width, wrapped
from .degrade import degrade
from .descriptor import CONSOLE, Descriptor
from .document import (
    Block,
    Code,
    Divider,
    Document,
    Field,
    Fields,
    Heading,
    Item,
    List,
    Notice,
    Quote,
    Table,
    Text,
    Tone,
)
from .layout import ICONS
from .packing import packed
from .plain import bodies
from .rendered import Rendered
from .tables import BAR, RULE, grid
from .terminal import Screen, shown

WIDTH: Final = 80  # Columns; what terminals have when nobody says another.

_NARROWEST: Final = 8  # Columns; a narrower screen is written as if it had as many.
_LABELS: Final = 24  # Columns that the labels of fields take at most.
_CELL: Final = 6  # Columns; where a cell has fewer, a table is written as records.
_BOLD: Final = "1"
_FAINT: Final = "2"
_TONES: Final[dict[Tone, str]] = {"info": "34", "success": "32", "warning": "33", "error": "31"}
_UNDERLINES: Final = {1: "═", 2: "─"}


def spell_console(
    document: Document,
    descriptor: Descriptor = CONSOLE,
    *,
    width: int = WIDTH,
    styles: bool = False,
) -> Rendered:
    """Spell the document as `{"text": …}` for a terminal; no line is wider than the terminal.

    Control characters and escape sequences in the data are made visible. Wide letters and emoji
    count as two columns; a table that is too wide wraps its cells, then becomes records.

    Args:
        width: The terminal's columns; fewer than 8 count as 8.
        styles: Whether to write ANSI styles. The caller asks the terminal, and heeds NO_COLOR.
    """
    screen = Screen(columns=max(width, _NARROWEST), styled=styles)
    # Tables and styles are drawn here, as a terminal shows them; they are not given up before.
    fitted = degrade(document, replace(descriptor, markup="markdown", text_limit=None))

    def write(blocks: Iterable[Block]) -> str:
        return "\n".join(_stacked(blocks, screen))

    texts, cut = packed(fitted, descriptor, write)
    return bodies(texts, fitted.actions, descriptor, cut)


def _stacked(blocks: Iterable[Block], screen: Screen) -> list[str]:
    """Return the lines of blocks, an empty one between any two."""
    lines: list[str] = []
    for block in blocks:
        added = _block(block, screen)
        if added:
            lines.extend(["", *added] if lines else added)
    return lines


def _block(block: Block, screen: Screen) -> list[str]:  # noqa: C901 - one case for each kind
    match block:
        case Text():
            return _paragraph(block, screen)
        case Heading():
            return _heading(block, screen)
        case Notice():
            icon = f"{ICONS[block.tone]} "
            inner = screen.within(" " * width(icon))
            return _under(icon, " " * width(icon), inner.lines(block.content, _TONES[block.tone]))
        case Divider():
            return ["─" * min(screen.columns, WIDTH)]
        case Code():
            return _code(block, screen)
        case Table():
            return _table(block, screen)
        case Fields():
            return _fields(block.fields, screen)
        case List():
            return _list(block, screen)
        case Quote():
            return _prefixed("│ ", "│ ", block.blocks, screen)


def _paragraph(block: Text, screen: Screen) -> list[str]:
    lines = screen.lines(block.content)
    return lines if any(lines) else []


def _heading(block: Heading, screen: Screen) -> list[str]:
    lines = screen.lines(block.content, _BOLD)
    line = _UNDERLINES.get(block.level)
    if screen.styled or line is None or not any(lines):
        return lines
    return [*lines, line * max(map(width, lines))]


def _code(block: Code, screen: Screen) -> list[str]:
    lines = chopped(shown(block.text), screen.columns - 2) if block.text else []
    return [f"  {screen.paint(line, '36')}".rstrip() for line in lines]


def _fields(fields: Sequence[Field], screen: Screen) -> list[str]:
    """Write values in a column of their own; a label too long for it, or above code, is alone."""
    labels = [f"{' '.join(shown(field.label).split())}:" for field in fields]
    most = min(_LABELS, screen.columns // 2)
    room = max((width(label) for label in labels if width(label) <= most), default=1) + 1
    lines: list[str] = []
    for label, field in zip(labels, fields, strict=True):
        if isinstance(field.value, Code):
            lines.extend(screen.paint(line, _BOLD) for line in wrapped(label, screen.columns))
            lines.extend(_code(field.value, screen))
            continue
        value = screen.within(" " * room).lines(field.value)
        if width(label) < room:
            lead = screen.paint(label, _BOLD) + " " * (room - width(label))
            lines.extend(_under(lead, " " * room, value))
        else:
            lines.extend(screen.paint(line, _BOLD) for line in wrapped(label, screen.columns))
            lines.extend(_under(" " * room, " " * room, value) if any(value) else [])
    return lines


def _list(block: List, screen: Screen) -> list[str]:
    lines: list[str] = []
    for number, item in enumerate(block.items, block.start):
        lines.extend(_entry(item, f"{number}. " if block.ordered else "• ", screen))
    return lines


def _entry(item: Item, sign: str, screen: Screen) -> list[str]:
    if item.checked is not None:
        sign += "☑ " if item.checked else "☐ "
    if screen.within(sign).columns < _NARROWEST:
        return [*wrapped(sign.rstrip(), screen.columns), *_stacked(item.blocks, screen)]
    return _prefixed(sign, " " * len(sign), item.blocks, screen) or [sign.rstrip()]


def _prefixed(first: str, rest: str, blocks: Iterable[Block], screen: Screen) -> list[str]:
    """Write blocks beside a prefix; where too little is left beside it, without."""
    inner = screen.within(first)
    if inner.columns < _NARROWEST:
        return _stacked(blocks, screen)
    return _under(first, rest, _stacked(blocks, inner))


def _under(first: str, rest: str, lines: Sequence[str]) -> list[str]:
    return [f"{rest if number else first}{line}".rstrip() for number, line in enumerate(lines)]


def _table(block: Table, screen: Screen) -> list[str]:
    cells = [[shown(cell) for cell in row] for row in grid(block)]
    columns = list(zip(*cells, strict=True))
    widths = [max(map(width, column)) for column in columns]
    room = screen.columns - len(BAR) * (len(columns) - 1)
    if sum(widths) > room:
        most = _widest(widths, room)
        if most < _CELL:
            return _records(cells[0], cells[1:], screen)
        widths = [min(each, most) for each in widths]
    lines = [line for row in cells[1:] for line in _row(row, widths)]
    header = [screen.paint(line, _BOLD) for line in _row(cells[0], widths)]
    return [*header, RULE.join("─" * each for each in widths), *lines] if widths else []


def _widest(widths: Sequence[int], room: int) -> int:
    """Return the widest that a column may be, so that all of them stand side by side."""
    low, high = 0, max(widths)
    while low < high:
        middle = (low + high + 1) // 2
        if sum(min(each, middle) for each in widths) <= room:
            low = middle
        else:
            high = middle - 1
    return low


def _row(cells: Sequence[str], widths: Sequence[int]) -> list[str]:
    pieces = (
        wrapped(cell, room) if room else [""] for cell, room in zip(cells, widths, strict=True)
    )
    return [
        BAR.join(map(padded, line, widths)).rstrip() for line in zip_longest(*pieces, fillvalue="")
    ]


def _records(header: Sequence[str], rows: Sequence[Sequence[str]], screen: Screen) -> list[str]:
    lines: list[str] = []
    for row in rows:
        fields = [Field(label=name, value=cell) for name, cell in zip(header, row, strict=True)]
        lines.extend(["", *_fields(fields, screen)] if lines else _fields(fields, screen))
    return lines or _fields([Field(label=name, value="") for name in header], screen)
