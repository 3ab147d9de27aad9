"""Makes hidden and misleading characters of a value visible."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from .look_alikes import is_two_way, look_alikes, mixed_words

_PADDING: Final = re.compile(r"^ +| +$| {4,}")
_INDENTED: Final = re.compile(r"^ {17,}| +$|(?<=[^ ]) {4,}")  # A deeper indentation hides a line.
_NEWLINES: Final = re.compile(r"\n{4,}")
_MOST_NAMED: Final = 5  # Words that a note names; a value is not told twice.
_LONGEST_NAMED: Final = 40  # Letters of such a word.
_MARKS_KEPT: Final = 2  # Combining marks a letter may carry; more can strike out their neighbours.
_SIGNS: Final = "⟨⟩⏎"  # Our own; a value that holds them could imitate us.
_BLANKS: Final = frozenset("\u2800\u3164\u115f\u1160\uffa0\ufffc\U0001d159")
_ALIKE_SIGNS: Final = frozenset(
    "\u01c3\u02d0\u0589\u066b\u06d4\u0701\u0702\u2010\u2011\u2024\u2027\u2044\u2215\u2216\u2217"
    "\u2223\u2236\u223c\u29f5\u29f8\ua4f8\ua4f9\ua4fd\ua789\ufe52\ufe55\ufe58\ufe63\ufe68"
)  # Source: Unicode TR39, confusables: signs that pass for one of ASCII, as in paths and amounts.
_IGNORABLE_MARKS: Final = (
    (0x034F, 0x034F),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0xFE00, 0xFE0F),
    (0x16FE4, 0x16FE4),
    (0xE0100, 0xE01EF),
)  # Source: Unicode DerivedCoreProperties, Default_Ignorable_Code_Point, category Mn; a filler.
_OVERLAYS: Final = ((0x0334, 0x0338), (0x20D2, 0x20D3), (0x20D8, 0x20DA), (0x20DD, 0x20EF))


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs:
    """The words of the host beside a value, in one language; `spaces` and `newlines` count."""

    space: str = "1 space"
    spaces: str = "{count} spaces"
    newlines: str = "{count} newlines"
    mixed_scripts: str = "mixed scripts"
    look_alikes: str = "look-alike letters"
    two_way: str = "reads from right to left"


_ENGLISH: Final = Signs()


def visible(text: str, signs: Signs = _ENGLISH, *, indented: bool = False) -> str:
    """Return `text` on one line with nothing hidden; different texts stay different.

    Hidden, blank and format characters become `⟨U+202E⟩`, as do marks and letters that another
    spelling shows in the same way; newlines become `⏎`, padding `⟨9 spaces⟩` but for the usual
    indentation of an `indented` line. A word that is not what it looks like adds a note such as
    `⟨⚠ mixed scripts: word⟩`.
    """
    shown = _show(text, signs, _INDENTED if indented else _PADDING)
    notes = "".join(f" ⟨⚠ {note}⟩" for note in _notes(text, signs))
    return f"{shown}{notes}"


def _notes(text: str, signs: Signs) -> Iterator[str]:
    mixed = mixed_words(text)
    if mixed:
        yield f"{signs.mixed_scripts}: {_some(mixed)}"
    alike = [word for word in look_alikes(text) if word not in set(mixed)]
    if alike:
        yield f"{signs.look_alikes}: {_some(alike)}"
    if is_two_way(text):
        yield signs.two_way


def _some(words: Sequence[str]) -> str:
    named = [
        _letters(word) if len(word) <= _LONGEST_NAMED else f"{_letters(word[:_LONGEST_NAMED])}…"
        for word in words[:_MOST_NAMED]
    ]
    return ", ".join([*named, "…"] if len(words) > _MOST_NAMED else named)


def _show(text: str, signs: Signs, padding: re.Pattern[str]) -> str:
    out = []
    place = 0
    for start, end in _runs(text, padding):
        out.append(_letters(text[place:start]))
        words = signs.newlines if text[start] == "\n" else signs.spaces
        words = signs.space if end - start == 1 else words
        out.append(f"⟨{words.format(count=end - start)}⟩")
        place = end
    out.append(_letters(text[place:]))
    return "".join(out)


def _runs(text: str, padding: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    found = [match.span() for match in padding.finditer(text)]
    found += [match.span() for match in _NEWLINES.finditer(text)]
    yield from sorted(found)


def _letters(text: str) -> str:
    if text.isascii() and text.isprintable():
        return text
    out = []
    cluster, marks = "", _MARKS_KEPT  # A mark that opens a stretch would sit on a letter of ours.
    for letter in text:
        is_mark, is_seen = _kind(letter)
        marks = marks + 1 if is_mark else 0
        if is_seen and marks <= _MARKS_KEPT and _stands(cluster, letter):
            out.append(letter)
            cluster = cluster + letter if is_mark else letter
            continue
        out.append("⏎" if letter == "\n" else _escape(letter))
        cluster, marks = "", max(marks, _MARKS_KEPT)
    return "".join(out)


@lru_cache(maxsize=4096)
def _kind(letter: str) -> tuple[bool, bool]:
    """Tell whether a letter is a mark on the one before it, and whether it is seen as it is."""
    category = unicodedata.category(letter)
    hidden = (category[0] in "CZ" and letter != " ") or letter in _BLANKS
    odd = letter in _SIGNS or letter in _ALIKE_SIGNS or _is_odd_mark(letter)
    return category in ("Mn", "Me"), not (hidden or odd)


@lru_cache(maxsize=4096)
def _stands(cluster: str, letter: str) -> bool:
    """Tell whether a letter behind a cluster looks like no other letter there."""
    return letter < "\u0300" or unicodedata.is_normalized("NFC", cluster + letter)


def _is_odd_mark(letter: str) -> bool:
    code = ord(letter)
    return any(low <= code <= high for low, high in (*_IGNORABLE_MARKS, *_OVERLAYS))


def _escape(letter: str) -> str:
    return f"⟨U+{ord(letter):04X}⟩"
