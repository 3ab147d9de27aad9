"""Lays blocks out as one flow of marked text; spellers read the marks they can show."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

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
    Style,
    Table,
    Text,
    Tone,
)
from .inline import spans_of
from .tables import table_code

ICONS: Final[dict[Tone, str]] = {"info": "ℹ", "success": "✅", "warning": "⚠", "error": "⛔"}  # noqa: RUF001
_LINE: Final = "──────────"
_BOLD: Final[frozenset[Style]] = frozenset(("bold",))
_NO_STYLES: Final[frozenset[Style]] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """What a stretch of text is; `pre` is the language of a code block, `""` without one."""

    styles: frozenset[Style] = frozenset()
    link: str | None = None
    pre: str | None = None
    quoted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Text under one set of marks."""

    text: str
    marks: Marks = Marks()


def lay_out(blocks: Iterable[Block]) -> tuple[Run, ...]:
    """Return the blocks as runs with clean text; neighbours differ in marks and none is empty."""
    runs: list[Run] = []
    for run in _join((_block(block) for block in blocks), "\n\n"):
        text = clean(run.text)
        if runs and runs[-1].marks == run.marks:
            runs[-1] = replace(run, text=runs[-1].text + text)
        elif text:
            runs.append(run if text == run.text else replace(run, text=text))
    return tuple(runs)


def clean(text: str) -> str:
    """Replace what no wire carries: lone surrogates and control characters but newline and tab."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(_clean_letter(letter) for letter in text) if _is_odd(text) else text


def _is_odd(text: str) -> bool:
    return not text.replace("\n", "").isprintable()


def _clean_letter(letter: str) -> str:
    if letter < " " or "\x7f" <= letter <= "\x9f":
        return letter if letter in "\n\t" else " "
    return "\N{REPLACEMENT CHARACTER}" if "\ud800" <= letter <= "\udfff" else letter


def _join(groups: Iterable[list[Run]], gap: str) -> list[Run]:
    runs: list[Run] = []
    for group in groups:
        if group and runs:
            runs.append(Run(text=gap))
        runs.extend(group)
    return runs


def _block(block: Block) -> list[Run]:  # noqa: C901 - one case for each kind of block
    match block:
        case Text():
            return _inline(block.content)
        case Heading():
            return _inline(block.content, _BOLD)
        case Notice():
            return [Run(text=f"{ICONS[block.tone]} "), *_inline(block.content)]
        case Divider():
            return [Run(text=_LINE)]
        case Code():
            return (
                [Run(text=block.text, marks=Marks(pre=block.language or ""))] if block.text else []
            )
        case Table():
            return _block(table_code(block))
        case Fields():
            return _join((_field(field) for field in block.fields), "\n")
        case List():
            return _list(block)
        case Quote():
            return _quote(block)


def _inline(content: Inline, styles: frozenset[Style] = _NO_STYLES) -> list[Run]:
    return [
        Run(text=span.text, marks=Marks(styles=span.styles | styles, link=span.link))
        for span in spans_of(content)
        if span.text
    ]


def _field(field: Field) -> list[Run]:
    label = Run(text=f"{field.label}:", marks=Marks(styles=_BOLD))
    runs = _block(field.value) if isinstance(field.value, Code) else _inline(field.value)
    return [label, *_indent(runs, " ", "  ")]


def _list(block: List) -> list[Run]:
    numbered = enumerate(block.items, block.start)
    return _join((_entry(item, n if block.ordered else None) for n, item in numbered), "\n")


def _entry(item: Item, number: int | None) -> list[Run]:
    marker = "• " if number is None else f"{number}. "
    if item.checked is not None:
        box = "☑ " if item.checked else "☐ "
        marker = box if number is None else marker + box
    inner = _join((_block(block) for block in item.blocks), "\n")
    return _indent(inner, marker, " " * len(marker)) if inner else [Run(text=marker.rstrip())]


def _quote(block: Quote) -> list[Run]:
    groups = []
    for inner in block.blocks:
        runs = _block(inner)
        groups.append(_indent(runs, "> ", "> ") if isinstance(inner, Quote) else runs)
    return [replace(run, marks=replace(run.marks, quoted=True)) for run in _join(groups, "\n\n")]


def _indent(runs: Iterable[Run], first: str, rest: str) -> list[Run]:
    """Put `first` before the first line and `rest` before the others; code stays as it is."""
    out: list[Run] = []
    pending = first
    for run in runs:
        bare = Marks(quoted=run.marks.quoted)
        if run.marks.pre is not None:
            if not out:
                out.append(Run(text=f"{first.rstrip()}\n", marks=bare))
            out.append(run)
            pending = ""
            continue
        for index, line in enumerate(run.text.split("\n")):
            if index:
                out.append(Run(text="\n", marks=bare))
                pending = rest
            if line:
                out.extend((Run(text=pending, marks=bare), replace(run, text=line)))
                pending = ""
    return out
