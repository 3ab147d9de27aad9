"""What stands where in the settings: the fields of each table, read from the values' types."""

from collections.abc import Mapping
from enum import Enum, auto
from types import UnionType
from typing import Any, Final, get_args, get_origin

from pydantic import BaseModel, SecretStr

from .values import Settings

_SCALARS: Final = (str, int, float)


class Shape(Enum):
    """What a setting holds."""

    TEXT = auto()
    SECRET = auto()
    LIST = auto()
    TABLE = auto()


def shape_of(path: tuple[str | int, ...]) -> Shape | None:
    """Return what the setting at `path` holds; None when there is no such setting."""
    kind = _kind_at(path)
    if kind is None:
        return None
    if kind is SecretStr:
        return Shape.SECRET
    if get_origin(kind) is tuple:
        return Shape.LIST
    if get_origin(kind) is Mapping or _is_section(kind):
        return Shape.TABLE
    return Shape.TEXT


def names_below(path: tuple[str | int, ...]) -> tuple[str, ...]:
    """Return the keys that a table may hold; none for a table of free keys."""
    kind = _kind_at(path)
    return tuple(kind.model_fields) if _is_section(kind) else ()


def _kind_at(path: tuple[str | int, ...]) -> Any:
    kind: Any = Settings
    for part in path:
        if _is_section(kind) and part in kind.model_fields:
            kind = _plain(kind.model_fields[part].annotation)
        elif get_origin(kind) is Mapping or (get_origin(kind) is tuple and isinstance(part, int)):
            kind = _plain(get_args(kind)[1 if get_origin(kind) is Mapping else 0])
        else:
            return None
    return kind


def _plain(annotation: Any) -> Any:
    """Strip `Annotated` and `| None`."""
    if hasattr(annotation, "__metadata__"):
        return _plain(annotation.__origin__)
    if isinstance(annotation, UnionType):
        return _plain(get_args(annotation)[0])
    return annotation


def _is_section(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)
