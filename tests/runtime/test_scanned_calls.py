"""Decorated functions, called through a registry."""

import asyncio
import enum
import json
import threading
from collections.abc import AsyncIterator, Callable
from datetime import date
from typing import Annotated, Any

import pytest

from comal_runtime.call import Call
from comal_runtime.context import ToolContext
from comal_runtime.progress import Progress
from comal_runtime.registry import ToolRegistry
from comal_runtime.result import ErrorCode, ToolResult
from comal_runtime.scanner import ToolScanner
from comal_runtime.tools import Param, tool
from comal_runtime.wiring import Wiring

from .stations.arranging import in_code


class Color(enum.Enum):
    RED = "red"


class Suit(enum.Enum):
    HEARTS = enum.auto()


def scanned(source: object, wiring: Wiring | None = None) -> ToolRegistry:
    registry = ToolRegistry(wiring)
    ToolScanner(registry).scan(source)
    return registry


async def called(hint: Any, value: object) -> ToolResult:
    """Call a tool whose one parameter is of this type; its answer is what it received."""

    def echo(x: Any) -> str:
        return repr(x)

    echo.__annotations__["x"] = hint
    return await scanned(tool(echo)).call("echo", {"x": value}, in_code())


@pytest.mark.runtime_line(6)
@pytest.mark.original_fault(
    "TS:invoke-union-float-int",
    "TS:invoke-mixed-list",
    "TS:invoke-class-string",
    "TS:invoke-enum-string",
    "TS:invoke-nullable-null-explicit",
)
@pytest.mark.parametrize(
    ("hint", "value", "received"),
    [
        (int | float, 5, "5"),
        (int | str, 5, "5"),
        (Any, [1], "[1]"),
        (date, "2024-01-01", "datetime.date(2024, 1, 1)"),
        (Color, "red", "<Color.RED: 'red'>"),
        (int | None, None, "None"),
    ],
)
async def test_a_value_of_the_declared_type_reaches_the_tool(
    hint: Any, value: object, received: str
) -> None:
    assert (await called(hint, value)).data == received


@pytest.mark.runtime_line(7)
@pytest.mark.original_fault("TS:invoke-object-nested-missing", "TS:invoke-nullable-null-explicit")
@pytest.mark.parametrize(
    ("hint", "value"),
    [
        (int | float, "5"),
        (date, "tomorrow"),
        (Color, "blue"),
        (int, None),
        (list, {"0": 1}),
        (dict, [1]),
        (Annotated[dict, Param(properties={"t": {"type": "string"}})], {"t": 5}),
        (Annotated[dict, Param(required_properties=["t"])], {}),
    ],
)
async def test_a_value_of_another_type_never_reaches_the_tool(hint: Any, value: object) -> None:
    assert (await called(hint, value)).code == ErrorCode.VALIDATION_ERROR


@pytest.mark.original_fault("TS:schema-p_unit_enum_default")
async def test_the_default_of_an_enum_is_told_and_received() -> None:
    @tool
    def draw(suit: Suit = Suit.HEARTS) -> str:
        return suit.name

    registry = scanned(draw)

    told = json.loads(json.dumps(registry.get_tool_summaries()))
    assert told[0]["inputSchema"]["properties"]["suit"]["default"] == 1
    assert (await registry.call("draw", {}, in_code())).data == "HEARTS"


@pytest.mark.runtime_line(8)
@pytest.mark.original_fault("TS:context-setter-interleaved")
async def test_two_calls_at_once_see_each_its_own_caller() -> None:
    both_inside = asyncio.Barrier(2)

    class Service:
        @tool
        async def whoami(self, who: ToolContext) -> str | None:
            await both_inside.wait()
            return who.principal

    registry = scanned(Service())

    ana, bo = await asyncio.gather(
        *(
            registry.call("whoami", {}, ToolContext.cli(principal=name))
            for name in ("cli:ana", "cli:bo")
        )
    )

    assert (ana.data, bo.data) == ("cli:ana", "cli:bo")


@pytest.mark.runtime_line(10)
async def test_a_sync_tool_runs_beside_the_loop_and_an_async_one_on_it() -> None:
    @tool
    def beside() -> int:
        return threading.get_ident()

    @tool
    async def inside() -> int:
        return threading.get_ident()

    registry = scanned([beside, inside])

    assert (await registry.call("beside", {}, in_code())).data != threading.get_ident()
    assert (await registry.call("inside", {}, in_code())).data == threading.get_ident()


class Streamer:
    """Streams from an object that is called."""

    async def __call__(self, n: int) -> AsyncIterator[object]:
        for done in range(n):
            yield Progress(done=done, total=n)
        yield "counted"


@tool
async def stream(n: int) -> AsyncIterator[object]:
    async for part in Streamer()(n):
        yield part


@pytest.mark.runtime_line(10)
@pytest.mark.parametrize("source", [stream, tool("stream")(Streamer())])
async def test_a_streaming_tool_tells_its_progress_and_answers_with_its_last_value(
    source: Callable[..., object],
) -> None:
    told: list[Progress] = []

    async def hear(call: Call, progress: Progress) -> None:
        told.append(progress)

    registry = scanned(source, Wiring(on_progress=hear))

    result = await registry.call("stream", {"n": 2}, in_code())

    assert result.data == "counted"
    assert told[-1] == Progress(done=1, total=2)  # the channel hears the newest, maybe not all
