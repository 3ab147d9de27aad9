"""One reading of JSON Schema for both validators, and the list of what they read apart."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from .patterns import Pattern, is_shared

Node = dict[str, Any]

_VALUES: Final = frozenset({"const", "enum", "default", "examples"})
_MAPS: Final = frozenset(
    {"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"}
)
_ONES: Final = frozenset({"not", "if", "then", "else", "contains", "propertyNames"})
_NOTHING: Final[Node] = {"not": {}}
"""What `false` means; jsonschema does not tell the place where it meets a `false`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """One thing that jsonschema and jsonschema-rs read apart, by an example of it.

    `fits` is our answer for `value` under `schema`, whichever of them is installed.
    """

    about: str
    schema: Mapping[str, Any]
    value: object
    fits: bool


DISAGREEMENTS: Final = (
    Disagreement(
        about="a digit is 0 to 9: ECMA-262",
        schema={"pattern": "^\\d$"},
        value="\u0663",
        fits=False,
    ),
    Disagreement(
        about="what is no digit may be a digit elsewhere: ECMA-262",
        schema={"pattern": "^\\D$"},
        value="\u0663",
        fits=True,
    ),
    Disagreement(
        about="a word's letters are a to z: ECMA-262",
        schema={"pattern": "^\\w$"},
        value="\u00e9",
        fits=False,
    ),
    Disagreement(
        about="a word's edge is at such a letter only: ECMA-262",
        schema={"pattern": "\\b"},
        value="\u00e9",
        fits=False,
    ),
    Disagreement(
        about="a byte order mark is a space: ECMA-262",
        schema={"pattern": "^\\s$"},
        value="\ufeff",
        fits=True,
    ),
    Disagreement(
        about="a file separator is no space: ECMA-262",
        schema={"pattern": "\\s"},
        value="\x1c",
        fits=False,
    ),
    Disagreement(
        about="$ is the end, not the line break before it: ECMA-262",
        schema={"pattern": "^a$"},
        value="a\n",
        fits=False,
    ),
    Disagreement(
        about="a dot is no line separator: ECMA-262",
        schema={"pattern": "^.$"},
        value="\u2028",
        fits=False,
    ),
    Disagreement(
        about="a field's name is held to a pattern in the same dialect",
        schema={"patternProperties": {"^\\w$": {}}, "additionalProperties": False},
        value={"\u00e9": 1},
        fits=False,
    ),
    Disagreement(
        about="\\< is a sign, not the beginning of a word",
        schema={"pattern": "\\<"},
        value="a",
        fits=False,
    ),
    Disagreement(
        about="multiples are counted in decimals, as they are written",
        schema={"multipleOf": 0.01},
        value=4.35,
        fits=True,
    ),
    Disagreement(
        about="a large integer is divided exactly",
        schema={"multipleOf": 0.3},
        value=10**22,
        fits=False,
    ),
    Disagreement(
        about="a large integer is divided, whatever its size",
        schema={"multipleOf": 0.5},
        value=10**400,
        fits=True,
    ),
    Disagreement(
        about="a moment without an offset is one",
        schema={"format": "date-time"},
        value="2026-01-31T09:30:00",
        fits=True,
    ),
    Disagreement(
        about="a format that is not ours is a hint",
        schema={"format": "hostname"},
        value="a b",
        fits=True,
    ),
)
"""The specification decides; where it is silent, the stricter reading."""


def subschemas(
    node: object, path: tuple[str | int, ...] = (), *, names: bool = False
) -> Iterator[tuple[tuple[str | int, ...], Node]]:
    """Yield every schema object in `node`; `names`: its keys are names, not keywords."""
    if isinstance(node, list):
        for at, item in enumerate(node):
            yield from subschemas(item, (*path, at))
    if not isinstance(node, dict):
        return
    if not names:
        yield path, node
    for key, item in node.items():
        if names or key not in _VALUES:
            yield from subschemas(item, (*path, key), names=not names and key in _MAPS)


def patterns(node: Node) -> Iterator[tuple[str, str]]:
    """Yield the patterns of one schema object, each with the keyword it stands at."""
    if isinstance(node.get("pattern"), str):
        yield "pattern", node["pattern"]
    named = node.get("patternProperties")
    if isinstance(named, dict):
        for written in named:
            yield "patternProperties", written


def is_read_alike(schema: Node) -> bool:
    """Tell whether every pattern of the schema means the same to both validators."""
    return all(
        is_shared(written) for _, node in subschemas(schema) for _, written in patterns(node)
    )


def in_python(schema: Node) -> Node:
    """Return the schema as jsonschema is to have it: patterns in `re`'s words, `false` spelt out.

    Raises:
        re.error: A pattern cannot be read.
    """
    made: Node = {}
    for key, item in schema.items():
        if key in _MAPS and isinstance(item, dict):
            made[key] = {name: _subschema(one) for name, one in item.items()}
        elif key == "pattern" and isinstance(item, str):
            made[key] = Pattern(item)
        elif key in _VALUES or (item is False and key not in _ONES):
            made[key] = item
        else:
            made[key] = _subschema(item)
    named = made.get("patternProperties")
    if isinstance(named, dict):
        made["patternProperties"] = {Pattern(name): one for name, one in named.items()}
    return made


def _subschema(node: Any) -> Any:
    if isinstance(node, list):
        return [_subschema(item) for item in node]
    if isinstance(node, dict):
        return in_python(node)
    return _NOTHING if node is False else node


def bad_pattern(schema: Node) -> tuple[tuple[str | int, ...], str] | None:
    """Return the place and the reason of the first pattern that cannot be read."""
    for path, node in subschemas(schema):
        for keyword, written in patterns(node):
            try:
                Pattern(written)
            except (re.error, OverflowError, RecursionError) as error:
                place = (*path, keyword, written) if keyword != "pattern" else (*path, keyword)
                return place, f"{written!r} is no pattern Python's `re` can read: {error}"
    return None
