"""Text for a terminal: nothing in it moves the cursor, hides or turns what is read."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from .columns import wrap
from .document import Inline, Span, Style
from .inline import holds_none, spans_of, write_out

_TAB: Final = "    "
_HIDDEN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]"
    "|[\ud800-\udfff]"
)
_CODES: Final[dict[Style, str]] = {
    "bold": "1",
    "italic": "3",
    "underline": "4",
    "strike": "9",
    "code": "36",
    "spoiler": "2",
}  # Source: ECMA-48, select graphic rendition; spoilers are faint, since a terminal hides nothing.

Codes = tuple[str, ...]
"""Select-graphic-rendition parameters; none where text stays as it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """How wide lines may be (columns), and whether they carry ANSI styles."""

    columns: int
    styled: bool

    def within(self, prefix: str) -> "Screen":
        """Return what is left of the screen beside a prefix of narrow letters."""
        return Screen(columns=self.columns - len(prefix), styled=self.styled)

    def paint(self, text: str, *codes: str) -> str:
        """Return text under styles, where the screen carries any."""
        if not self.styled or not codes or not text:
            return text
        return f"\x1b[{';'.join(codes)}m{text}\x1b[0m"

    def lines(self, content: Inline, *base: str) -> list[str]:
        """Return inline text as lines that fit, all of it under the `base` styles.

        Addresses of links are written out; what could move the cursor or hide is made visible.
        """
        pieces = [
            (shown(span.text), (*base, *_codes(span)))
            for span in spans_of(write_out(content, holds_none))
        ]
        text = "".join(piece for piece, _ in pieces)
        cuts = wrap(text, self.columns)
        if not self.styled or not any(codes for _, codes in pieces):
            return [text[start:end] for start, end in cuts]
        marks = [codes for piece, codes in pieces for _ in piece]
        return [self._painted(text[start:end], marks[start:end]) for start, end in cuts]

    def _painted(self, line: str, marks: Iterable[Codes]) -> str:
        groups = groupby(zip(line, marks, strict=True), key=lambda pair: pair[1])
        return "".join(
            self.paint("".join(letter for letter, _ in group), *codes) for codes, group in groups
        )


def shown(text: str) -> str:
    """Return text of which every letter can be seen; only newlines keep what they do.

    Control, direction and zero-width characters become `⟨U+001B⟩`, tabs four blanks.
    """
    if text.isascii() and text.isprintable():
        return text
    text = text.replace("\r\n", "\n").replace("\t", _TAB)
    return _HIDDEN.sub(lambda found: f"⟨U+{ord(found[0]):04X}⟩", text)


def _codes(span: Span) -> Codes:
    return tuple(sorted(_CODES[style] for style in span.styles))
