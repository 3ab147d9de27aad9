"""Where text may be cut: between user-perceived characters.

Source: Unicode Standard Annex 29, extended grapheme clusters; a joiner holds whatever follows it.
"""

import unicodedata

_ZWJ = "\u200d"
_EXTENDING = frozenset("\u200c\u200d\u0e33\u0eb3\uff9e\uff9f")
_PREPENDED = frozenset(
    map(chr, (*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD))
)


def is_boundary(text: str, index: int) -> bool:
    """Tell whether `text` may be cut before `index`."""
    if index <= 0 or index >= len(text):
        return True
    before, after = text[index - 1], text[index]
    if before == "\r" and after == "\n":
        return False
    if before in "\r\n" or after in "\r\n":
        return True
    if before < "\u0300" and after < "\u0300":
        return True
    if _extends(after) or before == _ZWJ or before in _PREPENDED:
        return False
    if _is_flag(before) and _is_flag(after):
        return _flags_before(text, index) % 2 == 0
    return not _joins_hangul(before, after)


def last_boundary(text: str, start: int, end: int) -> int:
    """Return the last place in `start < place <= end` to cut at; `end` if one cluster fills it."""
    for place in range(end, start, -1):
        if is_boundary(text, place):
            return place
    return end


def _extends(letter: str) -> bool:
    if letter < "\u0300":
        return False
    return (
        letter in _EXTENDING
        or unicodedata.category(letter) in ("Mn", "Me", "Mc")
        or "\U0001f3fb" <= letter <= "\U0001f3ff"
        or "\U000e0020" <= letter <= "\U000e007f"
    )


def _is_flag(letter: str) -> bool:
    return "\U0001f1e6" <= letter <= "\U0001f1ff"


def _flags_before(text: str, index: int) -> int:
    first = index
    while first and _is_flag(text[first - 1]):
        first -= 1
    return index - first


def _joins_hangul(before: str, after: str) -> bool:
    kinds = (_hangul(before), _hangul(after))
    match kinds:
        case ("L", "L" | "V" | "LV" | "LVT"):
            return True
        case ("LV" | "V", "V" | "T"):
            return True
        case ("LVT" | "T", "T"):
            return True
    return False


def _hangul(letter: str) -> str:
    code = ord(letter)
    if 0x1100 <= code <= 0x115F or 0xA960 <= code <= 0xA97C:
        return "L"
    if 0x1160 <= code <= 0x11A7 or 0xD7B0 <= code <= 0xD7C6:
        return "V"
    if 0x11A8 <= code <= 0x11FF or 0xD7CB <= code <= 0xD7FB:
        return "T"
    if 0xAC00 <= code <= 0xD7A3:
        return "LV" if (code - 0xAC00) % 28 == 0 else "LVT"
    return ""
