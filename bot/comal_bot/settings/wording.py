"""How a single value is judged: choices and durations, with words that end a sentence."""

import math
import re
from collections.abc import Sequence
from typing import Annotated, Final

from pydantic import BeforeValidator
from pydantic_core import PydanticCustomError

WORDED: Final = "worded"
"""The type of an error whose text is ready to follow the setting's name."""

_UNITS: Final = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_DURATION: Final = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)?")


def wrong(text: str) -> PydanticCustomError:
    """Return the error that says `text` after the name of the setting."""
    return PydanticCustomError(WORDED, "{text}", {"text": text})


def listed(names: Sequence[str]) -> str:
    """Return names quoted and with commas between them."""
    return ", ".join(repr(name) for name in names)


def choose(value: str, available: Sequence[str], later: Sequence[str] = ()) -> str:
    """Return `value` if it is available; else raise what says which are."""
    if value in available:
        return value
    if value in later:
        raise wrong(f"is {value!r}, which is not available yet; use {listed(available)}")
    raise wrong(f"is {value!r}; allowed: {listed(available)}")


def seconds(value: object) -> float:
    """Read a duration: `"24h"`, `"10m"`, `"60s"` or a number of seconds, above 0."""
    found = math.nan
    if isinstance(value, str):
        match = _DURATION.fullmatch(value.strip())
        found = float(match[1]) * _UNITS[match[2] or "s"] if match else math.nan
    elif isinstance(value, int | float) and not isinstance(value, bool):
        found = float(value)
    if not 0 < found < math.inf:
        raise wrong(
            f"is {value!r}; allowed: a number of seconds above 0, or a text such as "
            "'60s', '10m', '24h'"
        )
    return found


Duration = Annotated[float, BeforeValidator(seconds)]
"""Seconds; written as a number or as `"10m"`."""
