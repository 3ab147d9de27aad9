"""The tools of a registry, looked up."""

import json
import logging
from typing import Any

import pytest

from comal_runtime.catalogue import NEEDS_CONFIRMATION, summary
from comal_runtime.errors import BadToolSchema
from comal_runtime.registry import ToolRegistry
from comal_runtime.tools import ToolOptions

from .stations.arranging import Ran, made, registry_with


@pytest.mark.runtime_line(56)
@pytest.mark.original_fault("RC:summaries")
@pytest.mark.parametrize("schema", [{}, {"type": "object"}, {"type": "object", "required": ["a"]}])
def test_properties_are_an_object_even_where_there_are_none(schema: dict[str, Any]) -> None:
    told = summary(made(Ran(), schema=schema))["inputSchema"]

    assert json.dumps(told["properties"]) == "{}"
    assert told["type"] == "object"


@pytest.mark.runtime_line(56)
@pytest.mark.original_fault("RC:summaries")
@pytest.mark.parametrize(
    ("options", "reads_only", "asks"),
    [
        ({}, True, False),
        ({"mutating": True}, False, False),
        ({"mutating": True, "confirm": True}, False, True),
        ({"confirm": True}, True, True),
        ({"approval": "money"}, True, True),
    ],
)
def test_hints_tell_what_changes_something_and_what_waits_for_a_yes(
    options: dict[str, Any], reads_only: bool, asks: bool
) -> None:
    told = summary(made(Ran(), **options))

    assert told["annotations"] == {"readOnlyHint": reads_only, "destructiveHint": not reads_only}
    assert told.get("_meta", {}).get(NEEDS_CONFIRMATION, False) is asks


@pytest.mark.runtime_line(56)
def test_version_and_output_schema_are_told_where_there_are_some() -> None:
    bare = summary(made(Ran()))
    full = summary(made(Ran(), version="2", output_schema={"type": "object"}))

    assert not {"version", "outputSchema"} & set(bare)
    assert (full["version"], full["outputSchema"]) == ("2", {"type": "object"})


def test_summaries_are_built_once() -> None:
    registry = registry_with(made(Ran()))

    first, second = registry.get_tool_summaries(), registry.get_tool_summaries()

    assert first is not second
    assert first[0] is second[0]


def test_no_caller_can_spoil_what_others_are_told() -> None:
    registry = registry_with(made(Ran(), output_schema={"type": "object"}))
    told = registry.get_tool_summaries()

    told.clear()
    with pytest.raises(TypeError):
        registry.get_tool_summaries()[0]["outputSchema"]["type"] = "array"
    with pytest.raises(TypeError):
        registry.get_tool_definitions()[0].input_schema["properties"]["x"] = {}

    assert [one["name"] for one in registry.get_tool_summaries()] == ["wipe"]


@pytest.mark.runtime_line(9)
@pytest.mark.parametrize(
    ("schema", "pointer"),
    [
        ({"type": "nonsense"}, "/outputSchema/type"),
        ({"$ref": "https://example.org/s.json"}, r"/outputSchema/\$ref"),
    ],
)
def test_an_output_schema_that_cannot_be_used_raises_at_registration(
    schema: dict[str, Any], pointer: str
) -> None:
    registry = ToolRegistry()

    with pytest.raises(BadToolSchema, match=f"'wipe', at {pointer}"):
        registry.register("wipe", "Wipe.", {}, len, ToolOptions(output_schema=schema))

    assert "wipe" not in registry


@pytest.mark.runtime_line(9)
def test_a_remote_reference_raises_at_registration_naming_tool_and_pointer() -> None:
    with pytest.raises(BadToolSchema, match=r"'wipe', at /properties/a/\$ref"):
        registry_with(made(Ran(), schema={"properties": {"a": {"$ref": "http://x.org/y"}}}))


@pytest.mark.runtime_line(57)
def test_definitions_are_the_tools_in_the_order_of_registration() -> None:
    tools = [made(Ran(), "zeta"), made(Ran(), "alpha")]

    assert registry_with(*tools).get_tool_definitions() == tools


@pytest.mark.runtime_line(58)
def test_a_registry_says_what_fits_a_model_and_warns_of_what_does_not(
    caplog: pytest.LogCaptureFixture,
) -> None:
    names = [f"big{number}" for number in range(7)]
    wide = {"type": "object", "description": "d" * 4000}
    registry = registry_with(*(made(Ran(), name, schema=wide) for name in names))

    budget = registry.get_tools_within_budget("gpt-3.5-turbo", ["big3"])

    assert budget.included == ("big3",)
    assert budget.excluded == tuple(name for name in names if name != "big3")
    [warned] = [one for one in caplog.records if one.levelno == logging.WARNING]
    assert (warned.message, vars(warned)["excluded"]) == ("tools.over_budget", 6)
    assert vars(warned)["first"] == ["big0", "big1", "big2", "big4", "big5"]


@pytest.mark.runtime_line(58)
def test_the_window_of_an_unknown_model_can_be_given() -> None:
    registry = registry_with(made(Ran(), schema={"description": "d" * 40_000}))

    assert registry.get_tools_within_budget("house-model-d").included == ()
    assert registry.get_tools_within_budget("house-model-d", window=100_000).excluded == ()
