"""Those who bring tools of their own."""

import types
from typing import Any

import pytest

from comal_runtime.errors import ToolAlreadyRegisteredError
from comal_runtime.providers import is_provider
from comal_runtime.registry import ToolRegistry
from comal_runtime.scanner import ToolScanner, tools_of
from comal_runtime.tools import Tool, ToolSink, tool

OPEN: dict[str, Any] = {"type": "object", "properties": {}}


class Weather:
    """Brings two tools, one by hand."""

    def __init__(self, *names: str) -> None:
        self.names = names or ("rain", "wind")

    def register(self, registry: ToolSink) -> None:
        for name in self.names:
            registry.register(name, "Tell.", OPEN, lambda name=name: name)


@pytest.mark.runtime_line(10)
async def test_a_provider_brings_its_tools_to_a_registry_itself_or_through_a_scan() -> None:
    direct, scanned = ToolRegistry(), ToolRegistry()

    Weather("rain").register(direct)
    count = ToolScanner(scanned).scan([Weather("rain")])

    assert count == 1
    assert (await direct.call("rain", {})).data == (await scanned.call("rain", {})).data == "rain"


@pytest.mark.runtime_line(3)
def test_a_provider_that_fails_half_way_registers_nothing() -> None:
    registry = ToolRegistry()

    with pytest.raises(ToolAlreadyRegisteredError, match="'rain'"):
        ToolScanner(registry).scan([Weather("wind"), Weather("rain", "rain")])

    assert registry.get_tool_definitions() == []


def test_what_a_provider_already_brought_is_in_its_sink() -> None:
    seen: list[bool] = []

    class Careful:
        def register(self, registry: ToolSink) -> None:
            registry.add(Tool(name="one", description="1", input_schema=OPEN, callback=len))
            seen.extend(["one" in registry, "two" in registry])

    [one] = tools_of(Careful())

    assert (one.name, seen) == ("one", [True, False])


def test_a_method_called_register_beside_tools_is_left_alone() -> None:
    class Users:
        @tool
        def find(self, name: str) -> str:
            return name

        def register(self, name: str) -> None:
            raise AssertionError(name)

    assert [found.name for found in tools_of(Users())] == ["find"]


def test_a_module_is_a_provider_only_by_a_function_of_its_own() -> None:
    def register(registry: ToolSink) -> None:
        registry.register("one", "One.", OPEN, lambda: 1)

    own, borrowing = types.ModuleType("own"), types.ModuleType("borrowing")
    register.__module__ = "own"
    vars(own).update(register=register)
    vars(borrowing).update(register=register)

    assert [found.name for found in tools_of(own)] == ["one"]
    assert list(tools_of(borrowing)) == []


@pytest.mark.parametrize("source", [Weather, 5, types.SimpleNamespace(register=lambda a, b: None)])
def test_what_cannot_be_asked_with_a_registry_is_no_provider(source: object) -> None:
    assert not is_provider(source)
