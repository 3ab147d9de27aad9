"""What lines 2 to 8 of the contract make of a signature, and where that is not the original's.

Schemas stand in the original's form here: `nullable: true` for a type or null.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from tests.vectors.areas import schema_rules
from tests.vectors.areas.python_tools import CONTEXT, is_map
from tests.vectors.areas.signatures import NO_DEFAULT, EnumCase, Parameter, Signature

_TYPES: Final[dict[str, dict[str, Any]]] = {
    "string": {"type": "string"},
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "bool": {"type": "boolean"},
    "array": {"type": "array"},
    "iterable": {"type": "array"},
    "object": {"type": "object"},
    "mixed": {},
    "false": {"type": "boolean", "enum": [False]},
    "true": {"type": "boolean", "enum": [True]},
}
_SIMPLE: Final = frozenset({"string", "int", "float", "bool", "array", "null"})

Schema = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trait:
    """Something in a signature that the original treats otherwise, and the line that decides."""

    line: str
    why: str
    holds: Callable[[Parameter], bool]


def _is_simple(one: Parameter) -> bool:
    named = [name for name in one.types if name != "null"]
    return len(named) == 1 and set(one.types) <= _SIMPLE


TRAITS: Final[tuple[Trait, ...]] = (
    Trait(
        line="8",
        why="the context is injected and never in the schema",
        holds=lambda one: one.is_context,
    ),
    Trait(
        line="faults 6",
        why="a variadic is an optional list",
        holds=lambda one: one.is_variadic,
    ),
    Trait(
        line="6",
        why="every type has a schema of its own, none is just a string",
        holds=lambda one: not _is_simple(one),
    ),
    Trait(
        line="2",
        why="a clamp is told in the description and brings values in",
        holds=lambda one: "clamp" in one.says,
    ),
    Trait(
        line="7",
        why="what has properties is an object",
        holds=lambda one: is_map(one) and one.says.get("type") != "object",
    ),
    Trait(
        line="faults 6",
        why="a description of 0 is one",
        holds=lambda one: one.says.get("description") == "0",
    ),
)


def trait_of(signature: Signature) -> Trait | None:
    """Return the first trait that takes a signature away from the recorded schema."""
    found = (trait for trait in TRAITS if any(trait.holds(one) for one in signature.parameters))
    return next(found, None)


def refusal_of(signature: Signature) -> Trait | None:
    """Return why a declaration is refused, where the original ignores what it cannot use."""
    found = (trait for trait in _REFUSALS if any(trait.holds(one) for one in signature.parameters))
    return next(found, None)


_REFUSALS: Final[tuple[Trait, ...]] = (
    Trait(
        line="faults 6",
        why="a Param takes no default, which nobody would read",
        holds=lambda one: "default" in one.says,
    ),
    Trait(
        line="faults 6",
        why="a clamp has exactly two ends",
        holds=lambda one: "clamp" in one.says and len(one.says["clamp"]) != 2,
    ),
    Trait(
        line="6",
        why="a callable has no JSON form",
        holds=lambda one: "callable" in one.types,
    ),
)


def schema_of(signature: Signature) -> Schema:
    """Return the schema of a signature's arguments."""
    taken = [one for one in signature.parameters if not one.is_context]
    schema: Schema = {"type": "object", "properties": {one.name: _property(one) for one in taken}}
    required = [one.name for one in taken if not one.has_default or one.says.get("required")]
    return {**schema, "required": required} if required else schema


def clamps_of(signature: Signature) -> dict[str, dict[str, float]]:
    """Return the bounds by argument; a tool's own win over a parameter's."""
    own = {
        one.name: _bounds(one.says["clamp"]) for one in signature.parameters if "clamp" in one.says
    }
    return {**own, **signature.options.get("clamps", {})}


def answer_of(signature: Signature, args: dict[str, Any]) -> dict[str, Any]:
    """Return what a call gives: the arguments that are received, or that validation refuses."""
    if not schema_rules.allows(schema_of(signature), args):
        return {"success": False, "code": "VALIDATION_ERROR"}
    clamps = clamps_of(signature)
    received = [_received(one, args, clamps.get(one.name, {})) for one in signature.parameters]
    return {"success": True, "received": received, "code": None}


def _property(one: Parameter) -> Schema:
    says = one.says
    forms = [_form(name, one) for name in one.types if name != "null"]
    schema: Schema = forms[0] if len(forms) == 1 else {"anyOf": forms} if forms else {}
    if one.is_variadic:
        schema = {"type": "array", "items": schema}
    if "type" in says and says["type"] != schema.get("type"):
        schema = {"type": says["type"]}
    if "properties" in says or "requiredProperties" in says:
        schema = {
            **schema,
            "properties": says.get("properties", {}),
            "required": says.get("requiredProperties", []),
        }
    told = {key: says[key] for key in ("description", "enum") if says.get(key) not in (None, "")}
    schema = {**schema, **told}
    if one.is_nullable and forms != [{}]:
        schema["nullable"] = True
    return {**schema, "default": _default(one)} if one.has_default else schema


def _form(name: str, one: Parameter) -> Schema:
    if name == "array" and is_map(one):
        return {"type": "object"}
    if name in _TYPES:
        return dict(_TYPES[name])
    if one.enum_values:
        values = list(one.enum_values.values())
        kind = "integer" if all(isinstance(value, int) for value in values) else "string"
        return {"type": kind, "enum": values}
    if name.startswith("DateTime"):
        return {"type": "string", "format": "date-time"}
    return {"type": "object", "properties": {}}


def _default(one: Parameter) -> Any:
    if one.is_variadic:
        return []
    return one.enum_values[one.default.case] if isinstance(one.default, EnumCase) else one.default


def _bounds(clamp: list[float | None]) -> dict[str, float]:
    ends = zip(("min", "max"), clamp, strict=True)
    return {end: number for end, number in ends if number is not None}


def _received(one: Parameter, args: dict[str, Any], bounds: dict[str, float]) -> Any:
    if one.is_context:
        return CONTEXT
    value = args.get(one.name, NO_DEFAULT)
    if value is NO_DEFAULT:
        value = _default(one)
    if type(value) in (int, float):
        value = max(value, bounds.get("min", value))
        value = min(value, bounds.get("max", value))
    cases = [case for case, known in one.enum_values.items() if known == value]
    return {"__enum": cases[0]} if cases else value
