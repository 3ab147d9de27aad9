"""What to show, before any channel: frozen blocks, inline spans and actions."""

from dataclasses import dataclass
from typing import Literal

Style = Literal["bold", "italic", "underline", "strike", "code", "spoiler"]
Tone = Literal["info", "success", "warning", "error"]
ActionTone = Literal["primary", "danger", "neutral"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A stretch of text under one set of styles and, perhaps, one link."""

    text: str
    styles: frozenset[Style] = frozenset()
    link: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rich:
    """Inline text with styles; spans follow one another without gaps."""

    spans: tuple[Span, ...]


Inline = str | Rich
"""A `str` is literal text, never markup."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A paragraph."""

    content: Inline


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A title; `level` is 1 to 6."""

    content: Inline
    level: int = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """Text shown exactly, in a fixed width."""

    text: str
    language: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Divider:
    """A line between what comes before and after."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows under a header; a short row is filled with empty cells."""

    header: tuple[Inline, ...]
    rows: tuple[tuple[Inline, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A label and its value; the lines of a long value, and its code, stay inside its frame."""

    label: str
    value: Inline | Code


@dataclass(frozen=True, slots=True, kw_only=True)
class Fields:
    """Labels and values, one below the other."""

    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """A sentence that must be noticed."""

    content: Inline
    tone: Tone = "info"


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One entry of a list; `checked` is None where it is not a task."""

    blocks: "tuple[Block, ...]"
    checked: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class List:
    """Entries with bullets or, when `ordered`, numbers from `start`."""

    items: tuple[Item, ...]
    ordered: bool = False
    start: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """Somebody else's words."""

    blocks: "tuple[Block, ...]"


Block = Text | Heading | List | Table | Fields | Code | Quote | Divider | Notice


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """A button. `data` is the host's opaque string; it is never shown.

    Where there are no buttons, `link` is a page on which it can be chosen, and `code` what a
    person writes to choose it; one without either is only named.
    """

    label: str
    data: str
    tone: ActionTone = "neutral"
    link: str | None = None
    code: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """What to show, and what may be pressed below it.

    `language` (an IETF tag; None is English) is that of the words which a channel's limits add.
    """

    blocks: tuple[Block, ...] = ()
    actions: tuple[Action, ...] = ()
    language: str | None = None


def entries(*lines: Inline) -> tuple[Item, ...]:
    """Return one list entry for each line."""
    return tuple(Item(blocks=(Text(content=line),)) for line in lines)
