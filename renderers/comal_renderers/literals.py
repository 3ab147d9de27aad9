"""Words a JSON-shaped value for a card: exactly, and in lines that are short on a phone."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from .concealing import MASK
from .document import Code, Inline, Rich, Span
from .visible import Signs, visible

_NAME: Final = re.compile(r"[A-Za-z_][\w.-]{0,63}", re.ASCII)
_LIKE_ANOTHER: Final = re.compile(
    r'-?\d[\d.eE+-]*|\d+\. .*|true|false|null|NaN|-?Infinity|[\[{"•].*|', re.DOTALL
)  # What a text is quoted for; bare, it would read as a number, a list, or what is masked.
_LIKE_ENTRY: Final = re.compile(rf"(?:{_NAME.pattern}):(?:\s.*)?", re.ASCII | re.DOTALL)
_DEEPEST: Final = 4  # Levels that get lines of their own; what is deeper would be all indentation.
_MOST_LINES: Final = 20  # Lines of a text that may push the rest of a card out of view.
_INSET: Final = "  "  # Holds a value inside its frame where a channel has no boxes.
_BAR: Final = "│"

Clip = Callable[[str], str]
"""Returns as much of a worded value as there is room for."""


class Masked:
    """Stands where a value is hidden, so that no text can pass for it."""


MASKED: Final = Masked()


def literal(value: Any, signs: Signs, clip: Clip) -> Inline | Code:
    """Word a value so that it can be told exactly from what is shown.

    A text is itself, in quotes where it could be taken for another value; one of several lines
    stands behind bars. Lists and objects are lines, numbered or named, indented by level.
    """
    if isinstance(value, str):
        lines = value.split("\n")
        if 1 < len(lines) <= _MOST_LINES and "\n\n\n\n" not in value:
            return _barred("\n".join(visible(line, signs, indented=True) for line in lines), clip)
        return coded(
            clip(visible(_json(value) if _LIKE_ANOTHER.fullmatch(value) else value, signs))
        )
    if _is_branch(value) and value:
        shown = clip("\n".join(_lines(value, signs, 1)))
        return Code(text="\n".join(_INSET + line for line in shown.split("\n")))
    return coded(clip(_scalar(value, signs)))


def named(key: str, signs: Signs) -> str:
    """Word the name of a value, in quotes where it is more than a name."""
    return visible(key if _NAME.fullmatch(key) else _json(key), signs)


def coded(text: str) -> Inline:
    """Return text in which a channel finds no link, mention or command."""
    return Rich(spans=(Span(text=text, styles=frozenset({"code"})),)) if text else text


def without(value: Any, masked: frozenset[str], here: str = "") -> Any:
    """Return a value with `MASKED` at every JSON pointer (RFC 6901) of `masked`."""
    if here in masked:
        return MASKED
    if isinstance(value, Mapping):
        return {key: without(inner, masked, below(here, key)) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [without(inner, masked, below(here, str(at))) for at, inner in enumerate(value)]
    return value


def _barred(shown: str, clip: Clip) -> Code:
    lines = clip(shown).split("\n")
    return Code(text="\n".join(f"{_INSET}{_BAR} {line}".rstrip() for line in lines))


def _lines(branch: Any, signs: Signs, level: int) -> Iterator[str]:
    if isinstance(branch, Mapping):
        for key, inner in branch.items():
            lead = f"{named(key, signs)}:"
            if _opens(inner, level):
                yield lead
                yield from (f"  {line}" for line in _lines(inner, signs, level + 1))
            else:
                yield f"{lead} {_flat(inner, signs)}"
        return
    for number, inner in enumerate(branch, 1):
        lead = f"{number}. "
        rows = _lines(inner, signs, level + 1) if _opens(inner, level) else [_flat(inner, signs)]
        for row in rows:
            yield lead + row
            lead = " " * len(lead)


def _opens(value: Any, level: int) -> bool:
    return _is_branch(value) and bool(value) and level < _DEEPEST


def _flat(value: Any, signs: Signs) -> str:
    """Word a value within one line; texts are bare only where nothing stands around them."""
    if isinstance(value, str):
        alike = _LIKE_ANOTHER.fullmatch(value) or _LIKE_ENTRY.fullmatch(value)
        return visible(_json(value) if alike else value, signs)
    if not _is_branch(value) or not value:
        return _scalar(value, signs)
    if isinstance(value, Mapping):
        inner = (
            f"{visible(_json(key), signs)}: {_quoted(each, signs)}" for key, each in value.items()
        )
        return f"{{{', '.join(inner)}}}"
    return f"[{', '.join(_quoted(each, signs) for each in value)}]"


def _quoted(value: Any, signs: Signs) -> str:
    return visible(_json(value), signs) if isinstance(value, str) else _flat(value, signs)


def _scalar(value: Any, signs: Signs) -> str:
    return MASK if value is MASKED else visible(_json(value), signs)


def _is_branch(value: Any) -> bool:
    return isinstance(value, Mapping | list | tuple)


def below(pointer: str, key: str) -> str:
    """Return the JSON pointer (RFC 6901) of what stands under a key."""
    return f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
