"""Registering a schema: what cannot be used is refused, with its place."""

from typing import Any

import pytest

from comal_runtime.errors import BadToolSchema

from .compiling import told


@pytest.mark.runtime_line(9)
@pytest.mark.original_fault(
    "RC:malformed-schema-typeerror", "SV:schema-enum-string", "SV:type-unknown-any"
)
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
        ({"properties": {"x": {"anyOf": [{}, {"$ref": "#/properties/x"}]}}}, ""),
        ({"dependentSchemas": {"a": {"$ref": "#"}}}, ""),
        ({"$anchor": "a", "properties": {"x": {"not": {"$ref": "#b"}, "$anchor": "b"}}}, ""),
        ({"$defs": {"x": {"$id": "https://example.org/x"}}}, "/$defs/x/$id"),
        (
            {"properties": {"x": {"patternProperties": {"a[": {}}}}},
            "/properties/x/patternProperties/a[",
        ),
        (
            {
                "properties": {"x": {"$ref": "#/patternProperties/^a$"}},
                "patternProperties": {"^a$": {}},
            },
            "/properties/x/$ref",
        ),
    ],
)
def test_a_schema_that_cannot_be_used_raises_with_the_place(
    compiled: Any, schema: dict[str, Any], pointer: str
) -> None:
    with pytest.raises(BadToolSchema, match="'wipe'") as caught:
        compiled(schema, tool="wipe")

    assert caught.value.pointer == pointer


@pytest.mark.original_fault("SV:ref-ignored")
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

    assert told(subject, {"x": "1", "$ref": "a"}) == ['x: Expected integer, got string "1"']


def test_a_reference_below_a_field_may_lead_back(compiled: Any) -> None:
    subject = compiled({"properties": {"child": {"$ref": "#"}, "n": {"type": "integer"}}})

    assert told(subject, {"child": {"child": {"n": "1"}}}) == [
        'child/child/n: Expected integer, got string "1"'
    ]
