"""Reads the notation of calls in vectors: `name("text", {"a": 1}, limit=10)`."""

import json
import re
from dataclasses import dataclass, field
from typing import Any, Final

_NAME: Final = re.compile(r"\s*(\w+)\s*[=:]\s*")
_GAP: Final = re.compile(r"[\s,]*")
_DECODER: Final = json.JSONDecoder()


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """The arguments of a call as they are written."""

    positional: list[Any] = field(default_factory=list)
    named: dict[str, Any] = field(default_factory=dict)

    def take(self, *names: str) -> dict[str, Any]:
        """Return the arguments by name, the positional ones named in this order."""
        return {**dict(zip(names, self.positional, strict=False)), **self.named}


def read_arguments(text: str, at: int) -> tuple[Written, int]:
    """Read the arguments after an opening bracket; return them and the place after the closing.

    Raises:
        ValueError: Something there is neither JSON nor `name=JSON`.
    """
    written = Written()
    at = _skip(text, at)
    while not text.startswith(")", at):
        name = _NAME.match(text, at)
        value, at = _DECODER.raw_decode(text, name.end() if name else at)
        if name:
            written.named[name[1]] = value
        else:
            written.positional.append(value)
        at = _skip(text, at)
    return written, at + 1


def _skip(text: str, at: int) -> int:
    gap = _GAP.match(text, at)
    return gap.end() if gap else at
