"""What an act changes: what its tool foretold of it, and what was seen when it was done."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from .concealing import MASK, Secrets, masked
from .literals import below

_LONG: Final = 4  # Characters; a shorter secret stands in any text by chance, as part of a word.

Hide = Callable[[str], str]
"""Returns a text without the values that a card masks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What changes: texts or JSON-shaped values; None where nothing was said.

    `foretold` was said before the act, or `unknown` says why it could not be; `observed` is what
    the act itself reported.
    """

    foretold: Any = None
    unknown: str | None = None
    observed: Any = None

    @property
    def came_as_foretold(self) -> bool:
        """Tell whether what was seen is exactly what was foretold."""
        return _spelled(self.observed) == _spelled(self.foretold)


def hiding(arguments: Mapping[str, Any], pointers: frozenset[str]) -> Hide:
    """Return what masks the masked arguments wherever else they stand."""
    values = set(_masked_in(arguments, pointers, "", False))
    long = Secrets(value for value in values if len(value) >= _LONG)
    short = "|".join(map(re.escape, sorted(values - {""}, key=len, reverse=True)))
    words = re.compile(rf"(?<!\w)(?:{short})(?!\w)") if short else None

    def hide(text: str) -> str:
        text = masked(text, long)
        return words.sub(MASK, text) if words else text

    return hide


def hidden(effect: Effect, hide: Hide) -> Effect:
    """Return an effect in which no masked argument is shown."""
    return replace(
        effect,
        foretold=_hidden(effect.foretold, hide),
        unknown=None if effect.unknown is None else hide(effect.unknown),
        observed=_hidden(effect.observed, hide),
    )


def _hidden(value: Any, hide: Hide) -> Any:
    match value:
        case None | bool():
            return value
        case str():
            return hide(value)
        case int() | float():
            return value if hide(_spelled(value)) == _spelled(value) else MASK
        case Mapping():
            kept: dict[str, Any] = {}
            for key, inner in value.items():
                name = hide(key)
                kept[f"{name} ({len(kept)})" if name in kept else name] = _hidden(inner, hide)
            return kept
        case _:
            return [_hidden(inner, hide) for inner in value]


def _masked_in(value: Any, pointers: frozenset[str], here: str, inside: bool) -> Iterator[str]:
    """Yield every text and number at or below a masked pointer."""
    inside = inside or here in pointers
    for key, inner in _members(value):
        yield from _masked_in(inner, pointers, below(here, key), inside)
    if inside and isinstance(value, str | int | float) and not isinstance(value, bool):
        yield value if isinstance(value, str) else _spelled(value)


def _members(value: Any) -> Iterable[tuple[str, Any]]:
    if isinstance(value, Mapping):
        return value.items()
    return ((str(at), each) for at, each in enumerate(value)) if isinstance(value, list) else ()


def _spelled(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
