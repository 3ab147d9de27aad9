"""What Python types look like in JSON Schema."""

import dataclasses
import enum
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Any, Literal, NewType, NotRequired, Required, TypedDict
from uuid import UUID

import pytest
from pydantic import BaseModel, Field

from comal_runtime.errors import BadDeclaration
from comal_runtime.scanner import tool_of
from comal_runtime.schema import CompiledSchema
from comal_runtime.tools import Param, tool


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


UserId = NewType("UserId", int)


class Town(TypedDict, total=False):
    city: str


Address = NewType("Address", Town)  # type: ignore[valid-newtype]  # at run time it can be


class Order(TypedDict, total=False):
    id: Required[int]
    note: str


class Cat(BaseModel):
    kind: Literal["cat"]


class Dog(BaseModel):
    kind: Literal["dog"]
    name: str = Field(alias="theName", description="What it hears.")


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


def schema_of(hint: Any) -> dict[str, Any]:
    """Return the property that a parameter of this type becomes."""

    def subject(x: Any) -> None: ...

    subject.__annotations__["x"] = hint
    return dict(tool_of(tool()(subject)).input_schema["properties"]["x"])


@pytest.mark.runtime_line(6)
@pytest.mark.original_fault("TS:schema-p_array", "TS:schema-p_nullable_int")
@pytest.mark.parametrize(
    ("hint", "expected"),
    [
        (int, {"type": "integer"}),
        (float, {"type": "number"}),
        (bool, {"type": "boolean"}),
        (str, {"type": "string"}),
        (list, {"type": "array", "items": {}}),
        (list[int], {"type": "array", "items": {"type": "integer"}}),
        (dict, {"type": "object"}),
        (Any, {}),
        (Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}),
        (Literal["a"], {"type": "string", "enum": ["a"]}),
        (Literal[1, "a", None], {"enum": [1, "a", None]}),
        (Level, {"type": "integer", "enum": [1, 2]}),
        (UserId, {"type": "integer"}),
        (
            Address,
            {
                "type": "object",
                "properties": {"city": {"type": "string"}},
                "additionalProperties": False,
            },
        ),
        (set[int], {"type": "array", "items": {"type": "integer"}, "uniqueItems": True}),
        (dict[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}),
        (Color, {"type": "string", "enum": ["red", "blue"]}),
        (int | str, {"anyOf": [{"type": "integer"}, {"type": "string"}]}),
        (int | None, {"anyOf": [{"type": "integer"}, {"type": "null"}]}),
        (datetime, {"type": "string", "format": "date-time"}),
        (date, {"type": "string", "format": "date"}),
        (UUID, {"type": "string", "format": "uuid"}),
        (Decimal, {"type": "string", "format": "decimal"}),
    ],
)
def test_a_type_becomes_its_schema(hint: Any, expected: dict[str, Any]) -> None:
    assert schema_of(hint) == expected


@pytest.mark.runtime_line(6)
@pytest.mark.parametrize("hint", [Place, list[Place], Place | None, Annotated[Place, Param("p")]])
def test_a_typed_dict_becomes_an_object_with_its_optional_keys_wherever_it_stands(
    hint: Any,
) -> None:
    place = {
        "type": "object",
        "properties": {"city": {"type": "string"}, "zip": {"type": "string"}},
        "required": ["city"],
        "additionalProperties": False,
    }

    found = schema_of(hint)

    assert place in (found, found.get("items"), *found.get("anyOf", ())) or (
        found == {**place, "description": "p"}
    )


def test_only_recursive_types_keep_a_definition_and_their_reference_is_local() -> None:
    @tool
    def plant(stem: Node, trip: Trip) -> None: ...

    subject = tool_of(plant)

    assert list(subject.input_schema["$defs"]) == ["Node"]
    assert "$ref" not in subject.input_schema["properties"]["trip"]
    nested: dict[str, Any] = {"stem": {"title": "a", "children": [{"title": 5}]}}
    nested["trip"] = {"days": 1, "start": "2026-01-31"}
    pointers = [item.pointer for item in CompiledSchema(subject.input_schema).faults(nested)]
    assert pointers == ["/stem/children/0/title"]


def test_a_type_without_a_json_form_is_refused_naming_tool_and_parameter() -> None:
    @tool
    def run(then: Callable[[], None]) -> None: ...

    with pytest.raises(BadDeclaration, match="tool 'run': parameter 'then' has no JSON form"):
        tool_of(run)


@pytest.mark.runtime_line(6)
def test_required_keys_of_a_partly_optional_typed_dict_are_required() -> None:
    assert schema_of(Order)["required"] == ["id"]


@pytest.mark.runtime_line(6)
@pytest.mark.parametrize("hint", [Cat | Dog, Annotated[Cat | Dog, Field(discriminator="kind")]])
def test_a_union_of_models_is_any_of_them_and_no_reference_leads_nowhere(hint: Any) -> None:
    found = schema_of(hint)

    assert list(found) == ["anyOf"]
    assert found["anyOf"][1] == {
        "type": "object",
        "properties": {
            "kind": {"type": "string", "enum": ["dog"]},
            "theName": {"type": "string", "description": "What it hears."},
        },
        "required": ["kind", "theName"],
        "additionalProperties": False,
    }
