"""From JSON arguments to the values a tool asked for."""

import dataclasses
import enum
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Annotated, NotRequired, TypedDict

import pytest
from pydantic import AwareDatetime, BaseModel

from comal_runtime.context import ToolContext
from comal_runtime.errors import ToolError
from comal_runtime.result import ErrorCode
from comal_runtime.scanner import tool_of
from comal_runtime.schema import CompiledSchema
from comal_runtime.tools import Param, tool


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Suit(enum.Enum):
    HEARTS = enum.auto()
    SPADES = enum.auto()


class Place(TypedDict):
    city: str
    zip: NotRequired[str]


@dataclasses.dataclass
class Trip:
    days: int
    start: date


class Node(BaseModel):
    title: str
    children: list["Node"] = []


@pytest.mark.runtime_line(8)
@pytest.mark.original_fault("TS:schema-p_ctx_magic")
def test_the_context_is_passed_by_annotation_and_is_no_argument() -> None:
    @tool
    def whoami(q: str, caller: ToolContext) -> str | None:
        return caller.principal

    subject = tool_of(whoami)
    ctx = ToolContext.cli(principal="ana")

    assert list(subject.input_schema["properties"]) == ["q"]
    assert subject.context_parameter == "caller"
    keywords = subject.bind({"q": "a", "caller": "spoof", "ctx": "spoof"}, ctx)
    assert keywords == {"q": "a", "caller": ctx}


@pytest.mark.runtime_line(6)
def test_json_arguments_become_the_annotated_values() -> None:
    @tool
    def book(
        color: Color,
        trip: Trip,
        when: datetime,
        price: Decimal,
        ratio: float,
        days: int | str,
        place: Place | None = None,
        tags: Annotated[set[str], Param("t")] = frozenset(),  # type: ignore[assignment]
    ) -> None: ...

    arguments = {
        "color": "blue",
        "trip": {"days": 7.0, "start": "2026-01-31"},
        "when": "2026-01-31T09:30:00Z",
        "price": "2.50",
        "ratio": 3,
        "days": 5,
        "place": {"city": "Oaxaca"},
        "tags": ["a", "b"],
        "unknown": 1,
    }
    subject = tool_of(book)

    keywords = subject.bind(arguments, ToolContext.cli())

    assert CompiledSchema(subject.input_schema).faults(arguments) == ()
    assert keywords == {
        "color": Color.BLUE,
        "trip": Trip(days=7, start=date(2026, 1, 31)),
        "when": datetime(2026, 1, 31, 9, 30, tzinfo=UTC),
        "price": Decimal("2.50"),
        "ratio": 3.0,
        "days": 5,
        "place": {"city": "Oaxaca"},
        "tags": {"a", "b"},
    }
    assert type(keywords["trip"].days) is int
    assert type(keywords["ratio"]) is float


def test_an_argument_left_out_is_left_to_the_functions_default() -> None:
    @tool
    def find(q: str = "x", n: int = 3) -> None: ...

    assert tool_of(find).bind({"n": 4}, ToolContext.cli()) == {"n": 4}


def test_a_value_that_fits_the_schema_but_not_the_type_is_the_callers_mistake() -> None:
    @tool
    def book(when: AwareDatetime) -> None: ...

    arguments = {"when": "2026-01-31T09:30:00"}
    subject = tool_of(book)
    assert CompiledSchema(subject.input_schema).faults(arguments) == ()

    with pytest.raises(ToolError, match=r"when: .*timezone") as caught:
        subject.bind(arguments, ToolContext.cli())

    assert caught.value.code is ErrorCode.VALIDATION_ERROR


def test_every_generated_schema_is_valid_and_takes_its_own_defaults() -> None:
    @tool
    def many(
        a: Color = Color.RED,
        b: Decimal = Decimal("1.5"),
        c: datetime = datetime(2026, 1, 31, 9, 30),
        d: list[int] | None = None,
        e: dict[str, Node] = {},  # noqa: B006
    ) -> None: ...

    schema = tool_of(many).input_schema
    defaults = {name: item["default"] for name, item in schema["properties"].items()}

    assert CompiledSchema(schema).faults(defaults) == ()
