"""Holds values against a JSON Schema, draft 2020-12, and reports every fault at once."""

import math
import re
from collections.abc import Iterator
from typing import Any, Final, Protocol
from urllib.parse import unquote

from jsonschema import Draft202012Validator, SchemaError

from .errors import BadToolSchema
from .faults import Fault, Path, fault, json_type, pointer, worded
from .formats import FORMATS, UNASSERTED, format_checker
from .tools import Schema

__all__ = ["MAX_DEPTH", "CompiledSchema", "Fault"]

MAX_DEPTH: Final = 64
"""How deep a value may nest."""

_MAX_REASON: Final = 200  # characters of a schema's fault; it quotes the schema
_CHECKER: Final = format_checker()
_VALUES: Final = frozenset({"const", "enum", "default", "examples"})
_MAPS: Final = frozenset(
    {"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"}
)


Node = dict[str, Any]


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
        self.schema = dict(schema)
        _check_refs(self.schema, tool)
        self._fast = _quick(self.schema)
        if self._fast is None:
            _check(self.schema, tool)
        self._validator = Draft202012Validator(self.schema, format_checker=_CHECKER)
        _check_end(self._validator, tool)

    def faults(self, value: object) -> tuple[Fault, ...]:
        """Return every fault of `value`, missing fields first; the empty tuple if it fits."""
        if not _is_json(value, MAX_DEPTH):
            return tuple(_foreign(value, (), MAX_DEPTH))
        if self._fast is not None and self._fast.is_valid(value):
            return ()
        try:
            found = worded(self._validator.iter_errors(value))
        except RecursionError:
            return (fault((), "The schema's $ref never ends for this value"),)
        if found or self._fast is None:
            return found
        return tuple(
            fault(error.instance_path, error.message) for error in self._fast.iter_errors(value)
        )


def _check(schema: Node, tool: str) -> None:
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        reason = error.message[:_MAX_REASON]
        raise BadToolSchema(tool, pointer(tuple(error.absolute_path)), reason) from error


def _check_refs(schema: Node, tool: str) -> None:
    nodes = list(_subschemas(schema, ()))
    anchors = {str(node.get(key)) for _, node in nodes for key in ("$anchor", "$dynamicAnchor")}
    for path, node in nodes:
        for key in ("$ref", "$dynamicRef"):
            reason = _ref_fault(schema, node.get(key), anchors)
            if reason:
                raise BadToolSchema(tool, pointer((*path, key)), reason)


def _check_end(validator: Draft202012Validator, tool: str) -> None:
    try:
        validator.is_valid({})
    except RecursionError as error:
        raise BadToolSchema(tool, "", "a $ref leads back to itself and never ends") from error


def _subschemas(node: object, path: Path, *, names: bool = False) -> Iterator[tuple[Path, Node]]:
    """Yield every schema object in `node`; `names`: its keys are names, not keywords."""
    if isinstance(node, list):
        for at, item in enumerate(node):
            yield from _subschemas(item, (*path, at))
    if not isinstance(node, dict):
        return
    if not names:
        yield path, node
    for key, item in node.items():
        if names or key not in _VALUES:
            yield from _subschemas(item, (*path, key), names=not names and key in _MAPS)


def _ref_fault(schema: Node, ref: object, anchors: set[str]) -> str:
    """Say why a reference cannot be followed; the empty text if it can, or is none."""
    if not isinstance(ref, str):
        return ""
    if not ref.startswith("#"):
        return f"{ref!r} leads out of the schema; copy its target under $defs"
    fragment = unquote(ref[1:])
    found = _has(schema, fragment) if fragment.startswith("/") else fragment in {"", *anchors}
    return "" if found else f"{ref!r} leads nowhere"


def _has(node: Any, fragment: str) -> bool:
    for step in fragment.split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(node, list) and key.isdecimal() and int(key) < len(node):
            node = node[int(key)]
        elif isinstance(node, dict) and key in node:
            node = node[key]
        else:
            return False
    return True


def _quick(schema: Node) -> _Fast | None:
    """Return the compiled validator; None if it is not installed or refuses the schema.

    It checks the schema itself, in a hundredth of the time.
    """
    try:
        from jsonschema_rs import Draft202012Validator as QuickValidator
    except ImportError:
        return None
    formats = {**FORMATS, **dict.fromkeys(UNASSERTED, _anything)}
    try:
        fast = QuickValidator(schema, formats=formats, validate_formats=True, mask="the value")
        for _, node in _subschemas(schema, ()):
            for pattern in (node.get("pattern", ""), *node.get("patternProperties", ())):
                re.compile(pattern)  # the other validator, which words the faults, must know it too
    except (ValueError, re.error):
        return None
    return fast


def _anything(text: str) -> bool:
    return True


def _is_json(value: object, depth: int) -> bool:
    kind = type(value)
    if kind is str:
        return _encodes(value)  # type: ignore[arg-type]  # `kind` has told
    if kind is int or kind is bool or value is None:
        return True
    if kind is float:
        return math.isfinite(value)  # type: ignore[arg-type]  # `kind` has told
    if depth == 0:
        return False
    if isinstance(value, dict):
        return all(
            type(key) is str and _encodes(key) and _is_json(item, depth - 1)
            for key, item in value.items()
        )
    if isinstance(value, list):
        return all(_is_json(item, depth - 1) for item in value)
    return isinstance(value, str | int)


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
        return f"Expected a finite number, got {value}"
    if isinstance(value, str):
        return "Expected valid Unicode text, got half a surrogate pair"
    return f"Expected a JSON value, got {json_type(value)}"
