"""One sentence for each keyword of a schema that a value does not fit."""

import json
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import Any, Final

from jsonschema import ValidationError

from .patterns import Pattern
from .redact import printable, redact_text

_LONGEST: Final = 60  # characters of one quoted name or value
_LONGEST_LIST: Final = 20  # values that are listed
_LONGEST_PATTERN: Final = 150
_LONGEST_GUESSED: Final = 100  # characters of a name that may be a misspelt one

_JSON_TYPES: Final = (
    (bool, "boolean"),
    (str, "string"),
    (int, "integer"),
    (float, "number"),
    (list, "array"),
    (dict, "object"),
)


def sentence(error: ValidationError, *, quoting: bool = False, guessing: bool = True) -> str:
    """Say what does not fit.

    Args:
        quoting: The value may be shown, so far as it is no secret.
        guessing: What may have been meant is looked for, which takes a while.
    """
    wanted: Any = error.validator_value
    match error.validator:
        case "type":
            kinds = " or ".join(wanted_kinds(error))
            return f"Expected {kinds}, got {found_kind(error.instance, quoting=quoting)}"
        case "enum":
            return _one_of(wanted, error.instance if guessing else None)
        case "not":
            return _not(wanted)
        case keyword:
            word = _SENTENCES.get(str(keyword))
            return word(wanted) if word else f"Does not fit the schema's {keyword}"


def wanted_kinds(error: ValidationError) -> list[str]:
    """Return the types that a `type` allows."""
    wanted: Any = error.validator_value
    return [wanted] if isinstance(wanted, str) else list(wanted)


def found_kind(value: object, *, quoting: bool) -> str:
    """Name the type of a value, and the value itself if it is short, plain and no secret."""
    kind = json_type(value)
    if not quoting or value is None or isinstance(value, list | dict):
        return kind
    if isinstance(value, str):
        shown = cut(value)
        return f'{kind} "{printable(shown)}"' if redact_text(value[:1000]) == value[:1000] else kind
    return f"{kind} {cut(in_json(value))}"


def json_type(value: object) -> str:
    """Name the JSON type of a value."""
    for kind, name in _JSON_TYPES:
        if isinstance(value, kind):
            return name
    return "null" if value is None else "something that JSON cannot hold"


def near_name(name: str, known: Iterable[str]) -> str:
    """Return what to say of an unknown name: the known one that was meant, or all of them."""
    names = list(known)
    folded = {_folded(one): one for one in reversed(names)}
    near = get_close_matches(_folded(name), folded, n=1) if len(name) <= _LONGEST_GUESSED else []
    if near:
        return f"; did you mean {in_json(folded[near[0]])}?"
    return f"; fields left to give: {_listed(names)}" if names else ""


def in_json(value: object) -> str:
    """Return a value of a schema as JSON on one line; whole floats without their fraction."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    return printable(json.dumps(value, ensure_ascii=False))


def cut(text: str, longest: int = _LONGEST) -> str:
    """Return `text`, or its beginning and an ellipsis."""
    return text if len(text) <= longest else f"{text[: longest - 3]}..."


def _folded(name: str) -> str:
    return "".join(filter(str.isalnum, name)).lower() or name


def _listed(values: list[Any]) -> str:
    told = ", ".join(cut(in_json(value)) for value in values[:_LONGEST_LIST])
    return told if len(values) <= _LONGEST_LIST else f"{told}, ... ({len(values)} in all)"


def _one_of(values: list[Any], found: object) -> str:
    if len(values) <= _LONGEST_LIST or not isinstance(found, str) or len(found) > _LONGEST_GUESSED:
        return f"Value must be one of: {_listed(values)}"
    texts = [value for value in values if isinstance(value, str)]
    near = get_close_matches(found, texts, n=3)
    if not near:
        return f"Value must be one of: {_listed(values)}"
    return f"Value must be one of {len(values)}; near ones: {_listed(near)}"


def _not(schema: Any) -> str:
    if isinstance(schema, dict) and len(schema) <= 1:
        match schema:
            case {} if not schema:
                return "Not allowed"
            case {"const": value}:
                return f"Value must not be {cut(in_json(value))}"
            case {"enum": values}:
                return f"Value must be none of: {_listed(values)}"
            case {"type": kinds}:
                return f"Must not be {kinds if isinstance(kinds, str) else ' or '.join(kinds)}"
            case {"required": [_, _, *_] as names}:
                return f"Not allowed together: {_listed(names)}"
    return "Has a form that is not allowed"


def _bounded(text: str) -> Callable[[Any], str]:
    return lambda bound: text.format(cut(in_json(bound)))


def _pattern(pattern: Any) -> str:
    written = pattern.written if isinstance(pattern, Pattern) else str(pattern)
    return f"Must match the pattern {cut(printable(written), _LONGEST_PATTERN)}"


_SENTENCES: Final[dict[str, Callable[[Any], str]]] = {
    "const": _bounded("Value must be {}"),
    "minLength": _bounded("String too short (min: {})"),
    "maxLength": _bounded("String too long (max: {})"),
    "minimum": _bounded("Value too small (min: {})"),
    "maximum": _bounded("Value too large (max: {})"),
    "exclusiveMinimum": _bounded("Value must be above {}"),
    "exclusiveMaximum": _bounded("Value must be below {}"),
    "multipleOf": _bounded("Value must be a multiple of {}"),
    "minItems": _bounded("Too few items (min: {})"),
    "maxItems": _bounded("Too many items (max: {})"),
    "contains": lambda _: "No item has the form that one must have",
    "minContains": _bounded("Too few items of the form that some must have (min: {})"),
    "maxContains": _bounded("Too many items of the form that some must have (max: {})"),
    "items": lambda _: "Holds items that are not allowed",
    "unevaluatedItems": lambda _: "Holds items that are not allowed",
    "uniqueItems": lambda _: "Items must differ from each other",
    "minProperties": _bounded("Too few fields (min: {})"),
    "maxProperties": _bounded("Too many fields (max: {})"),
    "pattern": _pattern,
    "format": lambda name: f"Not a valid {name}",
}
