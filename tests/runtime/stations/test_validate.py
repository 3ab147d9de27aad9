"""Validating: everything wrong with the arguments in one answer, before anything else is asked."""

from collections.abc import Iterator
from typing import Any

import pytest

from comal_runtime.context import ToolContext
from comal_runtime.result import ErrorCode

from .arranging import Ran, by_ana, decisions, in_code, made, registry_with

SCHEMA = {
    "type": "object",
    "properties": {
        "disk": {"type": "string"},
        "parts": {"type": "array", "items": {"properties": {"size": {"type": "number"}}}},
        "password": {"type": "integer"},
    },
    "required": ["disk"],
    "additionalProperties": False,
}


@pytest.mark.runtime_line(14)
@pytest.mark.original_fault("SV:nested-wrong-type", "SV:items-bad", "SV:type-number-numstr_int")
async def test_every_fault_is_told_at_once_for_people_and_for_programs() -> None:
    ran = Ran()
    registry = registry_with(made(ran, schema=SCHEMA))

    result = await registry.call("wipe", {"parts": [{}, {"size": "7"}], "disc": 1}, in_code())

    assert ran.calls == []
    assert result.code == ErrorCode.VALIDATION_ERROR
    assert result.error == (
        'Missing required field: disk; parts/1/size: Expected number, got string "7"; '
        'Unknown property: disc; did you mean "disk"?'
    )
    assert "; ".join(one["message"] for one in result.meta["faults"]) == result.error
    assert [(one["pointer"], one["keyword"]) for one in result.meta["faults"]] == [
        ("/disk", "required"),
        ("/parts/1/size", "type"),
        ("/disc", "additionalProperties"),
    ]


async def test_a_secret_argument_is_neither_told_nor_kept_when_it_is_refused() -> None:
    registry = registry_with(made(Ran(), schema=SCHEMA))

    result = await registry.call("wipe", {"disk": "a", "password": "hunter2"}, in_code())

    assert result.error == "password: Expected integer, got string"
    assert "hunter2" not in result.to_json()


async def test_a_large_fault_gives_a_short_answer() -> None:
    registry = registry_with(made(Ran(), schema=SCHEMA))
    parts = [{"size": "x" * 50} for _ in range(2000)]

    result = await registry.call("wipe", {"disk": "a", "parts": parts}, in_code())

    assert str(result.error).endswith("... and at least 980 more faults")
    assert len(result.to_json()) < 12_000


@pytest.mark.parametrize("args", [None, 5, "a", [], [1], True, 1.5, b"a", ("a",), object()])
async def test_arguments_that_are_no_object_are_a_validation_error(args: Any) -> None:
    ran = Ran()
    registry = registry_with(made(ran, schema=SCHEMA))

    result = await registry.call("wipe", args, in_code())

    assert (result.code, ran.calls) == (ErrorCode.VALIDATION_ERROR, [])
    assert await decisions(registry) == ["refused_at_validate"]


class Unruly(dict[str, Any]):
    def __iter__(self) -> Iterator[str]:
        raise OSError("secret")

    def keys(self) -> Any:
        raise OSError("secret")


async def test_arguments_that_raise_when_they_are_read_are_a_validation_error() -> None:
    registry = registry_with(made(Ran(), schema=SCHEMA))

    result = await registry.call("wipe", Unruly(disk="a"), in_code())

    assert result.code == ErrorCode.VALIDATION_ERROR
    assert "secret" not in result.to_json()


@pytest.mark.runtime_line(11)
@pytest.mark.original_fault("RC:validation-before-authorization")
async def test_a_caller_without_rights_learns_what_is_wrong_but_not_for_long() -> None:
    """The contract's order; the probing budget is what keeps schemas from being spelt out."""
    registry = registry_with(made(Ran(), schema=SCHEMA, scopes=("root",)))
    nobody = ToolContext(channel="mcp", origin="service")

    first = await registry.call("wipe", {}, nobody)
    for _ in range(30):
        last = await registry.call("wipe", {}, nobody)

    assert (first.code, last.code) == (ErrorCode.VALIDATION_ERROR, ErrorCode.RATE_LIMITED)
    assert "disk" not in str(last.error)


async def test_denials_spend_the_probing_budget_as_faults_do() -> None:
    registry = registry_with(made(Ran(), scopes=("root",)), made(Ran(), "ok"))
    for _ in range(30):
        await registry.call("wipe", {}, by_ana())

    assert (await registry.call("ok", {}, by_ana())).code == ErrorCode.RATE_LIMITED


async def test_a_tool_that_changes_a_default_changes_it_for_this_call_only() -> None:
    seen: list[list[int]] = []

    async def appends(parts: list[int]) -> None:
        seen.append(list(parts))
        parts.append(1)

    schema = {"properties": {"parts": {"type": "array", "default": []}}}
    registry = registry_with(made(appends, schema=schema))
    for _ in range(2):
        await registry.call("wipe", {}, in_code())

    assert seen == [[], []]


@pytest.mark.parametrize("character", ["a", "\u00e9", "\x00", "\U0001f600"])
@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize(("count", "taken"), [(10, True), (400, False)])
async def test_arguments_are_taken_by_their_size_in_json_whatever_their_shape(
    character: str, nested: bool, count: int, taken: bool
) -> None:
    registry = registry_with(made(Ran()), max_argument_bytes=399)
    text = character * count

    result = await registry.call("wipe", {"a": [text] if nested else text}, in_code())

    assert result.success is taken
    assert taken or "at most 399 are taken" in str(result.error)


async def test_many_numbers_count_as_well() -> None:
    registry = registry_with(made(Ran()), max_argument_bytes=399)

    result = await registry.call("wipe", {f"a{n}": 10**9 for n in range(40)}, in_code())

    assert "at most 399 are taken" in str(result.error)
