"""Schemas compiled with and without the fast validator, for the tests of validation."""

from typing import Any

from comal_runtime.schema import CompiledSchema


def told(schema: CompiledSchema, value: object) -> list[str]:
    return [fault.message for fault in schema.faults(value)]


def one(**keywords: Any) -> dict[str, Any]:
    """Return the schema of an object with one property, `x`."""
    return {"type": "object", "properties": {"x": keywords}}
