"""Checked reads of an update's fields: a value of the right type, or a ValueError naming it."""

from collections.abc import Mapping, Sequence
from typing import Any

from .utf16 import mended

_LARGEST_ID = 2**53  # Source: Bot API, "at most 52 significant bits".


def an_object(value: object, where: str) -> Mapping[str, Any]:
    """Return `value` if it is a JSON object."""
    if not isinstance(value, Mapping):
        raise ValueError(f"{where} is {_kind(value)}; expected an object")
    return value


def a_list(value: object, where: str) -> Sequence[Any]:
    """Return `value` if it is a JSON array; an absent one is empty."""
    if value is None:
        return ()
    if not isinstance(value, list | tuple):
        raise ValueError(f"{where} is {_kind(value)}; expected an array")
    return value


def a_text(value: object, where: str) -> str:
    """Return `value` if it is a string, lone surrogates replaced."""
    if not isinstance(value, str):
        raise ValueError(f"{where} is {_kind(value)}; expected a string")
    return mended(value)


def a_number(value: object, where: str) -> int:
    """Return `value` if it is a whole number of at most 2**53 either way."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"{where} is {_kind(value)}; expected a whole number")
    if abs(value) > _LARGEST_ID:
        raise ValueError(f"{where} is beyond 2**53; no such id exists")
    return value


def _kind(value: object) -> str:
    return "missing" if value is None else f"of type {type(value).__name__}"
