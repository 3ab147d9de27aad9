"""Patterns of names, as `fnmatchcase` reads them, held against one another."""

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from functools import cache
from typing import Final

_SIGNS: Final = frozenset("*?")
_TOKEN: Final = re.compile(r"\[!?\]?[^\]]*\]|.", re.DOTALL)
_MOST_SIGNS: Final = 100  # of a pattern; nobody reads a longer one, and it would take long to weigh


def narrower(inner: str, outer: str) -> bool:
    """Tell whether every name that fits `inner` surely fits `outer`; False where it is not sure."""
    if inner == outer:
        return True
    narrow, wide = _TOKEN.findall(inner), _TOKEN.findall(outer)
    return max(len(narrow), len(wide)) <= _MOST_SIGNS and _covers(tuple(wide), tuple(narrow))


def _covers(wide: tuple[str, ...], narrow: tuple[str, ...]) -> bool:
    """Read `narrow` with `wide` sign by sign: only a star takes a star."""

    @cache
    def fits(at: int, place: int) -> bool:
        if at == len(wide):
            return place == len(narrow)
        if wide[at] == "*":
            return fits(at + 1, place) or (place < len(narrow) and fits(at, place + 1))
        return _takes(wide[at], narrow[place : place + 1]) and fits(at + 1, place + 1)

    return fits(0, 0)


def _takes(sign: str, found: Sequence[str]) -> bool:
    if not found or found[0] == "*":
        return False
    if sign in ("?", found[0]):
        return True
    return len(found[0]) == 1 and found[0] not in _SIGNS and fnmatchcase(found[0], sign)
