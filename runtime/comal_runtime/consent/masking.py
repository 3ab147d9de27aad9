"""Which arguments a card hides: those the tool's own schema names as secrets, and no others.

What the caller may name freely is shown, however it is called: a name is no reason to approve
something unseen. A tool that declares no argument at all leaves nothing but names to go by.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from ..redact import is_sensitive

Node = Mapping[str, Any]

MASK: Final = "••••"


def masked_pointers(schema: Node, arguments: object) -> tuple[str, ...]:
    """Return the JSON pointers (RFC 6901) of the values in `arguments` that a card hides."""
    hidden = set(_below(schema, schema, arguments, ""))
    if isinstance(arguments, Mapping) and not _declares(schema):
        hidden |= {_pointer("", name) for name in map(str, arguments) if is_sensitive(name)}
    return tuple(sorted(hidden))


def holds_masked(name: str, pointers: Collection[str]) -> bool:
    """Tell whether the argument of this name, or anything in it, is among what a card hides."""
    here = _pointer("", name)
    return any(one == here or one.startswith(f"{here}/") for one in pointers)


def with_masks(value: object, pointers: Collection[str], here: str = "") -> object:
    """Return a copy of JSON-shaped `value` in which the values at `pointers` are masked."""
    if here in pointers:
        return MASK
    if isinstance(value, Mapping):
        return {k: with_masks(v, pointers, _pointer(here, str(k))) for k, v in value.items()}
    if isinstance(value, list):
        return [with_masks(v, pointers, f"{here}/{at}") for at, v in enumerate(value)]
    return value


def _declares(schema: Node) -> bool:
    return any(shape.get("properties") for shape in _shapes(schema, schema))


def _pointer(here: str, name: str) -> str:
    return f"{here}/{name.replace('~', '~0').replace('/', '~1')}"


def _below(schema: Node, root: Node, value: object, here: str) -> Iterator[str]:
    for shape in _shapes(schema, root):
        if isinstance(value, Mapping):
            properties = shape.get("properties", {})
            for name, inner in value.items():
                pointer = _pointer(here, str(name))
                if name in properties and is_sensitive(str(name)):
                    yield pointer
                elif isinstance(properties.get(name), Mapping):
                    yield from _below(properties[name], root, inner, pointer)
        elif isinstance(value, list) and isinstance(shape.get("items"), Mapping):
            for at, inner in enumerate(value):
                yield from _below(shape["items"], root, inner, f"{here}/{at}")


def _shapes(schema: Node, root: Node, depth: int = 8) -> Iterator[Node]:
    """Yield a schema and what it refers to or combines."""
    yield schema
    if depth == 0:
        return
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#/"):
        target: Any = root
        for part in reference[2:].split("/"):
            target = target.get(part, {}) if isinstance(target, Mapping) else {}
        if isinstance(target, Mapping):
            yield from _shapes(target, root, depth - 1)
    for word in ("anyOf", "oneOf", "allOf"):
        for inner in schema.get(word, ()):
            if isinstance(inner, Mapping):
                yield from _shapes(inner, root, depth - 1)
