"""From a Python signature to a JSON Schema."""

import enum
from collections.abc import Callable
from typing import Annotated, Any

import pytest
from pydantic import Field

from comal_runtime.context import ToolContext
from comal_runtime.errors import BadDeclaration
from comal_runtime.scanner import tool_of
from comal_runtime.tools import Param, tool


class Suit(enum.Enum):
    HEARTS = enum.auto()
    SPADES = enum.auto()


def schema_of(hint: Any) -> dict[str, Any]:
    """Return the property that a parameter of this type becomes."""

    def subject(x: Any) -> None: ...

    subject.__annotations__["x"] = hint
    return dict(tool_of(tool()(subject)).input_schema["properties"]["x"])


@pytest.mark.runtime_line(4, 5)
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


@pytest.mark.runtime_line(2)
@pytest.mark.original_fault("TS:invoke-param-clamp-rejects")
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


@pytest.mark.runtime_line(7)
def test_a_param_shapes_a_dict_and_keeps_its_null() -> None:
    shape = Param(type="object", properties={"t": {"type": "string"}}, required_properties=["t"])
    core = {"type": "object", "properties": {"t": {"type": "string"}}, "required": ["t"]}

    assert schema_of(Annotated[dict, shape]) == core
    assert schema_of(Annotated[dict | None, shape]) == {"anyOf": [core, {"type": "null"}]}


@pytest.mark.runtime_line(2)
@pytest.mark.original_fault("TS:schema-a_description_zero")
def test_a_param_may_list_the_values_and_name_another_type() -> None:
    assert schema_of(Annotated[str, Param(enum=["asc", "desc"])]) == {
        "type": "string",
        "enum": ["asc", "desc"],
    }
    assert schema_of(Annotated[str, Param(type="integer")]) == {"type": "integer"}
    assert schema_of(Annotated[str, Param("0")])["description"] == "0"


@pytest.mark.original_fault(
    "TS:schema-p_variadic", "TS:invoke-variadic-omitted", "TS:invoke-variadic-list"
)
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


def test_an_annotation_that_names_nothing_is_refused() -> None:
    def run(x: "Nowhere") -> None: ...  # type: ignore[name-defined]  # noqa: F821  the mistake

    with pytest.raises(BadDeclaration, match="'Nowhere' of parameter 'x'"):
        tool_of(tool()(run))


@pytest.mark.runtime_line(7)
@pytest.mark.original_fault("TS:schema-a_type_object_props_empty")
def test_a_dict_without_properties_is_an_open_object_and_a_list_stays_an_array() -> None:
    shaped = schema_of(Annotated[dict, Param(type="object", properties={})])

    assert schema_of(dict) == {"type": "object"}
    assert schema_of(Annotated[dict, Param("x")]) == {"type": "object", "description": "x"}
    assert (shaped["type"], shaped["properties"]) == ("object", {})
    assert schema_of(list)["type"] == "array"


@pytest.mark.original_fault("TS:schema-a_param_default_ignored")
def test_a_default_is_said_by_the_signature_alone() -> None:
    with pytest.raises(TypeError, match="default"):
        Param(default=99)  # type: ignore[call-arg]  # the mistake under test


def test_a_field_in_place_of_a_default_is_refused_before_the_function_receives_it() -> None:
    def find(limit: Any = Field(default=3)) -> None: ...  # noqa: B008  the mistake

    with pytest.raises(BadDeclaration, match=r"'limit' is a Field\(\).*Annotated"):
        tool_of(tool()(find))


@pytest.mark.runtime_line(8)
@pytest.mark.parametrize("hint", [list[ToolContext], ToolContext | str, dict[str, ToolContext]])
def test_no_argument_can_hold_a_context(hint: Any) -> None:
    with pytest.raises(BadDeclaration, match="would let a caller write a ToolContext"):
        schema_of(hint)


@pytest.mark.runtime_line(8)
def test_a_second_context_parameter_is_refused() -> None:
    def find(ctx: ToolContext, other: ToolContext) -> None: ...

    with pytest.raises(BadDeclaration, match="parameter 'other' would let a caller write"):
        tool_of(tool()(find))


@pytest.mark.runtime_line(8)
@pytest.mark.original_fault("TS:schema-p_ctx_magic", "TS:schema-p_ctx_magic_required")
@pytest.mark.parametrize("function", [lambda _ctx: None, lambda confirm_token: None])
def test_what_the_runtime_names_itself_is_no_argument(function: Callable[..., None]) -> None:
    with pytest.raises(BadDeclaration, match=r"parameter '(_ctx|confirm_token)' is "):
        tool_of(tool("t")(function))


def test_keyword_only_parameters_are_arguments_like_others() -> None:
    def find(q: str, *, limit: int = 3) -> None: ...

    schema = tool_of(tool()(find)).input_schema

    assert (list(schema["properties"]), schema["required"]) == (["q", "limit"], ["q"])
