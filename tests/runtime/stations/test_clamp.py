"""Clamping: brought into bounds after validation, told, and never out of the schema."""

from typing import Any

import pytest

from comal_runtime.redact import MASK
from comal_runtime.result import ErrorCode, ToolResult

from .arranging import Ran, in_code, made, registry_with


async def called(
    value: Any, bounds: dict[str, Any], schema: dict[str, Any] | None = None, name: str = "n"
) -> tuple[Ran, ToolResult]:
    ran = Ran()
    shape = {"type": "object", "properties": {name: schema or {}}}
    registry = registry_with(made(ran, schema=shape, clamps={name: bounds}))
    return ran, await registry.call("wipe", {name: value}, in_code())


@pytest.mark.runtime_line(15)
@pytest.mark.original_fault("RC:clamps-after-validation", "TS:invoke-param-clamp-rejects")
@pytest.mark.parametrize(
    ("value", "bounds", "brought_in"),
    [
        (500, {"min": 1, "max": 10}, 10),
        (-5, {"min": 1, "max": 10}, 1),
        (500, {"max": 10.0}, 10),
        (500, {"max": 10.5}, 10),
        (-500, {"min": -10.5}, -10),
        (5.5, {"max": 5}, 5.0),
        (-5.5, {"min": -5}, -5.0),
        (10**30, {"max": 10**29}, 10**29),
        (1e308, {"max": 10**30}, 1e30),
        ("abcdef", {"maxLength": 3}, "abc"),
        ("e\u0301\U0001f600x", {"maxLength": 3}, "e\u0301\U0001f600"),
        ("abc", {"maxLength": 2.0}, "ab"),
    ],
)
async def test_a_value_out_of_bounds_is_brought_in_and_keeps_its_type(
    value: object, bounds: dict[str, Any], brought_in: object
) -> None:
    ran, result = await called(value, bounds)

    [arguments] = ran.calls
    assert (arguments["n"], type(arguments["n"])) == (brought_in, type(brought_in))
    assert result.meta["clamped"] == {"n": {"from": value, "to": brought_in}}


@pytest.mark.runtime_line(15)
@pytest.mark.original_fault(
    "SV:clamp-str-above",
    "SV:clamp-bool-false",
    "SV:clamp-array",
    "SV:clamp-maxlength-and-max",
)
@pytest.mark.parametrize(
    ("value", "bounds"),
    [
        (7, {"min": 1, "max": 10}),
        (10, {"max": 10.0}),
        (10.0, {"max": 10}),
        ("500", {"max": 10}),
        (True, {"min": 2}),
        (False, {"max": -1}),
        ([500], {"max": 10, "maxLength": 0}),
        ({"n": 500}, {"max": 10}),
        (None, {"min": 1}),
        (5, {"maxLength": 0}),
        (10**600, {"max": float("inf"), "min": float("-inf")}),
        (5, {"min": float("inf")}),
        ("", {"maxLength": 0}),
    ],
)
async def test_a_value_within_bounds_or_without_a_size_is_left_alone(
    value: object, bounds: dict[str, Any]
) -> None:
    ran, result = await called(value, bounds)

    [arguments] = ran.calls
    assert arguments["n"] is value or (arguments["n"], type(arguments["n"])) == (value, type(value))
    assert "clamped" not in result.meta


@pytest.mark.parametrize(
    ("value", "bounds", "schema"),
    [
        (501, {"max": 10}, {"multipleOf": 3}),
        (500, {"max": 10}, {"enum": [1, 500]}),
        (500, {"max": 10}, {"minimum": 20}),
        (3, {"min": 1.2, "max": 1.8}, {"minimum": 2}),
        ("abcdef", {"maxLength": 3}, {"minLength": 4}),
        ("2026-01-31", {"maxLength": 3}, {"format": "date"}),
    ],
)
async def test_a_clamped_value_that_the_schema_refuses_is_refused(
    value: object, bounds: dict[str, Any], schema: dict[str, Any]
) -> None:
    ran, result = await called(value, bounds, schema)

    assert ran.calls == []
    assert result.code == ErrorCode.VALIDATION_ERROR
    assert str(result.error).startswith("Out of bounds (n), and no value at the bounds is allowed:")


async def test_a_clamped_multiple_that_fits_passes() -> None:
    ran, _ = await called(501, {"max": 9}, {"multipleOf": 3})

    assert ran.calls == [{"n": 9}]


async def test_a_default_out_of_bounds_is_brought_in_too() -> None:
    ran = Ran()
    schema = {"properties": {"n": {"default": 50}}}
    registry = registry_with(made(ran, schema=schema, clamps={"n": {"max": 10}}))

    result = await registry.call("wipe", {}, in_code())

    assert ran.calls == [{"n": 10}]
    assert result.meta["clamped"] == {"n": {"from": 50, "to": 10}}


async def test_what_was_cut_is_told_short_and_a_secret_not_at_all() -> None:
    _, long = await called("a" * 100_000, {"maxLength": 90_000})
    _, secret = await called("hunter2", {"maxLength": 3}, name="password")

    assert len(str(long.meta["clamped"])) < 700
    assert secret.meta["clamped"] == {"password": {"from": MASK, "to": MASK}}
