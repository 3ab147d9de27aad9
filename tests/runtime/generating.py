"""Schemas of every keyword of draft 2020-12, and values that lie near their edges."""

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

Made = st.SearchStrategy[Any]

NAMES = ("a", "b", "é", "x_1", "")
NUMBERS = (0, 1, -1, 2, 3, 7, 100, 1.0, 0.5, 1.5, -0.0, 0.1, 0.3, 0.01, 0.07, 4.35, 19.99)
HUGE = (1e10, 1e-7, 2**53, 2**53 + 1, 2.0**53, 2**63, 2**64, 10**22, 10**400, 1e22, 1e300, 5e-324)
TEXTS = ("", "a", "b", "ab", "aab", "é", "e\u0301", "\U0001f600", "a\n", "7", "A b", "\u0663")
PLACES = ("\u2028", "\ufeff", "\x1c", "a-b_c", "2026-01-31", "x@y.z", "::1", "P1D", "1e5")
TYPES = ("string", "integer", "number", "boolean", "null", "array", "object")
FORMATS = ("date", "date-time", "time", "uuid", "email", "ipv4", "ipv6", "uri", "duration")
HINTS = ("decimal", "hostname", "regex", "json-pointer", "idn-email", "unheard-of")
ODD_PATTERNS = (
    "\\<a",
    "(?i)A",
    "(?=a)",
    "(a)\\1",
    "(?<n>a)",
    "[[]",
    "[]a]",
    "\\Aa",
    "(?s).",
    "a{,2}",
)
PIECES = ("a", "b", "é", ".", "\\d", "\\D", "\\w", "\\W", "\\s", "\\S", "[a-z]", "[^a]", "[\\w-]")
CLASSES = (
    "[^\\s]",
    "[\\S7]",
    "[^\\W_]",
    "\\-",
    "\\u0061",
    "(?:ab)",
    "(a|b)",
    "[\\d-z]",
    "\\b",
    "_",
)
COUNTS = ("", "", "", "*", "+", "?", "+?", "{1,2}", "{2}", "{0,}")

leaves: Made = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from((*NUMBERS, *HUGE)),
    st.sampled_from((*TEXTS, *PLACES)),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=3),
)
values: Made = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.sampled_from(NAMES), inner, max_size=4)
    ),
    max_leaves=6,
)

_counted = st.tuples(st.sampled_from((*PIECES, *CLASSES)), st.sampled_from(COUNTS)).map("".join)
_repeatable = _counted.filter(lambda piece: not piece.startswith("\\b") or piece == "\\b")
plain_patterns: Made = st.builds(
    "{}{}{}".format,
    st.sampled_from(("", "^")),
    st.lists(_repeatable, min_size=1, max_size=3).map("".join),
    st.sampled_from(("", "$")),
)
patterns: Made = st.one_of(plain_patterns, plain_patterns, st.sampled_from(ODD_PATTERNS))

_numbers = st.sampled_from((*NUMBERS, *HUGE))
_few = st.integers(0, 3)
_names = st.lists(st.sampled_from(NAMES), unique=True, max_size=3)
_types = st.sampled_from(TYPES)

SIMPLE: Mapping[str, Made] = {
    "type": st.one_of(_types, st.lists(_types, min_size=1, max_size=3, unique=True)),
    "enum": st.lists(values, min_size=1, max_size=3),
    "const": values,
    "multipleOf": _numbers.filter(lambda number: number > 0),
    "pattern": patterns,
    "format": st.sampled_from((*FORMATS, *HINTS)),
    "uniqueItems": st.booleans(),
    "required": _names,
    "dependentRequired": st.dictionaries(st.sampled_from(NAMES), _names, max_size=2),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _numbers),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems"), _few),
    **dict.fromkeys(("minProperties", "maxProperties", "minContains", "maxContains"), _few),
}
REFERENCES: Mapping[str, Made] = {
    "$ref": st.sampled_from(("#", "#/$defs/x", "#/$defs/y", "#there")),
    "$dynamicRef": st.just("#there"),
}
_ONE = (
    *("additionalProperties", "propertyNames", "unevaluatedProperties", "unevaluatedItems"),
    *("items", "contains", "not", "if", "then", "else"),
)


def schemas() -> Made:
    """Make whole schemas, two levels deep, with definitions to refer to."""
    flat = _of(SIMPLE)
    referring = _of({**SIMPLE, **REFERENCES})
    nested = _of({**SIMPLE, **_nesting(referring)})
    deep = _of({**SIMPLE, **_nesting(nested)})
    return st.builds(_whole, deep, _of({**SIMPLE, **_nesting(flat)}), flat)


def _whole(root: Any, x: Any, y: Any) -> dict[str, Any]:
    top = root if isinstance(root, dict) else {"allOf": [root]}
    anchored = {**y, "$anchor": "there"} if isinstance(y, dict) else {"$anchor": "there"}
    return {**top, "$defs": {"x": x, "y": anchored}}


def _nesting(inner: Made) -> dict[str, Made]:
    several = st.lists(inner, min_size=1, max_size=3)
    named = st.dictionaries(st.sampled_from(NAMES), inner, max_size=3)
    return {
        **dict.fromkeys(_ONE, inner),
        **dict.fromkeys(("prefixItems", "anyOf", "oneOf", "allOf"), several),
        **dict.fromkeys(("properties", "dependentSchemas"), named),
        "patternProperties": st.dictionaries(patterns, inner, max_size=2),
    }


def _of(keywords: Mapping[str, Made]) -> Made:
    chosen = st.lists(st.sampled_from(sorted(keywords)), min_size=1, max_size=5, unique=True)
    objects = chosen.flatmap(
        lambda names: st.fixed_dictionaries({name: keywords[name] for name in names})
    )
    return st.one_of(objects, objects, objects, st.booleans())
