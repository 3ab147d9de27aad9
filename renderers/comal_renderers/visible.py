"""Makes hidden and misleading characters of a value visible."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

_PADDING: Final = re.compile(r"^ +| +$| {4,}")
_NEWLINES: Final = re.compile(r"\n{4,}")
_WORD: Final = re.compile(r"[^\W\d_]+")
_MARKS_KEPT: Final = 2  # Combining marks a letter may carry; more can strike out their neighbours.
_SIGNS: Final = "⟨⟩⏎"  # Our own; a value that holds them could imitate us.
_BLANKS: Final = frozenset("\u2800\u3164\u115f\u1160\uffa0")
_IGNORABLE_MARKS: Final = (
    (0x034F, 0x034F),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0xFE00, 0xFE0F),
    (0xE0100, 0xE01EF),
)  # Source: Unicode DerivedCoreProperties, Default_Ignorable_Code_Point, category Mn.
_OVERLAYS: Final = ((0x0334, 0x0338), (0x20D2, 0x20D3), (0x20D8, 0x20DA), (0x20DD, 0x20EF))
_LOOK_ALIKES: Final = frozenset(
    ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "FULLWIDTH", "MATHEMATICAL")
)


def visible(text: str, *, mixed: str = "mixed scripts") -> str:
    """Return `text` on one line with nothing hidden; different texts stay different.

    Hidden, blank and format characters become `⟨U+202E⟩`, newlines `⏎`, padding `⟨9 spaces⟩`.
    A word of look-alike scripts adds `⟨⚠ mixed scripts: word⟩`; `mixed` words that note.
    """
    shown = _show(text)
    words = dict.fromkeys(word for word in _WORD.findall(text) if _is_mixed(word))
    return f"{shown} ⟨⚠ {mixed}: {', '.join(words)}⟩" if words else shown


def _show(text: str) -> str:
    out = []
    place = 0
    for start, end, name in _runs(text):
        out.append(_letters(text[place:start]))
        count = end - start
        out.append(f"⟨{count} {name if count > 1 else name.removesuffix('s')}⟩")
        place = end
    out.append(_letters(text[place:]))
    return "".join(out)


def _runs(text: str) -> Iterator[tuple[int, int, str]]:
    found = [(match.start(), match.end(), "spaces") for match in _PADDING.finditer(text)]
    found += [(match.start(), match.end(), "newlines") for match in _NEWLINES.finditer(text)]
    yield from sorted(found)


def _letters(text: str) -> str:
    out = []
    marks = _MARKS_KEPT  # A mark that opens a stretch would sit on a letter of ours.
    for letter in text:
        if unicodedata.category(letter) in ("Mn", "Me"):
            marks += 1
            out.append(_escape(letter) if marks > _MARKS_KEPT or _is_odd_mark(letter) else letter)
            continue
        shown = _letter(letter)
        marks = 0 if shown == letter else _MARKS_KEPT
        out.append(shown)
    return "".join(out)


def _letter(letter: str) -> str:
    if letter == "\n":
        return "⏎"
    if letter == " ":
        return letter
    hidden = unicodedata.category(letter)[0] in "CZ"
    return _escape(letter) if hidden or letter in _BLANKS or letter in _SIGNS else letter


def _is_odd_mark(letter: str) -> bool:
    code = ord(letter)
    return any(low <= code <= high for low, high in (*_IGNORABLE_MARKS, *_OVERLAYS))


def _escape(letter: str) -> str:
    return f"⟨U+{ord(letter):04X}⟩"


def _is_mixed(word: str) -> bool:
    if word.isascii():
        return False
    scripts = {unicodedata.name(letter, "").split(" ")[0] for letter in word}
    return len(scripts & _LOOK_ALIKES) > 1
