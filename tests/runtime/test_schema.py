"""Validation: every fault at once, worded for people, with and without the fast validator."""

import math
from collections import OrderedDict
from enum import IntEnum, StrEnum
from typing import Any

import pytest

from comal_runtime.schema import MAX_DEPTH

from .compiling import one, told


class Label(str):
    """A text of a type of its own."""

    __slots__ = ()


class Colour(StrEnum):
    RED = "red"


class Level(IntEnum):
    HIGH = 7


@pytest.mark.runtime_line(14)
@pytest.mark.original_fault("SV:type-integer-float_whole")
@pytest.mark.parametrize(
    ("kind", "value"),
    [("integer", 7.0), ("integer", 10**30), ("number", 7), ("null", None), ("string", "")],
)
def test_a_value_of_the_type_passes(compiled: Any, kind: str, value: object) -> None:
    assert compiled(one(type=kind)).faults({"x": value}) == ()


@pytest.mark.parametrize(
    "text", ["2026-01-31T09:30:00Z", "2026-01-31T09:30:00.5+02:00", "2026-01-31t09:30:00"]
)
def test_a_moment_may_leave_its_offset_out(compiled: Any, text: str) -> None:
    assert compiled(one(format="date-time")).faults({"x": text}) == ()


@pytest.mark.parametrize("text", ["2026-01-31", "20260131T093000Z", "2026-13-01T00:00:00Z"])
def test_other_spellings_of_a_moment_are_refused(compiled: Any, text: str) -> None:
    assert told(compiled(one(format="date-time")), {"x": text}) == ["x: Not a valid date-time"]


def test_formats_that_are_not_asserted_are_hints_with_either_validator(compiled: Any) -> None:
    for name in ("hostname", "uri-reference", "json-pointer", "binary", "unheard-of"):
        assert compiled(one(format=name)).faults({"x": "a b\\%zz"}) == ()


NESTED = {
    "type": "object",
    "properties": {
        "u": {
            "type": "object",
            "properties": {"name": {"type": "string"}, "tags": {"items": {"type": "string"}}},
            "required": ["name"],
            "additionalProperties": False,
        },
        "n": {"type": "integer"},
    },
    "required": ["n", "m"],
    "additionalProperties": False,
}


@pytest.mark.runtime_line(14)
@pytest.mark.original_fault(
    "SV:nested-wrong-type",
    "SV:nested-missing-required",
    "SV:nested-additional",
    "SV:items-bad",
    "TS:invoke-object-nested-missing",
)
def test_all_faults_are_told_together_missing_first_and_unknown_last(compiled: Any) -> None:
    found = compiled(NESTED).faults({"zz": 1, "u": {"tags": ["a", 5], "a/b~c": 1}, "n": "1"})

    assert [(fault.pointer, fault.message) for fault in found] == [
        ("/u/name", "Missing required field: u/name"),
        ("/m", "Missing required field: m"),
        ("/u/tags/1", "u/tags/1: Expected string, got integer 5"),
        ("/n", 'n: Expected integer, got string "1"'),
        ("/u/a~1b~0c", 'Unknown property: u/a~1b~0c; fields left to give: "name"'),
        ("/zz", "Unknown property: zz"),
    ]


def test_the_order_of_faults_does_not_depend_on_the_order_of_arguments(compiled: Any) -> None:
    subject = compiled({"properties": {"a": {"type": "string"}, "b": {"type": "string"}}})

    assert told(subject, {"b": 1, "a": 1}) == told(subject, {"a": 1, "b": 1})


@pytest.mark.original_fault("SV:schema-root-type-string")
def test_a_fault_of_the_whole_value_has_the_empty_pointer(compiled: Any) -> None:
    found = compiled({"type": "string"}).faults({"a": 1})

    assert [(fault.pointer, fault.message) for fault in found] == [
        ("", "Expected string, got object")
    ]


def test_a_nearly_right_form_of_several_is_told_by_its_own_faults(compiled: Any) -> None:
    schema = one(
        oneOf=[
            {"properties": {"kind": {"const": "cat"}, "lives": {"type": "integer"}}},
            {"properties": {"kind": {"const": "dog"}, "tricks": {"type": "integer"}}},
        ]
    )

    found = told(compiled(schema), {"x": {"kind": "dog", "tricks": "many", "lives": "nine"}})

    assert found == ['x/tricks: Expected integer, got string "many"']


def test_optional_values_are_told_by_the_form_that_is_not_null(compiled: Any) -> None:
    schema = one(anyOf=[{"type": "string", "enum": ["a", "b"]}, {"type": "null"}])

    assert told(compiled(schema), {"x": "c"}) == ['x: Value must be one of: "a", "b"']


@pytest.mark.parametrize("number", [math.inf, -math.inf, math.nan])
def test_a_number_that_is_not_finite_is_a_fault_anywhere(compiled: Any, number: float) -> None:
    assert told(compiled({}), {"a": [number]}) == [f"a/0: Expected a finite number, got {number}"]


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ((1, 2), "x: Expected a JSON value, got something that JSON cannot hold"),
        (b"a", "x: Expected a JSON value, got something that JSON cannot hold"),
        ("\ud800", "x: Expected valid Unicode text, got half a surrogate pair"),
        ({1: 2}, "x: Field names must be valid text"),
        (10**640, "x: Number too large (max: 640 digits)"),
        (-(10**641), "x: Number too large (max: 640 digits)"),
    ],
)
def test_a_value_that_json_lacks_is_a_fault(compiled: Any, value: object, sentence: str) -> None:
    assert told(compiled({}), {"x": value}) == [sentence]


def test_a_value_nested_without_end_is_a_fault_and_no_crash(compiled: Any) -> None:
    value: list[Any] = []
    for _ in range(100_000):
        value = [value]

    (found,) = compiled({}).faults({"x": value})

    assert found.message.endswith(f"Nested deeper than {MAX_DEPTH} levels")
    while value:  # taken apart by hand: freeing it at once recurses too
        value = value.pop()


def test_names_from_the_caller_cannot_break_the_line(compiled: Any) -> None:
    subject = compiled({"additionalProperties": False})

    assert told(subject, {"a\nok": 1}) == ["Unknown property: a\\nok"]


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (Label("a"), "string"),
        (Colour.RED, "string"),
        (Level.HIGH, "integer"),
        (OrderedDict(a=Label("b")), "object"),
    ],
)
def test_a_value_of_a_type_that_adds_to_jsons_own_is_what_it_adds_to(
    compiled: Any, value: object, kind: str
) -> None:
    assert compiled(one(type=kind)).faults({"x": value}) == ()
    assert len(compiled(one(type="boolean")).faults({"x": value})) == 1
