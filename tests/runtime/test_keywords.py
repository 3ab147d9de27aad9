"""Every keyword of draft 2020-12: checked at any depth, and worded."""

from typing import Any

import pytest

from .compiling import one, told


@pytest.mark.runtime_line(14)
@pytest.mark.original_fault(
    "SV:type-number-numstr_int",
    "SV:type-number-spacestr-trail",
    "SV:type-number-newline",
    "SV:type-null-str",
    "SV:type-array-object",
    "SV:type-string-float",
    "SV:type-array-empty_object",
    "SV:type-object-empty_list",
)
@pytest.mark.parametrize(
    ("kind", "value", "got"),
    [
        ("integer", True, "boolean true"),
        ("integer", 1.5, "number 1.5"),
        ("integer", "7", 'string "7"'),
        ("number", "7", 'string "7"'),
        ("number", " 7\n", 'string " 7\\n"'),
        ("number", True, "boolean true"),
        ("string", 7, "integer 7"),
        ("string", None, "null"),
        ("array", {}, "object"),
        ("object", [], "array"),
    ],
)
def test_a_value_of_another_type_is_told_by_json_names(
    compiled: Any, kind: str, value: object, got: str
) -> None:
    assert told(compiled(one(type=kind)), {"x": value}) == [f"x: Expected {kind}, got {got}"]


@pytest.mark.runtime_line(14)
@pytest.mark.original_fault(
    "SV:pattern-ignored",
    "SV:format-ignored",
    "SV:const-ignored",
    "SV:multipleof-ignored",
    "SV:exclmin-ignored",
    "SV:anyof-ignored",
    "SV:len-minitems-ignored",
    "SV:uniqueitems-ignored",
    "SV:type-union-list-bad",
    "SV:enum-message-mixed",
)
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
            "Expected string or null, got integer 5",
        ),
        ({"type": ["string", "null"]}, 5, "Expected string or null, got integer 5"),
        (
            {"oneOf": [{"type": "integer"}, {"minimum": 1}]},
            5,
            "Fits more than one of the 2 allowed forms, which exclude each other",
        ),
        ({"not": {}}, 5, "Not allowed"),
        ({"not": {"minimum": 5}}, 5, "Has a form that is not allowed"),
        (
            {"not": {"required": ["a", "b"]}},
            {"a": 1, "b": 1},
            'Not allowed together: "a", "b"',
        ),
        ({"not": {"const": 5}}, 5, "Value must not be 5"),
        ({"not": {"enum": [5, "a"]}}, 5, 'Value must be none of: 5, "a"'),
        ({"not": {"type": ["integer", "null"]}}, 5, "Must not be integer or null"),
        ({"contains": {"const": 1}}, [2], "No item has the form that one must have"),
        (
            {"contains": {"const": 1}, "minContains": 2},
            [1],
            "Too few items of the form that some must have (min: 2)",
        ),
        (
            {"contains": {"const": 1}, "maxContains": 1},
            [1, 1],
            "Too many items of the form that some must have (max: 1)",
        ),
        (
            {"prefixItems": [{}], "unevaluatedItems": False},
            [1, 2],
            "Holds items that are not allowed",
        ),
        ({"minProperties": 1}, {}, "Too few fields (min: 1)"),
        (
            {"propertyNames": {"pattern": "^a"}},
            {"b": 1},
            'Field name "b": Must match the pattern ^a',
        ),
        ({"properties": {"y": False}}, {"y": 1}, None),
    ],
)
def test_every_keyword_is_checked_and_worded(
    compiled: Any, keywords: dict[str, Any], value: object, sentence: str | None
) -> None:
    wanted = "x/y: Not allowed" if sentence is None else f"x: {sentence}"

    assert told(compiled(one(**keywords)), {"x": value}) == [wanted]


def test_an_enum_does_not_take_true_for_one(compiled: Any) -> None:
    assert told(compiled(one(enum=[True])), {"x": 1}) == ["x: Value must be one of: true"]


def test_a_pattern_property_is_known(compiled: Any) -> None:
    subject = compiled({"patternProperties": {"^x_": {}}, "additionalProperties": False})

    assert told(subject, {"x_a": 1, "y": 1}) == ["Unknown property: y"]


@pytest.mark.runtime_line(14)
@pytest.mark.original_fault(
    "SV:nested-range", "SV:nested-enum-on-object", "SV:enum-array-member-bad"
)
def test_bounds_and_enumerations_hold_at_any_depth(compiled: Any) -> None:
    subject = compiled(one(properties={"n": {"minimum": 18}}, enum=[{"n": 20}, [1, "a"]]))

    assert told(subject, {"x": {"n": 5}}) == [
        "x/n: Value too small (min: 18)",
        'x: Value must be one of: {"n": 20}, [1, "a"]',
    ]


@pytest.mark.original_fault("SV:range-numstr-string-type")
def test_a_range_is_about_numbers_and_not_about_their_digits(compiled: Any) -> None:
    assert compiled(one(type="string", minimum=5)).faults({"x": "3"}) == ()


@pytest.mark.original_fault("SV:type-object-listlike-keys", "SV:type-array-listlike-keys")
def test_an_object_with_numbers_for_names_is_no_array(compiled: Any) -> None:
    value = {"x": {"0": "a", "1": "b"}}

    assert compiled(one(type="object")).faults(value) == ()
    assert told(compiled(one(type="array")), value) == ["x: Expected array, got object"]


@pytest.mark.original_fault("SV:addl-false-numeric-key", "SV:schema-prop-boolean")
def test_a_name_of_digits_and_a_schema_that_is_true_or_false_are_ordinary(compiled: Any) -> None:
    subject = compiled({"properties": {"0": True, "1": False}, "additionalProperties": False})

    assert told(subject, {"0": "x", "1": 1, "2": 2}) == ["1: Not allowed", "Unknown property: 2"]


@pytest.mark.original_fault("SV:addl-schema-ignored")
def test_fields_without_a_name_of_their_own_are_held_to_a_schema_too(compiled: Any) -> None:
    subject = compiled({"additionalProperties": {"type": "integer"}})

    assert told(subject, {"a": "7"}) == ['a: Expected integer, got string "7"']
