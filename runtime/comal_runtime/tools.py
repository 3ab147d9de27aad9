"""What a tool is, and the decorator that describes one without registering it."""

import hashlib
import inspect
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from difflib import get_close_matches
from types import MappingProxyType
from typing import (
    Any,
    Final,
    Protocol,
    TypedDict,
    TypeVar,
    Unpack,
    get_args,
    get_type_hints,
    overload,
)

from .context import ToolContext
from .errors import BadDeclaration, BadToolSchema

DECLARATION: Final = "__comal_tool__"
"""The attribute of a function that holds its `ToolDeclaration`."""

Schema = Mapping[str, Any]
"""A JSON Schema, draft 2020-12; JSON-shaped."""

Clamps = Mapping[str, Mapping[str, float]]
"""Per argument: `min`, `max` for numbers, `maxLength` (code points) for strings."""

Callback = Callable[..., object]
"""A tool's body; called with keywords, sync or async."""

Bind = Callable[[Mapping[str, Any], ToolContext], dict[str, Any]]
"""Turns validated JSON arguments into the keywords of the callback."""

_BOUNDS: Final = frozenset({"min", "max", "maxLength"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOptions:
    """How a tool may be used. `timeout` is in seconds.

    `approval` names a route, or `default`. A `consent_only` tool writes nothing but questions and
    votes, so that it opens no act of its own. `preview` describes the effect of a call beforehand,
    `reconcile` finds out afterwards whether an unknown act was applied.
    """

    scopes: tuple[str, ...] = ()
    mutating: bool = False
    confirm: bool = False
    approval: str | None = None
    clamps: Clamps = field(default_factory=dict)
    timeout: float = 30.0
    category: str | None = None
    version: str | None = None
    output_schema: Schema | None = None
    preview: Callback | None = None
    reconcile: Callback | None = None
    consent_only: bool = False

    def __post_init__(self) -> None:
        put = object.__setattr__
        if isinstance(self.scopes, str):
            raise BadDeclaration(f"scopes must be a list of names, not the text {self.scopes!r}")
        put(self, "scopes", tuple(self.scopes))
        put(self, "clamps", frozen_clamps(self.clamps or {}))
        if not 0 <= self.timeout < math.inf:
            raise BadDeclaration(f"timeout must be 0 seconds or more, not {self.timeout!r}")


class DeclaredOptions(TypedDict, total=False):
    """The keywords of `@tool`, as `ToolOptions` explains them."""

    scopes: tuple[str, ...]
    mutating: bool
    confirm: bool
    approval: str | None
    clamps: Clamps
    timeout: float
    category: str | None
    version: str | None
    output_schema: Schema | None
    preview: Callback | None
    reconcile: Callback | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDeclaration:
    """What `@tool` said about a function; None where the function itself tells."""

    name: str | None
    description: str | None
    options: ToolOptions


@dataclass(frozen=True, slots=True)
class Param:
    """What an `Annotated` parameter says about itself.

    `clamp` is (lowest, highest), None for an open end: a number outside is brought in, not
    refused. `properties` and `required_properties` shape a `dict`; `type` is a JSON type name.
    """

    description: str | None = None
    _: KW_ONLY
    enum: Sequence[Any] | None = None
    clamp: tuple[float | None, float | None] | None = None
    type: str | None = None
    properties: Mapping[str, Any] | None = None
    required_properties: Sequence[str] = ()
    required: bool = False

    def __post_init__(self) -> None:
        if self.clamp is not None and len(self.clamp) != 2:
            raise BadDeclaration(f"clamp must be (lowest, highest), not {self.clamp!r}")


def _keywords_only(arguments: Mapping[str, Any], ctx: ToolContext) -> dict[str, Any]:
    return dict(arguments)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool, ready to be registered.

    `bind(arguments, ctx)` gives the keywords for `callback`; it takes validated arguments.
    `context_parameter` names the parameter annotated `ToolContext`, if there is one.
    `definition_digest` (sha256, hex) changes with name, description, schema or version.
    """

    name: str
    description: str
    input_schema: Schema
    callback: Callback
    options: ToolOptions = field(default_factory=ToolOptions)
    bind: Bind = _keywords_only
    is_async: bool = field(init=False)
    context_parameter: str | None = field(init=False)
    definition_digest: str = field(init=False)

    def __post_init__(self) -> None:
        put = object.__setattr__
        if not self.name.strip():
            raise BadDeclaration(f"a tool's name must not be blank, found {self.name!r}")
        put(self, "input_schema", _json_copy(self.name, self.input_schema))
        put(self, "is_async", is_async(self.callback))
        put(self, "context_parameter", context_parameter(self.callback))
        if self.bind is _keywords_only and self.context_parameter is not None:
            put(self, "bind", _with_context(self.context_parameter))
        definition = {
            "name": self.name,
            "description": self.description,
            "schema": self.input_schema,
            "version": self.options.version,
        }
        digest = hashlib.sha256(canonical_json(definition).encode("utf-8", "surrogatepass"))
        put(self, "definition_digest", digest.hexdigest())


class ToolSink(Protocol):
    """Where tools go; the registry is one."""

    def add(self, tool: Tool) -> None:
        """Register one tool.

        Raises:
            ToolAlreadyRegisteredError: Its name is taken.
            BadToolSchema: Its schema cannot be used.
        """
        ...

    def add_all(self, tools: list[Tool]) -> None:
        """Register all of them or, raising as `add` does, none."""
        ...

    def __contains__(self, name: object) -> bool: ...


class ToolProvider(Protocol):
    """Anything that brings tools of its own."""

    def register(self, registry: ToolSink) -> None:
        """Add the provider's tools."""
        ...


F = TypeVar("F", bound=Callable[..., Any])


@overload
def tool(name: F, /) -> F: ...
@overload
def tool(
    name: str | None = None,
    description: str | None = None,
    **options: Unpack[DeclaredOptions],
) -> Callable[[F], F]: ...
def tool(
    name: F | str | None = None,
    description: str | None = None,
    **options: Unpack[DeclaredOptions],
) -> F | Callable[[F], F]:
    """Describe a function or method as a tool; it registers nothing and wraps nothing.

    `name` defaults to the function's, `description` to the first paragraph of its docstring;
    `options` are those of `DeclaredOptions`, and any other raises BadDeclaration.
    """
    if name is not None and not isinstance(name, str):
        return tool()(name)
    known = DeclaredOptions.__annotations__
    for option in sorted(options.keys() - known.keys()):
        near = get_close_matches(option, known, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known)}"
        raise BadDeclaration(f"@tool has no option {option!r}; {hint}")
    said = ToolDeclaration(name=name, description=description, options=ToolOptions(**options))

    def declare(function: F) -> F:
        setattr(getattr(function, "__func__", function), DECLARATION, said)  # also static ones
        return function

    return declare


def canonical_json(value: object) -> str:
    """Return the one JSON text of a value: keys sorted, no blanks, characters as they are.

    Raises:
        ValueError, TypeError: It holds what JSON lacks, such as NaN or a set.
    """
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


def frozen_clamps(clamps: Clamps) -> Clamps:
    """Return a read-only copy of `clamps` whose bounds have been checked."""
    return MappingProxyType({name: _bounds(name, bounds) for name, bounds in clamps.items()})


def _bounds(name: str, bounds: Mapping[str, float]) -> Mapping[str, float]:
    for bound, number in bounds.items():
        if bound not in _BOUNDS:
            raise BadDeclaration(f"clamp of {name!r} knows min, max and maxLength, not {bound!r}")
        if isinstance(number, bool) or not isinstance(number, int | float) or number != number:
            raise BadDeclaration(f"clamp of {name!r}: {bound} must be a number, not {number!r}")
    if bounds.get("min", -math.inf) > bounds.get("max", math.inf):
        raise BadDeclaration(
            f"clamp of {name!r} is inverted: min {bounds['min']} is above max {bounds['max']}"
        )
    longest = bounds.get("maxLength", 0)
    if longest < 0 or longest != int(longest):
        raise BadDeclaration(f"clamp of {name!r}: maxLength counts characters, not {longest!r}")
    return MappingProxyType(dict(bounds))


def is_async(callback: Callback) -> bool:
    """Tell whether calling gives something to await; callable objects included."""
    return inspect.iscoroutinefunction(callback) or inspect.iscoroutinefunction(
        getattr(callback, "__call__", None)  # noqa: B004  the method is wanted, not its presence
    )


def context_parameter(callback: Callback) -> str | None:
    """Return the name of the parameter annotated `ToolContext`, also `ToolContext | None`."""
    for name, hint in hints_of(callback).items():
        if hint in (ToolContext, "ToolContext") or ToolContext in get_args(hint):
            return name
    return None


def hints_of(callback: Callback) -> dict[str, Any]:
    """Return the parameters' annotations, resolved; as written where a name cannot be found."""
    inner = callback if inspect.isroutine(callback) else getattr(callback, "__call__", callback)  # noqa: B004
    inner = getattr(callback, "func", inner)  # functools.partial
    try:
        hints = get_type_hints(inner, include_extras=True)
    except (NameError, AttributeError, TypeError):
        hints = dict(getattr(inner, "__annotations__", {}))
    hints.pop("return", None)
    return hints


def _with_context(name: str) -> Bind:
    def bind(arguments: Mapping[str, Any], ctx: ToolContext) -> dict[str, Any]:
        return {**arguments, name: ctx}

    return bind


def _json_copy(tool_name: str, schema: Schema) -> Schema:
    try:
        copy: Schema = json.loads(json.dumps(schema, allow_nan=False))
    except (TypeError, ValueError) as error:
        raise BadToolSchema(tool_name, "", f"it is not JSON: {error}") from error
    return copy
