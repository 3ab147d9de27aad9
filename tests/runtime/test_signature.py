"""From a Python signature to a JSON Schema."""

import dataclasses
import enum
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Any, Literal, NotRequired, TypedDict
from uuid import UUID

import pytest
from pydantic import BaseModel

from comal_runtime.errors import BadDeclaration
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


def schema_of(hint: Any) -> dict[str, Any]:
    """Return the property that a parameter of this type becomes."""

    def subject(x: Any) -> None: ...

    subject.__annotations__["x"] = hint
    return dict(tool_of(tool()(subject)).input_schema["properties"]["x"])


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


@pytest.mark.parametrize("hint", [Place, list[Place], Place | None, Annotated[Place, Param("p")]])
def test_a_typed_dict_becomes_an_object_with_its_optional_keys_wherever_it_stands(
    hint: Any,
) -> None:
    place = {
        "type": "object",
        "properties": {"city": {"type": "string"}, "zip": {"type": "string"}},
        "required": ["city"],
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


def test_names_defaults_and_required_come_from_the_signature_unchanged() -> None:
    @tool
    def find(
        instanceId: str,  # noqa: N803  names go to the wire as they are
        instance_id: int = 3,
        suit: Suit = Suit.SPADES,
        forced: Annotated[int, Param(required=True)] = 5,
    ) -> None: ...

    schema = tool_of(find).input_schema

    assert schema["required"] == ["instanceId", "forced"]
    assert schema["properties"]["instance_id"] == {"type": "integer", "default": 3}
    assert schema["properties"]["suit"]["default"] == 2
    assert schema["properties"]["forced"]["default"] == 5


def test_a_tool_without_parameters_has_an_empty_object_of_properties() -> None:
    @tool
    def no_params() -> None: ...

    subject = tool_of(no_params)

    assert subject.input_schema == {"type": "object", "properties": {}}
    assert subject.description == "No params"


def test_a_default_without_a_json_form_is_left_out() -> None:
    @tool
    def find(limit: float = float("inf"), when: Any = object) -> None: ...

    properties = tool_of(find).input_schema["properties"]

    assert properties == {"limit": {"type": "number"}, "when": {}}


def test_a_parameter_clamp_becomes_an_option_told_in_the_description_not_a_bound() -> None:
    @tool
    def page(limit: Annotated[int, Param("Rows.", clamp=(1, 100))] = 20) -> None: ...

    subject = tool_of(page)

    assert subject.options.clamps == {"limit": {"min": 1, "max": 100}}
    limit = subject.input_schema["properties"]["limit"]
    assert "from 1 to 100" in limit["description"]
    assert not {"minimum", "maximum"} & set(limit)


def test_the_tools_own_clamp_wins_over_the_parameters() -> None:
    @tool(clamps={"limit": {"max": 50}})
    def page(limit: Annotated[int, Param(clamp=(1, None))] = 20) -> None: ...

    assert tool_of(page).options.clamps == {"limit": {"max": 50}}


def test_a_clamp_of_no_parameter_is_refused() -> None:
    @tool(clamps={"limt": {"max": 50}})
    def page(limit: int = 20) -> None: ...

    with pytest.raises(BadDeclaration, match="'page': clamps names 'limt'"):
        tool_of(page)


def test_an_inverted_parameter_clamp_names_tool_and_parameter() -> None:
    @tool
    def page(limit: Annotated[int, Param(clamp=(9, 1))]) -> None: ...

    with pytest.raises(BadDeclaration, match=r"'page'.*'limit' is inverted"):
        tool_of(page)


def test_a_param_shapes_a_dict_and_keeps_its_null() -> None:
    shape = Param(type="object", properties={"t": {"type": "string"}}, required_properties=["t"])
    core = {"type": "object", "properties": {"t": {"type": "string"}}, "required": ["t"]}

    assert schema_of(Annotated[dict, shape]) == core
    assert schema_of(Annotated[dict | None, shape]) == {"anyOf": [core, {"type": "null"}]}


def test_a_param_may_list_the_values_and_name_another_type() -> None:
    assert schema_of(Annotated[str, Param(enum=["asc", "desc"])]) == {
        "type": "string",
        "enum": ["asc", "desc"],
    }
    assert schema_of(Annotated[str, Param(type="integer")]) == {"type": "integer"}
    assert schema_of(Annotated[str, Param("0")])["description"] == "0"


@pytest.mark.parametrize(
    ("function", "told"),
    [
        (lambda *args: None, r"'args' is \*args"),
        (lambda **kwargs: None, r"'kwargs' is \*\*kwargs"),
        (lambda a, /: None, "'a' is positional-only"),
    ],
)
def test_a_signature_that_names_cannot_fill_is_refused(
    function: Callable[..., None], told: str
) -> None:
    with pytest.raises(BadDeclaration, match=told):
        tool_of(tool("t")(function))


def test_a_type_without_a_json_form_is_refused_naming_tool_and_parameter() -> None:
    @tool
    def run(then: Callable[[], None]) -> None: ...

    with pytest.raises(BadDeclaration, match="tool 'run': parameter 'then' has no JSON form"):
        tool_of(run)


def test_an_annotation_that_names_nothing_is_refused() -> None:
    def run(x: "Nowhere") -> None: ...  # type: ignore[name-defined]  # noqa: F821  the mistake

    with pytest.raises(BadDeclaration, match="'Nowhere' of parameter 'x'"):
        tool_of(tool()(run))
