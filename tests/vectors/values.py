"""Compares JSON values the way the vectors mean them, and shows them in a sentence."""

import json
from typing import Any, Final

LONGEST: Final = 160  # characters of a value in a sentence


def same(left: object, right: object) -> bool:
    """Tell whether two JSON values are equal.

    `1` and `1.0` are; `true` and `1` are not. An empty list of the original may stand for an
    empty object, as it has one type for both.
    """
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if not left and not right and isinstance(left, list | dict) and isinstance(right, list | dict):
        return True
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return left == right


def shown(value: Any) -> str:
    """Return a value as short JSON."""
    text = json.dumps(value, ensure_ascii=False, default=repr)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def difference(what: str, wanted: object, found: object) -> str | None:
    """Say that `what` is not as wanted; None if it is."""
    if same(wanted, found):
        return None
    return f"{what}: wanted {shown(wanted)}, got {shown(found)}"
