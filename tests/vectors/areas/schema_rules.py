"""Where a schema or a value leaves the part of JSON Schema that the original knows.

There the contract's draft 2020-12 decides, as the reference implementation reads it, with the
formats that the runtime asserts.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from jsonschema import Draft202012Validator, SchemaError, ValidationError

from comal_runtime.formats import format_checker
from tests.vectors.values import same

_TYPES: Final = ("string", "integer", "number", "boolean", "array", "object")
_KNOWN: Final = frozenset(
    {"type", "enum", "minLength", "maxLength", "minimum", "maximum"}
    | {"description", "title", "default", "examples", "nullable"}
)
_KNOWN_AT_THE_ROOT: Final = frozenset(
    {"type", "properties", "required", "additionalProperties", "description", "title"}
)

_NUMERIC: Final = re.compile(
    r"[ \t\n\r\v\f]*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?[ \t\n\r\v\f]*\Z", re.ASCII
)
"""A text that the original takes for a number. Source: PHP manual, numeric strings."""

Schema = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A kind of difference: the line that decides it, its reason, and whether a row has it.

    `corrects` is the original's verdict that it explains, `into` the right one; any, if empty.
    """

    line: str
    why: str
    holds: Callable[[Schema, Any], bool]
    corrects: str = ""
    into: str = ""


def rule_for(schema: Schema, args: Any, verdict: str = "", right: str = "") -> Rule | None:
    """Return the first rule that explains why the right verdict is not the original's.

    Without a verdict of the original, which may have raised, whatever has to do with the row.
    """
    for rule in RULES:
        explains = rule.corrects in ("", verdict) and rule.into in ("", right)
        if (explains or not verdict) and rule.holds(schema, args):
            return rule
    return None


def is_refused(schema: Schema) -> bool:
    """Tell whether a schema is not valid draft 2020-12, or refers to nothing."""
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError:
        return True
    return any(_leads_nowhere(schema, ref) for ref in _refs(schema))


def allows(schema: Schema, args: Any) -> bool:
    """Tell whether draft 2020-12 lets the arguments through, `nullable: true` meaning or-null."""
    return not broken_places(schema, args)


def broken_places(schema: Schema, args: Any) -> frozenset[tuple[str, str]]:
    """Return each place that does not fit, with the keyword of the schema that says so."""
    if not isinstance(args, dict):
        return frozenset({("", "no object")})
    validator = Draft202012Validator(_without_nullable(schema), format_checker=format_checker())
    return frozenset(pair for error in validator.iter_errors(args) for pair in _broken(error))


def _broken(error: ValidationError) -> Iterator[tuple[str, str]]:
    keyword, place = str(error.validator), [str(step) for step in error.absolute_path]
    names: Iterable[str] = ()
    if keyword == "required":
        names = (name for name in _listed(error.validator_value) if name not in error.instance)
    elif keyword == "additionalProperties":
        names = error.instance.keys() - _keys(error.schema)
    else:
        yield "/".join(place), keyword
    yield from (("/".join([*place, name]), keyword) for name in names)


def _listed(names: Any) -> Iterable[str]:
    return names if isinstance(names, list) else ()


def _keys(schema: Any) -> Iterable[str]:
    return schema.get("properties", {}) if isinstance(schema, Mapping) else ()


def _without_nullable(node: Any) -> Any:
    if isinstance(node, list):
        return [_without_nullable(item) for item in node]
    if not isinstance(node, Mapping):
        return node
    plain = {key: _without_nullable(item) for key, item in node.items()}
    if plain.get("nullable") is True and plain.pop("nullable"):
        return {"anyOf": [plain, {"type": "null"}]}
    return plain


def _refs(node: Any) -> Iterator[str]:
    if isinstance(node, list):
        for item in node:
            yield from _refs(item)
    if isinstance(node, Mapping):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        for item in node.values():
            yield from _refs(item)


def _leads_nowhere(schema: Schema, ref: str) -> bool:
    if not ref.startswith("#"):
        return True
    node: Any = schema
    for step in ref[1:].split("/")[1:]:
        if not isinstance(node, Mapping) or step not in node:
            return True
        node = node[step]
    return False


def _met(schema: Schema, args: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each described property that the arguments hold, with its value."""
    properties = schema.get("properties")
    for name, described in properties.items() if isinstance(properties, Mapping) else ():
        if isinstance(args, dict) and name in args and isinstance(described, Mapping):
            yield described, args[name]


def _any_met(holds: Callable[[Any, Any], bool]) -> Callable[[Schema, Any], bool]:
    return lambda schema, args: any(holds(*pair) for pair in _met(schema, args))


def _other_keyword(schema: Schema, _args: Any) -> bool:
    properties = schema.get("properties")
    described = list(properties.values()) if isinstance(properties, Mapping) else []
    return (
        not schema.keys() <= _KNOWN_AT_THE_ROOT
        or schema.get("additionalProperties", False) not in (False, True)
        or schema.get("type", "object") != "object"
        or any(_has_other_keyword(one) for one in described)
    )


def _has_other_keyword(described: Any) -> bool:
    if not isinstance(described, Mapping):
        return True
    return not described.keys() <= _KNOWN or described.get("type", "string") not in _TYPES


def _numeric_string(described: Any, value: Any) -> bool:
    """Tell whether the original compares a text as a number."""
    ranged = described.get("type") == "number" or {"minimum", "maximum"} & described.keys()
    return bool(ranged) and isinstance(value, str) and bool(_NUMERIC.match(value))


def _whole_float(described: Any, value: Any) -> bool:
    return described.get("type") == "integer" and isinstance(value, float) and value.is_integer()


def _list_or_map(described: Any, value: Any) -> bool:
    """The original has one type for both; empty ones and keys 0..n could be either."""
    empty: tuple[Any, ...] = ([], {})
    if value in empty and any(member in empty for member in _members(described)):
        return True
    if isinstance(value, dict) and list(value) == [str(at) for at in range(len(value))]:
        return described.get("type") in ("array", "object")
    return value == [] and described.get("type") == "object"


def _members(described: Any) -> list[Any]:
    members = described.get("enum", [])
    return members if isinstance(members, list) else []


def _equal_member(described: Any, value: Any) -> bool:
    return any(same(member, value) for member in _members(described))


def _nullable(described: Any, value: Any) -> bool:
    return value is None and described.get("nullable") is True


RULES: Final[tuple[Rule, ...]] = (
    Rule(
        line="9",
        why="a schema that is not valid draft 2020-12 is refused at registration",
        holds=lambda schema, args: is_refused(schema),
    ),
    Rule(
        line="14",
        why="arguments are an object",
        holds=lambda schema, args: not isinstance(args, dict),
    ),
    Rule(
        line="14",
        why="an empty schema takes every object",
        holds=lambda schema, args: not schema,
    ),
    Rule(
        line="25",
        why="the token travels beside the arguments and is no property",
        holds=lambda schema, args: "confirm_token" in args,
        corrects="invalid",
    ),
    Rule(
        line="14",
        why="a property may have a number for its name",
        holds=lambda schema, args: any(name.isdecimal() for name in args),
    ),
    Rule(
        line="14",
        why='"7" is not a number',
        holds=_any_met(_numeric_string),
    ),
    Rule(
        line="14",
        why="7.0 is an integer",
        holds=_any_met(_whole_float),
        corrects="invalid",
    ),
    Rule(line="14", why="an array is no object", holds=_any_met(_list_or_map)),
    Rule(
        line="14",
        why="members are equal as JSON values are",
        holds=_any_met(_equal_member),
        corrects="invalid",
    ),
    Rule(
        line="faults 5",
        why="`nullable` is not ignored",
        holds=_any_met(_nullable),
        corrects="invalid",
    ),
    Rule(
        line="14",
        why="the full draft 2020-12, nested too",
        holds=_other_keyword,
        into="invalid",
    ),
)
