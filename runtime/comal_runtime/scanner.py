"""Finds decorated functions and methods, makes tools of them and registers them together."""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import ModuleType
from typing import Any

from .docstrings import read
from .errors import BadDeclaration
from .signature import bound_signature
from .tools import DECLARATION, Callback, Tool, ToolDeclaration, ToolSink


class ToolScanner:
    """Registers what it finds; of one scan everything or nothing."""

    def __init__(self, registry: ToolSink) -> None:
        self._registry = registry

    def scan(self, source: object) -> int:
        """Register every decorated public function or method of `source`; return how many.

        Args:
            source: A function, a module, an instance, a class (its class and static methods), or
                a list of these.

        Raises:
            ToolAlreadyRegisteredError, BadDeclaration, BadToolSchema: Nothing was registered.
        """
        tools = list(tools_of(source))
        self._registry.add_all(tools)
        return len(tools)


def tools_of(source: object) -> Iterator[Tool]:
    """Make the tools of a source, in the order of its text, registering nothing."""
    if isinstance(source, Tool):
        yield source
    elif isinstance(source, list | tuple):
        for item in source:
            yield from tools_of(item)
    elif inspect.isroutine(source):
        yield tool_of(source)
    elif isinstance(source, ModuleType):
        yield from _of_module(source)
    else:
        yield from _of_object(source)


def tool_of(function: Callback) -> Tool:
    """Make the tool of a decorated function or bound method.

    Raises:
        BadDeclaration: It is not decorated, or cannot be called with JSON; the text says why.
    """
    declaration = getattr(function, DECLARATION, None)
    if not isinstance(declaration, ToolDeclaration):
        raise BadDeclaration(f"{_name_of(function)} is no tool; put @tool above it")
    return _made(function, declaration)


def _made(function: Callback, declaration: ToolDeclaration) -> Tool:
    name = declaration.name or _name_of(function)
    described = read(inspect.getdoc(function))
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
        options=replace(declaration.options, clamps=signature.clamps),
        bind=signature.bind,
    )


def _of_module(module: ModuleType) -> Iterator[Tool]:
    seen: list[object] = []
    for name, value in vars(module).items():
        decorated = isinstance(getattr(value, DECLARATION, None), ToolDeclaration)
        if name.startswith("_") or not decorated or not inspect.isroutine(value) or value in seen:
            continue
        seen.append(value)
        yield tool_of(value)


def _of_object(source: object) -> Iterator[Tool]:
    owner = source if isinstance(source, type) else type(source)
    names = dict.fromkeys(name for part in reversed(owner.__mro__) for name in vars(part))
    for name in names:
        declaration = None if name.startswith("_") else _declared(owner, name)
        if declaration is None:
            continue
        method: Callable[..., Any] = getattr(source, name)
        static = isinstance(inspect.getattr_static(owner, name), staticmethod)
        if not static and not inspect.ismethod(method):
            raise BadDeclaration(
                f"{owner.__name__}.{name} needs an instance; scan {owner.__name__}(...) instead"
            )
        yield _made(method, declaration)


def _declared(owner: type, name: str) -> ToolDeclaration | None:
    """Return the nearest declaration of a method; one that overrides a tool stays a tool."""
    for part in owner.__mro__:
        method = vars(part).get(name)
        declaration = getattr(getattr(method, "__func__", method), DECLARATION, None)
        if isinstance(declaration, ToolDeclaration):
            return declaration
    return None


def _name_of(function: Callback) -> str:
    return str(getattr(function, "__name__", type(function).__name__))
