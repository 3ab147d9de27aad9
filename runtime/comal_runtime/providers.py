"""Asks those who bring tools of their own, and keeps what they bring."""

import inspect
from collections.abc import Iterator
from types import ModuleType
from typing import TypeGuard

from .errors import ToolAlreadyRegisteredError
from .tools import Callback, Schema, Tool, ToolOptions, ToolProvider


class _Basket:
    """A sink that only keeps, so that nothing is registered before all of it is known."""

    def __init__(self) -> None:
        self.tools: dict[str, Tool] = {}

    def __contains__(self, name: object) -> bool:
        return name in self.tools

    def add(self, tool: Tool) -> None:
        self.add_all([tool])

    def add_all(self, tools: list[Tool]) -> None:
        fresh: dict[str, Tool] = {}
        for tool in tools:
            if tool.name in self.tools or tool.name in fresh:
                raise ToolAlreadyRegisteredError(tool.name)
            fresh[tool.name] = tool
        self.tools.update(fresh)

    def register(
        self,
        name: str,
        description: str,
        input_schema: Schema,
        callback: Callback,
        options: ToolOptions | None = None,
    ) -> None:
        self.add(
            Tool(
                name=name,
                description=description,
                input_schema=input_schema,
                callback=callback,
                options=options or ToolOptions(),
            )
        )


def is_provider(source: object) -> TypeGuard[ToolProvider]:
    """Tell whether `source.register(registry)` brings tools; a module's must be its own."""
    register = inspect.getattr_static(source, "register", None)
    if register is None or isinstance(source, type):
        return False
    if isinstance(source, ModuleType) and getattr(register, "__module__", "") != source.__name__:
        return False
    try:
        inspect.signature(source.register).bind(None)  # type: ignore[attr-defined]  # looked up above
    except (TypeError, ValueError):
        return False
    return True


def provided(provider: ToolProvider) -> Iterator[Tool]:
    """Return the tools that a provider brings; what it raises goes on."""
    basket = _Basket()
    provider.register(basket)
    yield from basket.tools.values()
