"""Declaring a tool: the decorator, its options and the value it becomes."""

import functools
import hashlib
import json

import pytest

from comal_runtime.callables import Way
from comal_runtime.context import ToolContext
from comal_runtime.errors import BadDeclaration, BadToolSchema, ToolError
from comal_runtime.result import ErrorCode
from comal_runtime.tools import (
    DECLARATION,
    Param,
    Tool,
    ToolDeclaration,
    ToolOptions,
    canonical_json,
    tool,
)


def greet(name: str) -> str:
    return f"hello {name}"


def made(**changes: object) -> Tool:
    fields: dict[str, object] = {
        "name": "greet",
        "description": "Greet.",
        "input_schema": {"type": "object", "properties": {}},
        "callback": greet,
        **changes,
    }
    return Tool(**fields)


@pytest.mark.runtime_line(1)
@pytest.mark.original_fault("TS:schema-a_everything", "TS:schema-o_confirm")
def test_the_decorator_returns_the_very_function_with_a_declaration_attached() -> None:
    def wipe() -> None: ...

    declared = tool("erase", scopes=("disk:write",), mutating=True)(wipe)

    declaration = getattr(wipe, DECLARATION)
    assert declared is wipe
    assert isinstance(declaration, ToolDeclaration)
    assert declaration.name == "erase"
    assert declaration.options == ToolOptions(scopes=("disk:write",), mutating=True)


def test_the_decorator_works_without_parentheses() -> None:
    @tool
    def ping() -> str:
        return "pong"

    assert ping() == "pong"
    assert getattr(ping, DECLARATION).options == ToolOptions()


@pytest.mark.runtime_line(1)
def test_an_option_that_does_not_exist_is_refused() -> None:
    with pytest.raises(BadDeclaration, match="no option 'mutatin'; did you mean 'mutating'"):
        tool(mutatin=True)  # type: ignore[call-overload]  # the mistake under test


def test_an_option_that_is_near_none_is_refused_with_those_there_are() -> None:
    with pytest.raises(BadDeclaration, match="no option 'zzz'; known: scopes, mutating, confirm"):
        tool(zzz=1)  # type: ignore[call-overload]  # the mistake under test


@pytest.mark.runtime_line(15)
@pytest.mark.original_fault("SV:clamp-inverted-low")
@pytest.mark.parametrize(
    ("clamps", "told"),
    [
        ({"n": {"min": 5, "max": 1}}, "inverted"),
        ({"n": {"minimum": 1}}, "'minimum'"),
        ({"n": {"max": "9"}}, "must be a number"),
        ({"n": {"max": float("nan")}}, "must be a number"),
        ({"n": {"maxLength": -1}}, "maxLength"),
    ],
)
def test_a_clamp_that_cannot_hold_is_refused_when_declared(
    clamps: dict[str, dict[str, float]], told: str
) -> None:
    with pytest.raises(BadDeclaration, match=told):
        ToolOptions(clamps=clamps)


def test_options_copy_the_clamps_they_are_given() -> None:
    clamps = {"n": {"max": 3.0}}
    options = ToolOptions(clamps=clamps)

    clamps["n"]["max"] = 99.0

    assert options.clamps["n"]["max"] == 3.0


def test_a_text_is_not_taken_for_a_list_of_scopes() -> None:
    with pytest.raises(BadDeclaration, match="'notes:read'"):
        tool(scopes="notes:read")  # type: ignore[call-overload]  # the mistake under test


@pytest.mark.parametrize("timeout", [-1, float("inf"), float("nan")])
def test_a_timeout_that_never_ends_is_refused(timeout: float) -> None:
    with pytest.raises(BadDeclaration, match="timeout"):
        ToolOptions(timeout=timeout)


@pytest.mark.runtime_line(2)
@pytest.mark.original_fault("TS:schema-a_clamp_one")
def test_a_parameter_clamp_needs_two_edges() -> None:
    with pytest.raises(BadDeclaration, match="lowest, highest"):
        Param(clamp=(1,))


def test_the_digest_is_the_hash_of_the_canonical_definition() -> None:
    subject = made(options=ToolOptions(version="2"))

    definition = {
        "name": "greet",
        "description": "Greet.",
        "schema": {"type": "object", "properties": {}},
        "version": "2",
    }
    assert (
        subject.definition_digest == hashlib.sha256(canonical_json(definition).encode()).hexdigest()
    )


def test_the_digest_changes_with_every_part_of_the_definition_and_with_nothing_else() -> None:
    plain = made().definition_digest

    changed = [
        made(name="other"),
        made(description="Other."),
        made(input_schema={"type": "object"}),
        made(options=ToolOptions(version="1")),
    ]

    assert plain not in {item.definition_digest for item in changed}
    assert made(options=ToolOptions(mutating=True)).definition_digest == plain


def test_canonical_json_sorts_keys_and_keeps_characters() -> None:
    assert canonical_json({"ñ": 1, "a": [1.5, None]}) == '{"a":[1.5,null],"ñ":1}'


def test_canonical_json_refuses_what_json_lacks() -> None:
    with pytest.raises(ValueError, match="JSON"):
        canonical_json({"x": float("nan")})


def test_changing_the_schema_that_was_given_does_not_change_the_tool() -> None:
    schema: dict[str, object] = {"type": "object", "properties": {}}
    subject = made(input_schema=schema)

    schema["required"] = ["x"]

    assert subject.input_schema == {"type": "object", "properties": {}}


@pytest.mark.runtime_line(9)
def test_a_schema_that_is_not_json_names_its_tool() -> None:
    with pytest.raises(BadToolSchema, match="greet") as caught:
        made(input_schema={"enum": {1, 2}})

    assert caught.value.tool == "greet"


def test_async_callbacks_are_told_from_sync_ones_through_objects_and_partials() -> None:
    async def later(n: int) -> int:
        return n

    class Caller:
        async def __call__(self) -> None: ...

    assert made(callback=later).way is Way.AWAITED
    assert made(callback=functools.partial(later, 1)).way is Way.AWAITED
    assert made(callback=Caller()).way is Way.AWAITED
    assert made().way is Way.THREADED


def test_a_hand_made_tool_passes_its_arguments_as_keywords_and_the_context_by_annotation() -> None:
    def whoami(who: ToolContext | None, q: str = "") -> None: ...

    subject = made(callback=whoami)
    ctx = ToolContext.cli(principal="ana")

    assert subject.context_parameter == "who"
    assert subject.bind({"q": "x"}, ctx) == {"q": "x", "who": ctx}
    assert made().bind({"name": "x"}, ctx) == {"name": "x"}


@pytest.mark.runtime_line(8)
@pytest.mark.original_fault("RC:ctx-spoof")
def test_an_argument_called_like_the_context_parameter_never_replaces_the_context() -> None:
    def whoami(ctx: ToolContext) -> None: ...

    ctx = ToolContext.cli(principal="ana")

    assert made(callback=whoami).bind({"ctx": "spoof"}, ctx) == {"ctx": ctx}


@pytest.mark.parametrize("name", ["", " ", "wipe\n", "wi\x00pe"])
def test_a_name_that_is_blank_or_breaks_its_line_is_refused(name: str) -> None:
    with pytest.raises(BadDeclaration, match="one line that is not blank"):
        made(name=name)


def test_a_tool_error_keeps_its_sentence_code_and_data() -> None:
    error = ToolError("no such note", code=ErrorCode.NOT_FOUND, data={"id": 7})

    assert (str(error), error.code, error.data) == ("no such note", "NOT_FOUND", {"id": 7})
    assert ToolError("x").code is None
    assert json.dumps(error.data) == '{"id": 7}'
