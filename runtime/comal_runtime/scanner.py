"""Finds decorated functions and methods, makes tools of them and registers them together."""

import functools
import inspect
from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MethodType, ModuleType
from typing import Any, Final

from .afterwards import beside
from .docstrings import read
from .errors import BadDeclaration
from .providers import is_provider, provided
from .signature import bound_signature
from .tools import DECLARATION, Callback, Tool, ToolDeclaration, ToolSink

_BESIDE: Final = (property, functools.cached_property, functools.partialmethod)
"""What can hold a decorated function in a class and still is no method."""

_LAMBDA: Final = (lambda: None).__name__


class ToolScanner:
    """Registers what it finds; of one scan everything or nothing."""

    def __init__(self, registry: ToolSink) -> None:
        self._registry = registry

    def scan(self, source: object) -> int:
        """Register every decorated public function or method of `source`; return how many.

        Args:
            source: A function, a module, an instance, a class (its class and static methods), a
                `ToolProvider` or a list of these.

        Raises:
            ToolAlreadyRegisteredError, BadDeclaration, BadToolSchema: Nothing was registered.
        """
        tools = list(tools_of(source))
        self._registry.add_all(tools)
        return len(tools)


def tools_of(source: object) -> Iterator[Tool]:
    """Make the tools of a source, in the order of its text, registering nothing.

    A provider is asked only if nothing of it is decorated, so that a method called `register`
    beside tools is left alone.
    """
    if isinstance(source, Tool):
        yield source
    elif isinstance(source, list | tuple):
        for item in source:
            yield from tools_of(item)
    elif inspect.isroutine(source) or _declared(source) is not None:
        yield tool_of(source)  # type: ignore[arg-type]  # `tool` marks nothing that is not callable
    else:
        found = list(_of_module(source) if isinstance(source, ModuleType) else _of_object(source))
        yield from found or (provided(source) if is_provider(source) else ())


def tool_of(function: Callback) -> Tool:
    """Make the tool of a decorated function, bound method, partial or callable object.

    Raises:
        BadDeclaration: It is not decorated, or cannot be called with JSON; the text says why.
    """
    declaration = _declared(function)
    if declaration is None:
        raise BadDeclaration(f"{_name_of(function)} is no tool; put @tool above it")
    return _made(function, declaration)


def _made(function: Callback, declaration: ToolDeclaration) -> Tool:
    name = declaration.name or _name_of(function)
    if name == _LAMBDA:
        raise BadDeclaration("a lambda has no name to call it by; say it: @tool('name')")
    described = read(inspect.getdoc(_documented(function)))
    try:
        signature = bound_signature(function, declaration.options.clamps, described)
    except BadDeclaration as error:
        raise BadDeclaration(f"tool {name!r}: {error}") from error
    summary = declaration.description or described.summary
    return Tool(
        name=name,
        description=summary or name.replace("_", " ").capitalize(),
        input_schema=signature.schema,
        callback=function,
        options=replace(
            declaration.options,
            clamps=signature.clamps,
            preview=beside(function, declaration.options.preview),
            reconcile=beside(function, declaration.options.reconcile),
        ),
        bind=signature.bind,
        takes=frozenset(name for name, _ in signature.converters),
    )


def _of_module(module: ModuleType) -> Iterator[Tool]:
    seen: list[object] = []
    for name, value in list(vars(module).items()):
        if name.startswith("_") or _declared(value) is None or any(value is one for one in seen):
            continue
        seen.append(value)
        yield tool_of(value)


def _of_object(source: object) -> Iterator[Tool]:
    owner = source if isinstance(source, type) else type(source)
    names = dict.fromkeys(name for part in reversed(owner.__mro__) for name in vars(part))
    seen: list[object] = []
    for name in names:
        declaration = None if _is_hidden(name) else _declared_in(owner, name)
        raw = inspect.getattr_static(owner, name)
        if declaration is None or raw is None:  # None: a subclass took the tool away
            continue
        if any(raw is one for one in seen):
            continue
        seen.append(raw)
        yield _made(_method(source, owner, name), declaration)
    own: Mapping[str, Any] = {} if isinstance(source, type) else getattr(source, "__dict__", {})
    for name, value in list(own.items()):
        if not name.startswith("_") and _declared(value) is not None:
            yield tool_of(value)


def _method(source: object, owner: type, name: str) -> Callback:
    """Return a decorated attribute as it can be called with its arguments alone."""
    place = f"{owner.__name__}.{name}"
    raw = inspect.getattr_static(owner, name)
    if isinstance(raw, _BESIDE):
        raise BadDeclaration(f"{place} is a {type(raw).__name__}; a tool is a method")
    if inspect.isfunction(raw) and source is owner:
        raise BadDeclaration(f"{place} needs an instance; scan {owner.__name__}(...) instead")
    method: Callback = getattr(source, name)
    return method


def _is_hidden(name: str) -> bool:
    return name.startswith("_") and name != "__call__"


def _declared_in(owner: type, name: str) -> ToolDeclaration | None:
    """Return the nearest declaration of a method; one that overrides a tool stays a tool."""
    for part in owner.__mro__:
        value = vars(part).get(name)
        declaration = _declared(value)
        if declaration is None and isinstance(value, _BESIDE):
            declaration = _declared(value.fget if isinstance(value, property) else value.func)
        if declaration is not None:
            return declaration
    return None


def _declared(value: object) -> ToolDeclaration | None:
    """Return what `@tool` said of this very object, without waking what only poses as one."""
    marked = isinstance(value, MethodType | staticmethod | classmethod)
    function = value.__func__ if marked else value  # type: ignore[attr-defined]
    found = inspect.getattr_static(function, DECLARATION, None)
    return found if isinstance(found, ToolDeclaration) else None


def _name_of(function: Callback) -> str:
    if isinstance(function, functools.partial):
        return _name_of(function.func)
    name = str(getattr(function, "__name__", type(function).__name__))
    if name == "__call__" and isinstance(function, MethodType):
        return type(function.__self__).__name__
    return name


def _documented(function: Callback) -> Callback:
    """Return what carries the docstring: of a partial and an object, what they call."""
    if isinstance(function, functools.partial):
        own = getattr(function, "__dict__", {}).get("__doc__")
        return function if own else _documented(function.func)
    return function
