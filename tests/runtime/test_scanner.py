"""Scanning functions, modules, instances and classes."""

import types

import pytest

from comal_runtime.errors import BadDeclaration, ToolAlreadyRegisteredError
from comal_runtime.scanner import ToolScanner, tool_of
from comal_runtime.tools import Tool, tool


class Shelf:
    """The smallest sink: all or none."""

    def __init__(self) -> None:
        self.tools: dict[str, Tool] = {}

    def add(self, tool: Tool) -> None:
        self.add_all([tool])

    def add_all(self, tools: list[Tool]) -> None:
        taken = set(self.tools)
        for item in tools:
            if item.name in taken:
                raise ToolAlreadyRegisteredError(item.name)
            taken.add(item.name)
        self.tools.update({item.name: item for item in tools})

    def __contains__(self, name: object) -> bool:
        return name in self.tools


class Notes:
    """A service with tools."""

    def __init__(self, owner: str = "ana") -> None:
        self.owner = owner

    @tool(mutating=True)
    def save(self, text: str) -> str:
        return f"{self.owner}: {text}"

    @tool
    @staticmethod
    def count(items: list[int]) -> int:
        return len(items)

    @classmethod
    @tool("kind_of")
    def kind(cls) -> str:
        return cls.__name__

    @tool
    def _hidden(self) -> None: ...

    def plain(self) -> None: ...


def test_an_instance_gives_its_public_decorated_methods_bound_and_in_order() -> None:
    shelf = Shelf()

    count = ToolScanner(shelf).scan(Notes("eve"))

    assert count == 3
    assert list(shelf.tools) == ["save", "count", "kind_of"]
    assert shelf.tools["save"].callback(text="hi") == "eve: hi"
    assert shelf.tools["count"].callback(items=[1, 2]) == 2
    assert shelf.tools["save"].options.mutating


def test_a_class_whose_tool_needs_an_instance_is_refused_with_what_to_do() -> None:
    shelf = Shelf()

    with pytest.raises(BadDeclaration, match=r"scan Notes\(\.\.\.\)"):
        ToolScanner(shelf).scan(Notes)

    assert not shelf.tools


def test_a_class_of_static_tools_can_be_scanned_itself() -> None:
    class Maths:
        @staticmethod
        @tool
        def double(n: int) -> int:
            return 2 * n

    shelf = Shelf()

    assert ToolScanner(shelf).scan(Maths) == 1
    assert shelf.tools["double"].callback(n=2) == 4


def test_a_method_that_overrides_a_tool_stays_a_tool_with_its_own_signature() -> None:
    class Loud(Notes):
        def save(self, text: str, volume: int = 3) -> str:
            return text.upper()

    shelf = Shelf()

    ToolScanner(shelf).scan(Loud())

    assert set(shelf.tools["save"].input_schema["properties"]) == {"text", "volume"}
    assert shelf.tools["save"].callback(text="a") == "A"


def test_a_module_gives_its_public_functions_once_imported_ones_included() -> None:
    @tool
    def one() -> None: ...

    module = types.ModuleType("mine")
    vars(module).update(one=one, again=one, _two=tool("two")(lambda: None), other=print)
    shelf = Shelf()

    assert ToolScanner(shelf).scan(module) == 1
    assert "one" in shelf


def test_a_list_of_functions_is_one_scan() -> None:
    @tool
    def one() -> None: ...

    @tool("one")
    def other() -> None: ...

    shelf = Shelf()

    with pytest.raises(ToolAlreadyRegisteredError, match="'one'"):
        ToolScanner(shelf).scan([Notes(), one, other])

    assert not shelf.tools


def test_a_function_without_the_decorator_is_no_tool() -> None:
    with pytest.raises(BadDeclaration, match="put @tool above"):
        tool_of(len)
