"""What a tool is, and the decorator that describes one without registering it."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from difflib import get_close_matches
from typing import Any, Final, Protocol, TypeVar, Unpack, overload

from .afterwards import check_reconcile
from .beforehand import check_preview
from .callables import Way, body_of, check_body, context_parameter, way_of
from .context import ToolContext
from .errors import BadDeclaration, BadToolSchema
from .json_values import canonical_json, frozen
from .options import Callback, Clamps, DeclaredOptions, Schema, ToolOptions

__all__ = [
    "DECLARATION",
    "Bind",
    "Callback",
    "Clamps",
    "DeclaredOptions",
    "Param",
    "Schema",
    "Tool",
    "ToolDeclaration",
    "ToolOptions",
    "ToolProvider",
    "ToolSink",
    "canonical_json",
    "tool",
]

DECLARATION: Final = "__comal_tool__"
"""The attribute of a function that holds its `ToolDeclaration`."""

Bind = Callable[[Mapping[str, Any], ToolContext], dict[str, Any]]
"""Turns validated JSON arguments into the keywords of the callback."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDeclaration:
    """What `@tool` said about a function; None where the function itself tells."""

    name: str | None
    description: str | None
    options: ToolOptions


@dataclass(frozen=True, slots=True)
class Param:
    """What an `Annotated` parameter says about itself.

    `enum` lists the values that are allowed. `clamp` is (lowest, highest), None for an open end: a
    number outside is brought in, not refused. `properties` and `required_properties` shape a
    `dict`; `type` is a JSON type name.
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
    `takes` names the only arguments it looks at, so that others are neither shown nor stored;
    None where it looks at all.
    `way` tells how its body runs: what is not in a thread can be cancelled.
    `context_parameter` names the parameter annotated `ToolContext`, if there is one.
    `definition_digest` (sha256, hex) changes with name, description, schema or version. The schema
    is a copy that cannot be changed.
    """

    name: str
    description: str
    input_schema: Schema
    callback: Callback
    options: ToolOptions = field(default_factory=ToolOptions)
    bind: Bind = _keywords_only
    takes: frozenset[str] | None = None
    way: Way = field(init=False)
    context_parameter: str | None = field(init=False)
    definition_digest: str = field(init=False)

    def __post_init__(self) -> None:
        put = object.__setattr__
        if not self.name.strip() or not self.name.isprintable():
            raise BadDeclaration(
                f"a tool's name must be one line that is not blank, found {self.name!r}"
            )
        try:
            check_body(self.callback)
        except BadDeclaration as error:
            raise BadDeclaration(f"tool {self.name!r}: {error}") from error
        put(self, "callback", body_of(self.callback))
        put(self, "input_schema", _json_copy(self.name, self.input_schema))
        put(self, "way", way_of(self.callback))
        put(self, "context_parameter", context_parameter(self.callback))
        _check_hooks(self)
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

    def register(
        self,
        name: str,
        description: str,
        input_schema: Schema,
        callback: Callback,
        options: ToolOptions | None = None,
    ) -> None:
        """Add a tool by hand; raises as `add` does."""
        ...

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
        if isinstance(function, type):
            raise BadDeclaration(f"@tool is above class {function.__name__}; put it above a method")
        try:  # a static or class method carries it on its function
            setattr(getattr(function, "__func__", function), DECLARATION, said)
        except AttributeError:
            kind = type(function).__name__
            raise BadDeclaration(f"@tool cannot mark a {kind}; put it above a function") from None
        return function

    return declare


def _check_hooks(declared: Tool) -> None:
    options, takes = declared.options, declared.takes
    try:
        if options.reconcile is not None:
            check_reconcile(options.reconcile)
        if options.preview is not None:
            check_preview(options.preview, _named(declared) if takes is None else takes)
    except BadDeclaration as error:
        raise BadDeclaration(f"tool {declared.name!r}: {error}") from error


def _named(declared: Tool) -> frozenset[str] | None:
    """Return the arguments that a schema names; None where it allows others as well."""
    if not isinstance(declared.input_schema, Mapping):  # the registry refuses it
        return None
    properties = declared.input_schema.get("properties", {})
    closed = declared.input_schema.get("additionalProperties") is False
    return frozenset(properties) if closed or properties else None


def _with_context(name: str) -> Bind:
    def bind(arguments: Mapping[str, Any], ctx: ToolContext) -> dict[str, Any]:
        return {**arguments, name: ctx}

    return bind


def _json_copy(tool_name: str, schema: Schema) -> Schema:
    try:
        copy: Schema = frozen(json.loads(json.dumps(schema, allow_nan=False)))
    except (TypeError, ValueError, RecursionError) as error:
        raise BadToolSchema(tool_name, "", f"it is not JSON: {error}") from error
    return copy
