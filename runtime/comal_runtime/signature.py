"""Turns a Python signature into a tool's JSON Schema, and JSON arguments into its values."""

import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, Final, get_args, get_origin

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from .callables import context_parameter, hints_of, mentions_context, parameters_of
from .context import ToolContext
from .docstrings import Described
from .errors import BadDeclaration, ToolError
from .faults import place
from .json_types import json_form
from .json_values import canonical_json
from .options import Callback, Clamps, Schema, frozen_clamps
from .result import ErrorCode
from .tools import Param

_REFUSED: Final[Mapping[object, str]] = {
    inspect.Parameter.VAR_POSITIONAL: "is *args; a call names every argument, so take a list",
    inspect.Parameter.VAR_KEYWORD: "is **kwargs; a call names every argument, so take a dict",
    inspect.Parameter.POSITIONAL_ONLY: "is positional-only; a call names every argument",
}
_RESERVED: Final = {
    "_ctx": "is what a context was once called; annotate it ToolContext, or give it another name",
    "confirm_token": "is the runtime's own; a call's token never reaches the tool",
}
_AS_GIVEN: Final = (Any, object, str, bool, dict, list)
"""Annotations whose validated JSON value is already the Python value."""

_EDGES: Final = (("from", "min"), ("to", "max"))

Convert = Callable[[Any], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One argument of a tool."""

    name: str
    hint: Any
    param: Param
    adapter: TypeAdapter[Any]
    generated: Schema
    default: object

    @property
    def is_required(self) -> bool:
        return self.param.required or self.default is inspect.Parameter.empty


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundSignature:
    """A signature's schema and clamps, and the way from JSON arguments to its keywords."""

    schema: Schema
    clamps: Clamps
    converters: tuple[tuple[str, Convert | None], ...]
    context_parameter: str | None

    def bind(self, arguments: Mapping[str, Any], ctx: ToolContext) -> dict[str, Any]:
        """Return the callback's keywords; unknown arguments are left out.

        Raises:
            ToolError: A value that fits the schema is none of its type; the code says so.
        """
        keywords: dict[str, Any] = {}
        for name, convert in self.converters:
            if name in arguments:
                value = arguments[name]
                keywords[name] = value if convert is None else _converted(name, convert, value)
        if self.context_parameter is not None:
            keywords[self.context_parameter] = ctx
        return keywords


def bound_signature(callback: Callback, clamps: Clamps, described: Described) -> BoundSignature:
    """Read a callback's signature; `clamps` are the tool's own and win over a parameter's.

    Raises:
        BadDeclaration: A parameter cannot be described in JSON, or a clamp names none.
    """
    taken = context_parameter(callback)
    parameters = _parameters(callback, taken)
    merged = _clamps(parameters, clamps)
    return BoundSignature(
        schema=_schema(parameters, merged, described),
        clamps=merged,
        converters=tuple((item.name, _converter(item)) for item in parameters),
        context_parameter=taken,
    )


def _parameters(callback: Callback, taken: str | None) -> list[Parameter]:
    hints = hints_of(callback)
    found = []
    for name, parameter in parameters_of(callback).items():
        if name == taken:
            continue
        reason = _REFUSED.get(parameter.kind) or _RESERVED.get(name)
        if reason is not None:
            raise BadDeclaration(f"parameter {name!r} {reason}")
        found.append(_parameter(name, hints.get(name, Any), parameter.default))
    return found


def _parameter(name: str, hint: Any, default: object) -> Parameter:
    if isinstance(hint, str):
        raise BadDeclaration(f"the annotation {hint!r} of parameter {name!r} names nothing known")
    if mentions_context(hint):
        raise BadDeclaration(
            f"parameter {name!r} would let a caller write a ToolContext; one parameter takes the "
            "context, annotated ToolContext alone"
        )
    if isinstance(default, FieldInfo):
        raise BadDeclaration(
            f"the default of parameter {name!r} is a Field(), which the function would receive; "
            "write Annotated[..., Field(...)] and the default itself"
        )
    adapter, generated = json_form(name, hint)
    return Parameter(
        name=name,
        hint=hint,
        param=_param_of(hint),
        adapter=adapter,
        generated=generated,
        default=default,
    )


def _param_of(hint: Any) -> Param:
    for part in (*getattr(hint, "__metadata__", ()), *get_args(hint)):
        if isinstance(part, Param):
            return part
        for inner in getattr(part, "__metadata__", ()):  # Annotated[T, Param()] | None
            if isinstance(inner, Param):
                return inner
    return Param()


def _clamps(parameters: list[Parameter], clamps: Clamps) -> Clamps:
    names = {item.name for item in parameters}
    for name in clamps:
        if name not in names:
            raise BadDeclaration(f"clamps names {name!r}, which is no parameter")
    own: dict[str, Mapping[str, float]] = {}
    for item in parameters:
        edges = zip(("min", "max"), item.param.clamp or (), strict=False)
        bounds = {edge: number for edge, number in edges if number is not None}
        if bounds:
            own[item.name] = bounds
    return frozen_clamps({**own, **clamps})


def _schema(parameters: list[Parameter], clamps: Clamps, described: Described) -> Schema:
    properties: dict[str, Any] = {}
    definitions: dict[str, Any] = {}
    for item in parameters:
        generated = dict(item.generated)
        for name, definition in generated.pop("$defs", {}).items():
            if definitions.setdefault(name, definition) != definition:
                raise BadDeclaration(f"two types are called {name!r}; rename one of them")
        text = _description(item, clamps, described)
        properties[item.name] = _property(item, generated, text)
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    required = [item.name for item in parameters if item.is_required]
    if required:
        schema["required"] = required
    if definitions:
        schema["$defs"] = definitions
    return schema


def _description(item: Parameter, clamps: Clamps, described: Described) -> str:
    text = item.param.description
    if text is None:
        text = described.parameters.get(item.name, "")
    if item.param.clamp is None:
        return text
    bounds = clamps[item.name]
    edges = [f"{word} {bounds[edge]:g}" for word, edge in _EDGES if edge in bounds]
    told = f"A number {' '.join(edges)}; one outside is brought in."
    return f"{text.rstrip('. ')}. {told}" if text else told


def _property(item: Parameter, generated: dict[str, Any], text: str) -> dict[str, Any]:
    core, nullable = _without_null(generated)
    schema = _shaped(core, item.param)
    if nullable:
        forms = schema["anyOf"] if set(schema) == {"anyOf"} else [schema]
        schema = {"anyOf": [*forms, {"type": "null"}]}
    if text:
        schema["description"] = text
    if item.default is not inspect.Parameter.empty:
        schema.update(_default(item))
    return schema


def _default(item: Parameter) -> dict[str, Any]:
    try:
        default = item.adapter.dump_python(item.default, mode="json", warnings=False)
        return {"default": json.loads(canonical_json(default))}
    except (TypeError, ValueError):  # without a JSON form it is for the function alone to know
        return {}


def _without_null(generated: dict[str, Any]) -> tuple[dict[str, Any], bool]:
    """Take the null out of `X | None`, so that what a `Param` says is said of X."""
    forms = generated.get("anyOf", [])
    others = [form for form in forms if form != {"type": "null"}]
    if len(others) == len(forms):
        return generated, False
    rest = {key: value for key, value in generated.items() if key != "anyOf"}
    return ({**others[0], **rest} if len(others) == 1 else {**rest, "anyOf": others}), True


def _shaped(core: dict[str, Any], param: Param) -> dict[str, Any]:
    """Apply what a `Param` says of type, fields and values."""
    if param.type is not None and param.type != core.get("type"):
        core = {"type": param.type, **({"items": {}} if param.type == "array" else {})}
    if param.properties is not None or param.required_properties:
        core = {
            "type": "object",
            **core,
            "properties": dict(param.properties or {}),
            "required": list(param.required_properties),
        }
    if param.enum is not None:
        values = [value.value if isinstance(value, Enum) else value for value in param.enum]
        core = {**core, "enum": values}
    return dict(core)


def _converter(item: Parameter) -> Convert | None:
    hint = item.hint
    if get_origin(hint) is Annotated and all(isinstance(part, Param) for part in hint.__metadata__):
        hint = get_args(hint)[0]
    if any(hint is plain for plain in _AS_GIVEN) and item.param.type is None:
        return None
    if hint is str:  # a Param gave it another JSON type
        return TypeAdapter(str, config=ConfigDict(coerce_numbers_to_str=True)).validate_python
    return item.adapter.validate_python


def _converted(name: str, convert: Convert, value: object) -> object:
    try:
        return convert(value)
    except ValidationError as error:
        told = "; ".join(
            f"{place((name, *found['loc']))}: {found['msg']}"
            for found in error.errors(include_url=False, include_context=False, include_input=False)
        )
        raise ToolError(told, code=ErrorCode.VALIDATION_ERROR) from error
