"""How a tool may be used: the options of its declaration, checked when they are made."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, TypedDict, TypeGuard

from .errors import BadDeclaration

Schema = Mapping[str, Any]
"""A JSON Schema, draft 2020-12; JSON-shaped."""

Clamps = Mapping[str, Mapping[str, float]]
"""Per argument: `min`, `max` for numbers, `maxLength` (code points) for strings."""

Callback = Callable[..., object]
"""A tool's body; called with keywords, sync or async."""

_BOUNDS: Final = frozenset({"min", "max", "maxLength"})


def _is_name(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_switch(value: object) -> bool:
    return isinstance(value, bool)


def _is_name_or_none(value: object) -> bool:
    return value is None or _is_name(value)


def _is_function_or_none(value: object) -> bool:
    return value is None or callable(value)


_KINDS: Final[Mapping[str, tuple[Callable[[object], bool], str]]] = {
    **dict.fromkeys(("mutating", "confirm", "consent_only"), (_is_switch, "True or False")),
    **dict.fromkeys(("approval", "category", "version"), (_is_name_or_none, "a name or left out")),
    **dict.fromkeys(("preview", "reconcile"), (_is_function_or_none, "a function or left out")),
}
"""What each option must be, and how that is said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOptions:
    """How a tool may be used. `timeout` is in seconds.

    `answer_within` is how many seconds a question about it stays open, unless its route says so;
    None for as long as the channel's confirmations do, or a day for approvals.

    `approval` names a route, or `default`. A `consent_only` tool writes nothing but questions and
    votes, so that it opens no act of its own. `preview` describes the effect of a call beforehand,
    `reconcile` finds out afterwards whether an unknown act was applied. `clamps` holds `min`, `max`
    or `maxLength` (code points) by argument; `output_schema` is what a result's data looks like.
    """

    scopes: tuple[str, ...] = ()
    mutating: bool = False
    confirm: bool = False
    approval: str | None = None
    clamps: Clamps = field(default_factory=dict)
    timeout: float = 30.0
    answer_within: float | None = None
    category: str | None = None
    version: str | None = None
    output_schema: Schema | None = None
    preview: Callback | None = None
    reconcile: Callback | None = None
    consent_only: bool = False

    def __post_init__(self) -> None:
        put = object.__setattr__
        if isinstance(self.scopes, str):
            raise BadDeclaration(f"scopes must be a list of names, not the text {self.scopes!r}")
        put(self, "scopes", tuple(self.scopes))
        put(self, "clamps", frozen_clamps(self.clamps or {}))
        _check_timeout(self.timeout)
        _check_answer_within(self.answer_within)
        for scope in self.scopes:
            if not _is_name(scope):
                raise BadDeclaration(f"a scope must be a name, not {scope!r}")
        for name, (fits, kind) in _KINDS.items():
            value = getattr(self, name)
            if not fits(value):
                raise BadDeclaration(f"{name} must be {kind}, not {value!r}")


class DeclaredOptions(TypedDict, total=False):
    """The keywords of `@tool`, as `ToolOptions` explains them."""

    scopes: tuple[str, ...]
    mutating: bool
    confirm: bool
    approval: str | None
    clamps: Clamps
    timeout: float
    answer_within: float | None
    category: str | None
    version: str | None
    output_schema: Schema | None
    preview: Callback | None
    reconcile: Callback | None


def frozen_clamps(clamps: Clamps) -> Clamps:
    """Return a read-only copy of `clamps` whose bounds have been checked."""
    return MappingProxyType({name: _bounds(name, bounds) for name, bounds in clamps.items()})


def _bounds(name: str, bounds: Mapping[str, float]) -> Mapping[str, float]:
    if not isinstance(bounds, Mapping):
        raise BadDeclaration(f"clamp of {name!r} must map min, max or maxLength, not be {bounds!r}")
    for bound, number in bounds.items():
        if bound not in _BOUNDS:
            raise BadDeclaration(f"clamp of {name!r} knows min, max and maxLength, not {bound!r}")
        if isinstance(number, bool) or not isinstance(number, int | float) or number != number:
            raise BadDeclaration(f"clamp of {name!r}: {bound} must be a number, not {number!r}")
    if bounds.get("min", -math.inf) > bounds.get("max", math.inf):
        raise BadDeclaration(
            f"clamp of {name!r} is inverted: min {bounds['min']} is above max {bounds['max']}"
        )
    longest = bounds.get("maxLength", 0)
    if not 0 <= longest < math.inf or longest != int(longest):
        raise BadDeclaration(f"clamp of {name!r}: maxLength counts characters, not {longest!r}")
    return MappingProxyType(dict(bounds))


def _check_timeout(timeout: object) -> None:
    if not (_is_number(timeout) and 0 <= timeout < math.inf):
        raise BadDeclaration(f"timeout must be 0 seconds or more, not {timeout!r}")


def _check_answer_within(seconds: object) -> None:
    if seconds is not None and not (_is_number(seconds) and 0 < seconds < math.inf):
        raise BadDeclaration(
            f"answer_within must be more than 0 seconds, or left out, not {seconds!r}"
        )


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)
