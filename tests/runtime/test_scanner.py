"""Scanning functions, modules, instances and classes."""

import functools
import types
from collections.abc import Callable

import pytest

from comal_runtime.callables import Way
from comal_runtime.errors import BadDeclaration, ToolAlreadyRegisteredError
from comal_runtime.scanner import ToolScanner, tool_of, tools_of
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


@pytest.mark.runtime_line(3)
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


@pytest.mark.runtime_line(3)
@pytest.mark.original_fault("TS:overridden-method")
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


@pytest.mark.runtime_line(3)
@pytest.mark.original_fault("TS:scan-duplicate")
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


def names(source: object) -> list[str]:
    return [found.name for found in tools_of(source)]


def greet(name: str, times: int = 1) -> str:
    """Say hello."""
    return f"hello {name}" * times


def test_a_partial_is_a_tool_without_what_it_has_bound() -> None:
    [found] = tools_of(tool("greet_once")(functools.partial(greet, times=2)))

    assert list(found.input_schema["properties"]) == ["name"]
    assert found.description == "Say hello."
    assert found.callback(name="ana") == "hello anahello ana"


def test_a_decorated_object_is_a_tool_called_as_it_says() -> None:
    class Greeter:
        """Greets people."""

        @tool
        async def __call__(self, name: str) -> str:
            """Say hello."""
            return name

    [inside] = tools_of(Greeter())
    [outside] = tools_of(tool("greet")(Greeter()))

    assert (inside.name, inside.description, inside.way) == ("Greeter", "Say hello.", Way.AWAITED)
    assert (outside.name, list(outside.input_schema["properties"])) == ("greet", ["name"])


def test_a_function_in_a_wrapper_that_wraps_it_stays_a_tool_with_its_signature() -> None:
    def logged(function: Callable[..., str]) -> Callable[..., str]:
        @functools.wraps(function)
        def wrapper(*args: object, **kwargs: object) -> str:
            return function(*args, **kwargs).upper()

        return wrapper

    [found] = tools_of(logged(tool(greet)))

    assert list(found.input_schema["properties"]) == ["name", "times"]
    assert found.callback(name="ana") == "HELLO ANA"


def test_decorated_functions_that_an_instance_holds_are_its_tools_too() -> None:
    holder = types.SimpleNamespace(hello=tool("hello")(lambda: "hi"), _two=tool("two")(greet))

    assert names(holder) == ["hello"]


def test_a_second_name_of_a_method_makes_no_second_tool() -> None:
    class Twice(Notes):
        also = Notes.save

    assert names(Twice()) == ["save", "count", "kind_of"]


@pytest.mark.original_fault("TS:overridden-method")
def test_only_a_subclass_that_sets_a_method_to_none_takes_its_tool_away() -> None:
    class Quiet(Notes):
        save = None  # type: ignore[assignment]

    assert names(Quiet()) == ["count", "kind_of"]


@pytest.mark.parametrize("beside", [property, functools.cached_property])
def test_a_property_is_refused_and_not_read(beside: Callable[..., object]) -> None:
    class Odd:
        @beside
        @tool
        def size(self) -> int:
            raise AssertionError("it was read")

    with pytest.raises(BadDeclaration, match=f"Odd.size is a {beside.__name__}"):
        names(Odd())


def test_what_wakes_when_looked_at_is_left_asleep() -> None:
    class Sleeper:
        def __getattr__(self, name: str) -> object:
            raise RuntimeError("it woke")

    module = types.ModuleType("lazy")
    vars(module).update(proxy=Sleeper(), hello=tool("hello")(lambda: "hi"))

    assert names(module) == ["hello"]


@pytest.mark.runtime_line(10)
def test_a_generator_that_is_not_async_is_refused_with_what_to_write() -> None:
    @tool
    def many(n: int) -> object:
        yield n

    with pytest.raises(BadDeclaration, match=r"tool 'many': it is a generator.*`async def`"):
        tool_of(many)


def test_the_decorator_refuses_what_it_cannot_mark() -> None:
    with pytest.raises(BadDeclaration, match="above class Notes; put it above a method"):
        tool(Notes)
    with pytest.raises(BadDeclaration, match="cannot mark a builtin_function_or_method"):
        tool(len)


@pytest.mark.runtime_line(1)
def test_name_and_description_default_to_the_functions_own() -> None:
    [bare] = tools_of(tool(greet))
    [said] = tools_of(tool("hi", "Greet.")(lambda: None))
    [silent] = tools_of(tool("say_hello")(lambda: None))

    assert (bare.name, bare.description) == ("greet", "Say hello.")
    assert (said.name, said.description) == ("hi", "Greet.")
    assert silent.description == "Say hello"


def test_a_lambda_must_be_given_a_name() -> None:
    with pytest.raises(BadDeclaration, match="a lambda has no name"):
        tool_of(tool()(lambda: None))
