"""What a tool's preview must be is said when the tool is declared."""

import functools
from collections.abc import Callable
from typing import Any

import pytest

from comal_runtime.context import ToolContext
from comal_runtime.errors import BadDeclaration
from comal_runtime.scanner import tool_of
from comal_runtime.tools import Tool, ToolOptions, tool

SCHEMA = {"type": "object", "properties": {"disk": {"type": "string"}}}


def declared(preview: Callable[..., Any], schema: Any = SCHEMA) -> Tool:
    return Tool(
        name="wipe",
        description="Wipe.",
        input_schema=schema,
        callback=lambda **given: None,
        options=ToolOptions(preview=preview),
    )


async def in_parts(disk: str) -> Any:
    yield disk


def in_blocks(disk: str) -> Any:
    yield disk


@pytest.mark.parametrize(
    ("preview", "says"),
    [
        (lambda volume: None, "preview asks for 'volume', which its tool does not take"),
        (in_parts, "preview gives one answer, not one in parts; return it"),
        (in_blocks, "preview: it is a generator"),
        (lambda disk, /: None, "take the `/` out of its signature"),
    ],
)
def test_a_preview_that_could_never_be_called_is_refused_with_what_to_do(
    preview: Callable[..., Any], says: str
) -> None:
    with pytest.raises(BadDeclaration, match="tool 'wipe': ") as raised:
        declared(preview)

    assert says in str(raised.value)


def with_context(disk: str, caller: ToolContext) -> str:
    return disk


@pytest.mark.parametrize(
    "preview",
    [
        lambda: None,
        lambda disk: None,
        lambda disk, volume=1: None,
        lambda **given: None,
        with_context,
        functools.partial(lambda disk, volume: None, volume=1),
    ],
)
def test_a_preview_takes_any_of_its_tools_arguments(preview: Callable[..., Any]) -> None:
    assert declared(preview).options.preview is preview


def test_a_preview_of_a_tool_that_takes_anything_is_not_held_to_names() -> None:
    assert declared(lambda anything: None, {"type": "object"}).options.preview is not None


def test_a_scanned_tool_is_held_to_its_own_parameters() -> None:
    @tool(preview=lambda volume: None)
    def wipe(disk: str) -> None:
        """Wipe."""

    with pytest.raises(BadDeclaration, match=r"\(it takes: disk\)"):
        tool_of(wipe)


@pytest.mark.parametrize("within", [0, -1, float("inf"), float("nan"), True, "60"])
def test_how_long_a_question_stays_open_is_a_number_of_seconds(within: Any) -> None:
    with pytest.raises(BadDeclaration, match="answer_within must be more than 0 seconds"):
        ToolOptions(answer_within=within)
