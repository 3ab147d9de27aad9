"""Whether tools and arguments are described."""

from typing import Annotated

import pytest

from comal_bot.lint import Severity
from comal_runtime.scanner import tool_of
from comal_runtime.tools import Param, tool

from .arranging import found, made


@pytest.mark.parametrize("description", ["Find order", "find order", " "])
def test_a_description_that_only_repeats_the_name_is_missing(description: str) -> None:
    subject = made("find_order", description=description)

    [one] = found(subject, rule="description-missing")

    assert (one.severity, one.pointer) == (Severity.WARNING, "/description")


def test_an_argument_without_a_description_is_found_and_a_field_inside_it_is_noted() -> None:
    inner = {"type": "object", "properties": {"a/b": {"type": "string"}}}
    schema = {"type": "object", "properties": {"x": inner}}

    outer, field = found(made(schema=schema), rule="parameter-undescribed")

    assert (outer.severity, outer.pointer) == (Severity.WARNING, "/inputSchema/properties/x")
    assert field.severity == Severity.NOTE
    assert field.pointer == "/inputSchema/properties/x/properties/a~1b"


@pytest.mark.parametrize("described", ["param", "docstring"])
def test_an_argument_described_in_either_way_is_described(described: str) -> None:
    def by_param(q: Annotated[str | None, Param("Words.")]) -> None:
        """Find."""

    def by_docstring(q: list[int]) -> None:
        """Find.

        Args:
            q: Words.
        """

    function = by_param if described == "param" else by_docstring

    assert found(tool_of(tool()(function)), rule="parameter-undescribed") == []
