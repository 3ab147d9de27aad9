"""Makes the Python tool that an author would write for a signature in the neutral notation."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import make_dataclass
from datetime import datetime
from enum import Enum
from functools import reduce
from operator import or_
from typing import Annotated, Any, Final, Literal

from comal_runtime import Param, ToolContext, tool
from tests.vectors.areas.signatures import NO_DEFAULT, EnumCase, Parameter, Signature

CONTEXT: Final = "<ToolContext>"

_TYPES: Final[dict[str, Any]] = {
    "string": str,
    "int": int,
    "float": float,
    "bool": bool,
    "array": list,
    "mixed": Any,
    "object": dict,
    "iterable": list,
    "callable": Callable[..., object],
    "false": Literal[False],
    "true": Literal[True],
    "null": None,
    "ToolContext": ToolContext,
}
_SAYS: Final = {"requiredProperties": "required_properties"}
_OPTIONS: Final = {"outputSchema": "output_schema", "requiresConfirmation": "confirm"}


def python_tool(signature: Signature, name: str, description: str | None) -> Callable[..., Any]:
    """Return a decorated function that answers with what it received.

    Raises:
        TypeError, BadDeclaration: The author's words are none that Python or `@tool` knows.
    """
    parameters = [_parameter(one) for one in signature.parameters]

    async def body(**given: Any) -> dict[str, Any]:
        bound = inspect.Signature(parameters).bind(**given)
        bound.apply_defaults()
        return {"received": [_shown(value) for value in bound.arguments.values()]}

    body.__name__ = name
    body.__doc__ = description
    body.__annotations__ = {
        one.name: one.annotation for one in parameters if one.annotation is not one.empty
    }
    setattr(body, "__signature__", inspect.Signature(parameters))  # noqa: B010 - mypy knows no such
    options = {_OPTIONS.get(key, key): value for key, value in signature.options.items()}
    return tool(**options)(body)


def is_map(parameter: Parameter) -> bool:
    """Tell whether an author would write `dict` where the original writes `array`."""
    says, default = parameter.says, parameter.default
    return says.get("type") == "object" or "properties" in says or isinstance(default, dict)


def _parameter(written: Parameter) -> inspect.Parameter:
    default: Any = inspect.Parameter.empty if written.default is NO_DEFAULT else written.default
    enum = _enum_of(written)
    if isinstance(default, EnumCase) and enum is not None:
        default = enum[default.case]
    if written.is_variadic:
        default = []
    return inspect.Parameter(
        written.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=_annotation(written, enum),
    )


def _annotation(written: Parameter, enum: type[Enum] | None) -> Any:
    if not written.types:
        hint: Any = inspect.Parameter.empty if written.said is None else Any
    else:
        hints = [_hint(name, written, enum) for name in written.types]
        hint = Any if Any in hints else reduce(or_, hints)
    if written.is_variadic:
        hint = list[hint]
    if written.said is None:
        return hint
    says = {_SAYS.get(key, key): value for key, value in written.says.items()}
    if "clamp" in says:
        says["clamp"] = tuple(says["clamp"])
    return Annotated[hint, Param(**says)]


def _hint(name: str, written: Parameter, enum: type[Enum] | None) -> Any:
    if name == "array":
        return dict if is_map(written) else list
    if name in _TYPES:
        return _TYPES[name]
    if enum is not None:
        return enum
    return datetime if name.startswith("DateTime") else make_dataclass(name, [])


def _enum_of(written: Parameter) -> type[Enum] | None:
    values = written.enum_values
    name = next((name for name in written.types if name not in _TYPES), "Choice")
    if not values:
        return None
    make: Any = Enum  # called with names, it makes a class
    made: type[Enum] = make(name, list(values.items()))
    return made


def _shown(value: object) -> Any:
    """Show a received value as JSON, as the vectors do."""
    if isinstance(value, ToolContext):
        return CONTEXT
    if isinstance(value, Enum):
        return {"__enum": value.name}
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, Mapping):
        return {key: _shown(inner) for key, inner in value.items()}
    return [_shown(inner) for inner in value] if isinstance(value, list) else value
