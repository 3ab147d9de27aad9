"""`nullable: true` means the type or null."""

from typing import Any

import pytest

from comal_runtime.nullable import with_nulls
from comal_runtime.schema import CompiledSchema

NULLABLE = {"type": "integer", "nullable": True}


@pytest.mark.runtime_line(14)
@pytest.mark.original_fault("SV:nullable-true-null")
@pytest.mark.parametrize(
    "described",
    [
        NULLABLE,
        {"type": ["integer", "string"], "nullable": True},
        {"type": "string", "enum": ["a"], "nullable": True},
        {"$ref": "#/$defs/maybe"},
        {"anyOf": [NULLABLE, {"type": "string"}]},
    ],
)
def test_null_fits_a_nullable_type(described: dict[str, Any]) -> None:
    schema = CompiledSchema({"properties": {"x": described}, "$defs": {"maybe": NULLABLE}})

    assert schema.faults({"x": None}) == ()


@pytest.mark.parametrize(
    ("described", "value"),
    [
        (NULLABLE, "7"),
        ({"type": "string", "enum": ["a"], "nullable": True}, "b"),
        ({"type": "integer", "nullable": False}, None),
        ({"type": "integer", "nullable": "true"}, None),
        ({"enum": ["a"], "nullable": True}, None),
        ({"type": "object", "properties": {"y": NULLABLE}}, {"y": "z"}),
    ],
)
def test_what_is_neither_of_the_type_nor_null_fits_as_little_as_before(
    described: dict[str, Any], value: object
) -> None:
    schema = CompiledSchema({"properties": {"x": described}})

    assert schema.faults({"x": value}) != ()


def test_a_property_that_is_called_nullable_is_a_property() -> None:
    schema = {"type": "object", "properties": {"nullable": {"type": "boolean"}}}

    assert with_nulls(schema) is schema


def test_the_schema_that_was_given_stays_as_it_was() -> None:
    given = {"properties": {"x": dict(NULLABLE)}}

    with_nulls(given)

    assert given == {"properties": {"x": NULLABLE}}
