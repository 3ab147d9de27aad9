"""JSON as values: the one text of each, and copies that nobody can change."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final, NoReturn

_ENCODE: Final = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
).encode


def canonical_json(value: object) -> str:
    """Return the one JSON text of a value: keys sorted, no blanks, characters as they are.

    Raises:
        ValueError, TypeError: It holds what JSON lacks, such as NaN or a set.
    """
    return _ENCODE(value)


def frozen(value: Any) -> Any:
    """Return a copy of JSON-shaped data whose objects and arrays refuse every change.

    They are still dicts and lists, so that everything which writes JSON takes them; copies of
    them, shallow, deep or pickled, can be changed.
    """
    if isinstance(value, Mapping):
        return FrozenObject((key, frozen(item)) for key, item in value.items())
    if isinstance(value, list | tuple):
        return FrozenArray(map(frozen, value))
    return value


def plain(value: Any) -> Any:
    """Return a copy of JSON-shaped data of nothing but dicts and lists."""
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


def _refuse(self: object, *_: object, **__: object) -> NoReturn:
    raise TypeError("this is shared and cannot be changed; change a copy.deepcopy() of it")


_CHANGE_BOTH: Final = ("__setitem__", "__delitem__", "__ior__", "__iadd__", "__imul__", "clear")
_CHANGE_DICT: Final = ("pop", "popitem", "setdefault", "update")
_CHANGE_LIST: Final = ("append", "extend", "insert", "pop", "remove", "reverse", "sort")


class FrozenObject(dict[str, Any]):
    """A JSON object that cannot be changed."""

    __slots__ = ()

    def __reduce__(self) -> tuple[type[dict[str, Any]], tuple[dict[str, Any]]]:
        return dict, (dict(self),)


class FrozenArray(list[Any]):
    """A JSON array that cannot be changed."""

    __slots__ = ()

    def __reduce__(self) -> tuple[type[list[Any]], tuple[list[Any]]]:
        return list, (list(self),)


def _closed(kind: type, names: tuple[str, ...], refusal: Callable[..., NoReturn]) -> None:
    for name in names:
        if hasattr(kind, name):
            setattr(kind, name, refusal)


_closed(FrozenObject, (*_CHANGE_BOTH, *_CHANGE_DICT), _refuse)
_closed(FrozenArray, (*_CHANGE_BOTH, *_CHANGE_LIST), _refuse)
