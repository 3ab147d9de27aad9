"""Finding a tool by its name: what is told of names that are none, and to whom."""

from enum import StrEnum

import pytest

from comal_runtime.context import ToolContext
from comal_runtime.result import ErrorCode

from .arranging import Ran, by_ana, decisions, in_code, made, records, registry_with


@pytest.mark.runtime_line(13)
async def test_near_names_are_only_those_the_caller_may_use() -> None:
    registry = registry_with(
        made(Ran(), "wipe"), made(Ran(), "wiper", scopes=("root",)), made(Ran(), "list")
    )

    result = await registry.call("wipr", {}, by_ana())

    assert result.error == "Tool not found: wipr. Near names you may use: wipe."


@pytest.mark.runtime_line(13)
@pytest.mark.original_fault("RC:not-found-anonymous-mcp")
async def test_a_caller_without_rights_learns_no_names_and_not_for_long() -> None:
    registry = registry_with(made(Ran(), "wipe"), made(Ran(), "wiper"))
    nobody = ToolContext(channel="mcp", origin="service")

    first = await registry.call("wip", {}, nobody)
    for _ in range(30):
        last = await registry.call("wip", {}, nobody)

    assert (first.code, first.error) == (ErrorCode.TOOL_NOT_FOUND, "Tool not found: wip.")
    assert last.code == ErrorCode.RATE_LIMITED


@pytest.mark.runtime_line(13)
@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("", "(no name)"),
        (None, "(no name)"),
        (5, "(no name)"),
        (b"wipe", "(no name)"),
        (["wipe"], "(no name)"),
        ("a\nb", "a\\nb"),
        ("\ud800", "\\ud800"),
        ("x" * 1_000_000, "x" * 97 + "..."),
    ],
)
async def test_what_names_no_tool_is_not_found_and_told_on_one_short_line(
    name: object, told: str
) -> None:
    registry = registry_with(made(Ran(), "list"))

    result = await registry.call(name, {}, in_code())

    assert (result.code, result.error) == (ErrorCode.TOOL_NOT_FOUND, f"Tool not found: {told}.")
    assert len(result.to_json().encode()) < 1000
    assert await decisions(registry) == ["refused_at_resolve"]


class Name(StrEnum):
    WIPE = "wipe"


async def test_a_name_may_be_a_member_of_an_enumeration_of_texts() -> None:
    ran = Ran()
    registry = registry_with(made(ran))

    result = await registry.call(Name.WIPE, {}, in_code())

    assert (result.data, ran.calls) == ("done", [{}])


@pytest.mark.runtime_line(11, 12)
@pytest.mark.parametrize("ctx", [{}, {"principal": "cli:ana"}, 0, False, "", "cli", [], object()])
async def test_what_is_no_context_calls_as_nobody_and_not_as_code(ctx: object) -> None:
    ran = Ran()
    registry = registry_with(made(ran))

    result = await registry.call("wipe", {}, ctx)

    assert (result.code, ran.calls) == (ErrorCode.UNAUTHORIZED, [])
    assert str(result.error).startswith("ctx must be a ToolContext")
    [record] = await records(registry)
    assert (record.channel, record.principal, record.origin) == ("unknown", None, "model")


@pytest.mark.runtime_line(12)
async def test_without_a_context_code_itself_calls() -> None:
    registry = registry_with(made(Ran()))

    await registry.call("wipe", {})

    [record] = await records(registry)
    assert (record.channel, record.principal) == ("cli", None)
