"""Words what is wrong with a value: one sentence and one place for every fault."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from jsonschema import ValidationError

from .redact import printable

Path = Sequence[str | int]

_RANK: Final = {"required": 0, "dependentRequired": 0, "additionalProperties": 2}
"""Missing fields are told first, unknown ones last, the rest in the schema's order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What is wrong at one place; `pointer` is RFC 6901, the empty text for the whole value."""

    pointer: str
    message: str


def fault(path: Path, text: str) -> Fault:
    """Make the fault of one place: its dotted path, then what is wrong there."""
    place = dotted(path)
    return Fault(pointer=pointer(path), message=f"{place}: {text}" if place else text)


def pointer(path: Path) -> str:
    """Return the JSON pointer of a path. Source: RFC 6901, section 3."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


def dotted(path: Path) -> str:
    """Return a path for people: `user.tags[0]`."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            text += f".{printable(step)}" if text else printable(step)
    return text


def worded(errors: Iterable[ValidationError]) -> tuple[Fault, ...]:
    """Word every error once, in a stable order."""
    ranked = sorted(errors, key=lambda error: _RANK.get(str(error.validator), 1))
    return tuple(dict.fromkeys(found for error in ranked for found in _faults_of(error)))


def json_type(value: object) -> str:
    """Name the JSON type of a value; what JSON lacks by its Python name."""
    for kind, name in _JSON_TYPES:
        if isinstance(value, kind):
            return name
    return "null" if value is None else type(value).__name__


_JSON_TYPES: Final = (
    (bool, "boolean"),
    (str, "string"),
    (int, "integer"),
    (float, "number"),
    (list, "array"),
    (dict, "object"),
)


def _faults_of(error: ValidationError) -> Iterator[Fault]:
    path = tuple(error.absolute_path)
    match error.validator:
        case "required":
            yield from _missing(path, _wanted(error), _found(error))
        case "dependentRequired":
            for name, needed in _wanted(error).items():
                if name in _found(error):
                    yield from _missing(path, needed, _found(error))
        case "additionalProperties":
            for name in _unknown(error):
                place = (*path, name)
                yield Fault(pointer=pointer(place), message=f"Unknown property: {dotted(place)}")
        case "anyOf" | "oneOf":
            yield from _choice(path, error)
        case _:
            yield fault(path, _sentence(error))


def _missing(path: Path, names: Iterable[str], instance: dict[str, Any]) -> Iterator[Fault]:
    for name in names:
        if name not in instance:
            place = (*path, name)
            yield Fault(pointer=pointer(place), message=f"Missing required field: {dotted(place)}")


def _unknown(error: ValidationError) -> Iterator[str]:
    schema = error.schema if isinstance(error.schema, dict) else {}
    patterns = schema.get("patternProperties", {})
    for name in _found(error):
        if name not in schema.get("properties", {}) and not any(
            re.search(pattern, name) for pattern in patterns
        ):
            yield name


def _choice(path: Path, error: ValidationError) -> Iterator[Fault]:
    """Word a value that fits none of several forms by the one form it was meant to have."""
    forms = _forms(error.context or ())
    if not forms:
        yield fault(path, "Fits more than one of the allowed forms")
        return
    near = [form for form in forms if not any(map(_wrong_kind, form))]
    meant = [form for form in near if not any(nested.validator == "const" for nested in form)]
    if len(near) == 1 or len(meant) == 1:
        yield from worded((near if len(near) == 1 else meant)[0])
    elif near:
        yield fault(path, f"Fits none of the {len(forms)} allowed forms")
    else:
        kinds = dict.fromkeys(kind for form in forms for kind in _kinds(form))
        yield fault(path, f"Expected {' or '.join(kinds)}, got {json_type(error.instance)}")


def _forms(context: Iterable[ValidationError]) -> list[list[ValidationError]]:
    forms: dict[str | int, list[ValidationError]] = {}
    for error in context:
        forms.setdefault(error.relative_schema_path[0], []).append(error)
    return list(forms.values())


def _wrong_kind(error: ValidationError) -> bool:
    return error.validator == "type" and not error.relative_path


def _kinds(form: Iterable[ValidationError]) -> Iterator[str]:
    for error in form:
        if _wrong_kind(error):
            yield from _listed(_wanted(error))


def _listed(kinds: str | list[str]) -> list[str]:
    return [kinds] if isinstance(kinds, str) else kinds


def _sentence(error: ValidationError) -> str:
    wanted = _wanted(error)
    if error.validator == "type":
        return f"Expected {' or '.join(_listed(wanted))}, got {json_type(error.instance)}"
    if error.validator is None:
        return "Not allowed"
    keyword = str(error.validator)
    word = _SENTENCES.get(keyword)
    return word(wanted) if word else f"Does not fit the schema's {keyword}"


def _wanted(error: ValidationError) -> Any:
    """Return the keyword's value in the schema."""
    return error.validator_value


def _found(error: ValidationError) -> Any:
    """Return the part of the value that does not fit."""
    return error.instance


def _json(value: object) -> str:
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    return json.dumps(value, ensure_ascii=False)


_SENTENCES: Final[dict[str, Callable[[Any], str]]] = {
    "enum": lambda values: f"Value must be one of: {', '.join(map(_json, values))}",
    "const": lambda value: f"Value must be {_json(value)}",
    "minLength": lambda bound: f"String too short (min: {_json(bound)})",
    "maxLength": lambda bound: f"String too long (max: {_json(bound)})",
    "minimum": lambda bound: f"Value too small (min: {_json(bound)})",
    "maximum": lambda bound: f"Value too large (max: {_json(bound)})",
    "exclusiveMinimum": lambda bound: f"Value must be above {_json(bound)}",
    "exclusiveMaximum": lambda bound: f"Value must be below {_json(bound)}",
    "multipleOf": lambda step: f"Value must be a multiple of {_json(step)}",
    "minItems": lambda bound: f"Too few items (min: {_json(bound)})",
    "maxItems": lambda bound: f"Too many items (max: {_json(bound)})",
    "uniqueItems": lambda _: "Items must differ from each other",
    "minProperties": lambda bound: f"Too few fields (min: {_json(bound)})",
    "maxProperties": lambda bound: f"Too many fields (max: {_json(bound)})",
    "pattern": lambda pattern: f"Must match the pattern {pattern}",
    "format": lambda name: f"Not a valid {name}",
}
