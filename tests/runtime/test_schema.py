"""Validation: every fault at once, worded for people, with and without the fast validator."""

import math
from typing import Any

import pytest

from comal_runtime.errors import BadToolSchema
from comal_runtime.schema import MAX_DEPTH, CompiledSchema


@pytest.fixture(params=["fast", "plain"])
def compiled(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Compile schemas with the fast validator if it is installed, and without it."""
    if request.param == "plain":
        monkeypatch.setattr("comal_runtime.schema._quick", lambda schema: None)
    else:
        pytest.importorskip("jsonschema_rs")
    return CompiledSchema


def told(schema: CompiledSchema, value: object) -> list[str]:
    return [fault.message for fault in schema.faults(value)]


def one(**keywords: Any) -> dict[str, Any]:
    """Return the schema of an object with one property, `x`."""
    return {"type": "object", "properties": {"x": keywords}}


@pytest.mark.parametrize(
    ("kind", "value"),
    [("integer", 7.0), ("integer", 10**30), ("number", 7), ("null", None), ("string", "")],
)
def test_a_value_of_the_type_passes(compiled: Any, kind: str, value: object) -> None:
    assert compiled(one(type=kind)).faults({"x": value}) == ()


@pytest.mark.parametrize(
    ("kind", "value", "got"),
    [
        ("integer", True, "boolean"),
        ("integer", 1.5, "number"),
        ("integer", "7", "string"),
        ("number", "7", "string"),
        ("number", True, "boolean"),
        ("string", 7, "integer"),
        ("string", None, "null"),
        ("array", {}, "object"),
        ("object", [], "array"),
    ],
)
def test_a_value_of_another_type_is_told_by_json_names(
    compiled: Any, kind: str, value: object, got: str
) -> None:
    assert told(compiled(one(type=kind)), {"x": value}) == [f"x: Expected {kind}, got {got}"]


@pytest.mark.parametrize(
    ("keywords", "value", "sentence"),
    [
        ({"enum": [1, True, None, "a"]}, "z", 'Value must be one of: 1, true, null, "a"'),
        ({"const": "a"}, "b", 'Value must be "a"'),
        ({"minLength": 3}, "ab", "String too short (min: 3)"),
        ({"maxLength": 1}, "e\u0301", "String too long (max: 1)"),
        ({"maximum": 100}, 101, "Value too large (max: 100)"),
        ({"minimum": 1.0}, 0, "Value too small (min: 1)"),
        ({"exclusiveMaximum": 10}, 10, "Value must be below 10"),
        ({"multipleOf": 5}, 7, "Value must be a multiple of 5"),
        ({"minItems": 1}, [], "Too few items (min: 1)"),
        ({"maxItems": 1}, [1, 2], "Too many items (max: 1)"),
        ({"uniqueItems": True}, [1, 1], "Items must differ from each other"),
        ({"pattern": "^a+$"}, "b", "Must match the pattern ^a+$"),
        ({"format": "date-time"}, "tomorrow", "Not a valid date-time"),
        ({"format": "date"}, "2026-02-30", "Not a valid date"),
        ({"format": "uuid"}, "nope", "Not a valid uuid"),
        ({"format": "email"}, "nope", "Not a valid email"),
        (
            {"anyOf": [{"type": "string"}, {"type": "null"}]},
            5,
            "Expected string or null, got integer",
        ),
        ({"type": ["string", "null"]}, 5, "Expected string or null, got integer"),
        (
            {"oneOf": [{"type": "integer"}, {"minimum": 1}]},
            5,
            "Fits more than one of the allowed forms",
        ),
        ({"not": {}}, 5, "Does not fit the schema's not"),
    ],
)
def test_every_keyword_is_checked_and_worded(
    compiled: Any, keywords: dict[str, Any], value: object, sentence: str
) -> None:
    assert told(compiled(one(**keywords)), {"x": value}) == [f"x: {sentence}"]


def test_an_enum_does_not_take_true_for_one(compiled: Any) -> None:
    assert told(compiled(one(enum=[True])), {"x": 1}) == ["x: Value must be one of: true"]


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


def test_all_faults_are_told_together_missing_first_and_unknown_last(compiled: Any) -> None:
    found = compiled(NESTED).faults({"zz": 1, "u": {"tags": ["a", 5], "a/b~c": 1}, "n": "1"})

    assert [(fault.pointer, fault.message) for fault in found] == [
        ("/u/name", "Missing required field: u.name"),
        ("/m", "Missing required field: m"),
        ("/u/tags/1", "u.tags[1]: Expected string, got integer"),
        ("/n", "n: Expected integer, got string"),
        ("/u/a~1b~0c", "Unknown property: u.a/b~c"),
        ("/zz", "Unknown property: zz"),
    ]


def test_the_order_of_faults_does_not_depend_on_the_order_of_arguments(compiled: Any) -> None:
    subject = compiled({"properties": {"a": {"type": "string"}, "b": {"type": "string"}}})

    assert told(subject, {"b": 1, "a": 1}) == told(subject, {"a": 1, "b": 1})


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

    assert found == ["x.tricks: Expected integer, got string"]


def test_optional_values_are_told_by_the_form_that_is_not_null(compiled: Any) -> None:
    schema = one(anyOf=[{"type": "string", "enum": ["a", "b"]}, {"type": "null"}])

    assert told(compiled(schema), {"x": "c"}) == ['x: Value must be one of: "a", "b"']


def test_a_pattern_property_is_known(compiled: Any) -> None:
    subject = compiled({"patternProperties": {"^x_": {}}, "additionalProperties": False})

    assert told(subject, {"x_a": 1, "y": 1}) == ["Unknown property: y"]


@pytest.mark.parametrize("number", [math.inf, -math.inf, math.nan])
def test_a_number_that_is_not_finite_is_a_fault_anywhere(compiled: Any, number: float) -> None:
    assert told(compiled({}), {"a": [number]}) == [f"a[0]: Expected a finite number, got {number}"]


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ((1, 2), "x: Expected a JSON value, got tuple"),
        (b"a", "x: Expected a JSON value, got bytes"),
        ("\ud800", "x: Expected valid Unicode text, got half a surrogate pair"),
        ({1: 2}, "x: Field names must be valid text"),
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
    ("schema", "pointer"),
    [
        ({"properties": {"x": {"type": "date-time"}}}, "/properties/x/type"),
        ({"required": "a"}, "/required"),
        ({"properties": {"a/b": {"enum": "x"}}}, "/properties/a~1b/enum"),
        ({"properties": {"x": {"pattern": "("}}}, "/properties/x/pattern"),
        ({"properties": {"x": {"$ref": "https://example.org/s"}}}, "/properties/x/$ref"),
        ({"properties": {"default": {"$ref": "other.json"}}}, "/properties/default/$ref"),
        ({"properties": {"x": {"$ref": "#/$defs/gone"}}}, "/properties/x/$ref"),
        ({"$ref": "#"}, ""),
    ],
)
def test_a_schema_that_cannot_be_used_raises_with_the_place(
    compiled: Any, schema: dict[str, Any], pointer: str
) -> None:
    with pytest.raises(BadToolSchema, match="'wipe'") as caught:
        compiled(schema, tool="wipe")

    assert caught.value.pointer == pointer


def test_a_local_reference_is_followed_and_data_is_not_taken_for_one(compiled: Any) -> None:
    subject = compiled(
        {
            "properties": {
                "x": {"$ref": "#/$defs/a~1b"},
                "$ref": {"type": "string"},
                "y": {"default": {"$ref": "elsewhere.json"}},
            },
            "$defs": {"a/b": {"type": "integer"}},
        }
    )

    assert told(subject, {"x": "1", "$ref": "a"}) == ["x: Expected integer, got string"]
