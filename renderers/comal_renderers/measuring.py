"""Counts text in the unit in which a channel limits it."""

from .descriptor import Unit


def size(text: str, unit: Unit | None) -> int:
    """Count UTF-16 code units, characters (code points) or bytes of UTF-8; None counts characters.

    A lone surrogate counts as the three bytes it would take.
    """
    match unit:
        case "utf16":
            return len(text) if text.isascii() else _units(text)
        case "bytes":
            return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
        case "chars" | None:
            return len(text)


def reach(text: str, start: int, limit: int, unit: Unit | None) -> int:
    """Return the last `end` for which `text[start:end]` takes at most `limit` units."""
    end = min(len(text), start + limit)
    excess = size(text[start:end], unit) - limit
    while excess > 0:
        end -= 1
        excess -= size(text[end], unit)
    return end


def _units(text: str) -> int:
    return len(text) + sum(letter > "\uffff" for letter in text)
