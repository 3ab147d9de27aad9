"""Holds values against a JSON Schema, draft 2020-12, and reports every fault at once."""

import math
from collections.abc import Iterator
from typing import Any, Final, Protocol

from jsonschema import SchemaError

from .dialect import Node, bad_pattern, in_python, is_read_alike
from .errors import BadToolSchema
from .faults import Fault, Path, capped, fault, pointer, worded
from .formats import FORMATS, UNASSERTED, format_checker
from .keywords import Validator
from .nullable import with_nulls
from .references import bad_reference
from .tools import Schema

__all__ = ["MAX_DEPTH", "MAX_DIGITS", "CompiledSchema", "Fault"]

MAX_DEPTH: Final = 64
"""How deep a value may nest."""

MAX_DIGITS: Final = 640
"""Digits of an integer. Source: `sys.int_info`: Python always turns as many into text."""

_BOUND: Final = 10**MAX_DIGITS
_MAX_REASON: Final = 200  # characters of a schema's fault; it quotes the schema
_CHECKER: Final = format_checker()


class _Fast(Protocol):
    """A quick validator; its errors carry `instance_path` and `message`."""

    def is_valid(self, instance: Any) -> bool: ...
    def iter_errors(self, instance: Any) -> Iterator[Any]: ...


class CompiledSchema:
    """A checked schema, ready to be asked about many values."""

    __slots__ = ("_fast", "_validator", "schema")

    def __init__(self, schema: Schema, *, tool: str = "") -> None:
        """Check and compile `schema`; `tool` names its owner in errors.

        Raises:
            BadToolSchema: It is not valid draft 2020-12, or a `$ref` leads nowhere or away.
        """
        self.schema = with_nulls(dict(schema))
        _refuse(bad_reference(self.schema), tool)
        _refuse(bad_pattern(self.schema), tool)
        readable = in_python(self.schema)
        _refuse(bad_reference(readable), tool)  # a pattern on the way is spelt otherwise now
        self._fast = _quick(self.schema)
        if self._fast is None:
            _check(readable, tool)
        self._validator = Validator(readable, format_checker=_CHECKER)

    def faults(self, value: object) -> tuple[Fault, ...]:
        """Return the faults of `value`, missing fields first; the empty tuple if it fits."""
        if not _is_json(value, MAX_DEPTH):
            return capped(_foreign(value, (), MAX_DEPTH))
        fast = self._fast
        if fast is not None:
            try:
                if fast.is_valid(value):
                    return ()
            except ValueError:  # it takes JSON's own types only, and no text of a type of its own
                fast = None
        try:
            found = worded(self._validator.iter_errors(value))
        except RecursionError:
            return (fault((), "Nested too deep for this schema"),)
        if found or fast is None:
            return found
        return capped(
            fault(error.instance_path, error.message) for error in fast.iter_errors(value)
        )


def _refuse(bad: tuple[Path, str] | None, tool: str) -> None:
    if bad is not None:
        raise BadToolSchema(tool, pointer(bad[0]), bad[1][:_MAX_REASON])


def _check(schema: Node, tool: str) -> None:
    try:
        Validator.check_schema(schema)
    except SchemaError as error:
        reason = error.message[:_MAX_REASON]
        raise BadToolSchema(tool, pointer(tuple(error.absolute_path)), reason) from error


def _quick(schema: Node) -> _Fast | None:
    """Return the compiled validator; None if it is not installed or would read it otherwise.

    It checks the schema itself, in a hundredth of the time.
    """
    try:
        from jsonschema_rs import Draft202012Validator as QuickValidator
    except ImportError:
        return None
    formats = {**FORMATS, **dict.fromkeys(UNASSERTED, _anything)}
    try:
        fast = QuickValidator(schema, formats=formats, validate_formats=True, mask="the value")
    except ValueError:
        return None
    return fast if is_read_alike(schema) else None


def _anything(text: str) -> bool:
    return True


def _is_json(value: object, depth: int) -> bool:
    """Tell whether JSON can hold `value` with at most `depth` levels below it."""
    kind = type(value)
    if kind is dict or kind is list:
        return depth > 0 and _holds_json(value, depth)
    if kind is str:
        return _encodes(value)  # type: ignore[arg-type]  # `kind` has told
    if kind is int:
        return -_BOUND < value < _BOUND  # type: ignore[operator]  # `kind` has told
    if kind is float:
        return math.isfinite(value)  # type: ignore[arg-type]  # `kind` has told
    return value is None or kind is bool or _is_like_json(value, depth)


def _holds_json(value: Any, depth: int) -> bool:
    items = value
    if isinstance(value, dict):
        for key in value:
            if type(key) is not str or not _encodes(key):
                return False
        items = value.values()
    for item in items:  # noqa: SIM110  all() takes twice the time, and every call comes by
        if not _is_json(item, depth - 1):
            return False
    return True


def _is_like_json(value: object, depth: int) -> bool:
    """Tell the same of a value of a type that adds to JSON's own, such as a named integer."""
    if isinstance(value, dict | list):
        return depth > 0 and _holds_json(value, depth)
    if isinstance(value, str):
        return _encodes(value)
    return isinstance(value, int) and -_BOUND < value < _BOUND


def _encodes(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _foreign(value: object, path: Path, depth: int) -> Iterator[Fault]:
    """Say what in `value` JSON cannot hold."""
    if _is_json(value, depth):
        return
    if not isinstance(value, dict | list) or depth == 0:
        yield fault(path, _foreign_kind(value))
        return
    for key, item in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(value, dict) and not (isinstance(key, str) and _encodes(key)):
            yield fault(path, "Field names must be valid text")
        else:
            yield from _foreign(item, (*path, key), depth - 1)


def _foreign_kind(value: object) -> str:
    if isinstance(value, dict | list):
        return f"Nested deeper than {MAX_DEPTH} levels"
    if isinstance(value, float):
        return f"Expected a finite number, got {float.__repr__(value)}"
    if isinstance(value, int):
        return f"Number too large (max: {MAX_DIGITS} digits)"
    if isinstance(value, str):
        return "Expected valid Unicode text, got half a surrogate pair"
    return "Expected a JSON value, got something that JSON cannot hold"
