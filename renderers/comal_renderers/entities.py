"""Reads marks as Telegram message entities, offsets in UTF-16 units."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any, Final

from .document import Style
from .layout import Marks, Run
from .measuring import size

Kind = tuple[str, str]
"""An entity type and its one attribute (url or language), `""` where it has none."""

_STYLES: Final[dict[Style, str]] = {
    "bold": "bold",
    "italic": "italic",
    "underline": "underline",
    "strike": "strikethrough",
    "code": "code",
    "spoiler": "spoiler",
}
_ATTRIBUTES: Final = {"text_link": "url", "pre": "language"}
_KEPT_WHOLE: Final = ("pre", "blockquote")
MOST_AT_ONCE: Final = 8  # Entities that one stretch of text can need: six styles, a link, a quote.


def kinds_of(marks: Marks) -> tuple[Kind, ...]:
    """Return the entities that marks stand for, in a fixed order.

    Code holds no other entity; a link keeps its address and gives up being code.
    Source: Bot API, formatting options.
    """
    quote: tuple[Kind, ...] = (("blockquote", ""),) if marks.quoted else ()
    if marks.pre is not None:
        return (*quote, ("pre", marks.pre))
    styles = {_STYLES[style] for style in marks.styles}
    if marks.link:
        return (*quote, ("text_link", marks.link), *((s, "") for s in sorted(styles - {"code"})))
    if "code" in styles:
        return (*quote, ("code", ""))
    return (*quote, *((style, "") for style in sorted(styles)))


class OpenEntities:
    """The entities that are open while runs go by; any two are nested or apart."""

    def __init__(self) -> None:
        self._open: dict[Kind, int] = {}
        self.closed: list[tuple[Kind, int, int]] = []

    def advance(self, kinds: Sequence[Kind], at: int) -> int:
        """Close what ends at `at`, open what begins there; return how many were opened."""
        ended = [start for kind, start in self._open.items() if kind not in kinds]
        for kind, start in list(self._open.items()):
            if kind not in kinds or any(start > outer for outer in ended):
                self.closed.append((kind, self._open.pop(kind), at))
        new = [kind for kind in kinds if kind not in self._open]
        self._open.update((kind, at) for kind in new)
        return len(new)


def entities_of(part: Iterable[Run]) -> list[dict[str, Any]]:
    """Return the sorted entities of one message; none is empty or only white space."""
    walk = OpenEntities()
    text = ""
    for run in part:
        walk.advance(kinds_of(run.marks), len(text))
        text += run.text
    walk.advance((), len(text))
    entities = list(_spelled(walk.closed, text))
    return sorted(entities, key=lambda e: (e["offset"], -e["length"], e["type"]))


def _spelled(closed: Iterable[tuple[Kind, int, int]], text: str) -> Iterator[dict[str, Any]]:
    offsets: Sequence[int] = range(len(text) + 1)
    if not text.isascii():
        offsets = list(accumulate((size(letter, "utf16") for letter in text), initial=0))
    for (kind, attribute), first, last in closed:
        start, end = (first, last) if kind in _KEPT_WHOLE else _trimmed(text, first, last)
        if not text[start:end].strip():
            continue
        entity = {
            "type": kind,
            "offset": offsets[start],
            "length": offsets[end] - offsets[start],
        }
        if attribute:
            entity[_ATTRIBUTES[kind]] = attribute
        yield entity


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    inner = text[start:end]
    return start + len(inner) - len(inner.lstrip()), end - len(inner) + len(inner.rstrip())
