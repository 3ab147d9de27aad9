"""What providers refuse."""

from typing import Any

import pytest

from comal_bot.lint import Provider, Severity, Yardstick, findings
from comal_runtime.tools import Tool

from .arranging import FINE, found, holding, made


@pytest.mark.parametrize(
    ("rule", "provider", "subject", "pointer"),
    [
        ("openai-name", Provider.OPENAI, made("a.b"), "/name"),
        ("openai-name", Provider.OPENAI, made("a" * 65), "/name"),
        ("anthropic-name", Provider.ANTHROPIC, made("a" * 129), "/name"),
        ("gemini-name", Provider.GEMINI, made("1st"), "/name"),
        ("openai-description", Provider.OPENAI, made(description="d" * 1025), "/description"),
        (
            "openai-root",
            Provider.OPENAI,
            made(schema={**FINE, "anyOf": [{"required": ["id"]}]}),
            "/inputSchema/anyOf",
        ),
        (
            "anthropic-root",
            Provider.ANTHROPIC,
            made(schema={**FINE, "oneOf": [{"required": ["id"]}]}),
            "/inputSchema/oneOf",
        ),
        (
            "anthropic-property",
            Provider.ANTHROPIC,
            made(schema={"type": "object", "properties": {"año": {"description": "Year."}}}),
            "/inputSchema/properties/año",
        ),
        (
            "openai-items",
            Provider.OPENAI,
            made(schema=holding(type="array")),
            "/inputSchema/properties/x",
        ),
        (
            "gemini-items",
            Provider.GEMINI,
            made(schema=holding(type="array", items={"type": "array"})),
            "/inputSchema/properties/x/items",
        ),
    ],
)
def test_what_the_provider_in_use_refuses_is_an_error_and_what_another_does_a_warning(
    rule: str, provider: Provider, subject: Tool, pointer: str
) -> None:
    [here] = found(subject, rule=rule, provider=provider)
    [elsewhere] = found(subject, rule=rule)

    assert (here.severity, here.pointer) == (Severity.ERROR, pointer)
    assert elsewhere.severity == Severity.WARNING


@pytest.mark.parametrize(
    ("schema", "lacking"),
    [
        (holding(type="string", format="uuid"), "format uuid"),
        (holding(type=["string", "null"]), "a list of types"),
        (holding(const=5), "const"),
        (
            {
                **FINE,
                "$defs": {"N": {"type": "object"}},
                "properties": {"n": {"$ref": "#/$defs/N"}},
            },
            "$ref",
        ),
    ],
)
def test_what_only_a_subset_of_json_schema_lacks_is_a_note(
    schema: dict[str, Any], lacking: str
) -> None:
    [one] = found(made(schema=schema), rule="gemini-subset", provider=Provider.GEMINI)

    assert one.severity == Severity.NOTE
    assert one.what.endswith(f"lacks {lacking}")


def test_a_format_that_gemini_reads_is_not_noted() -> None:
    assert (
        found(made(schema=holding(type="string", format="date-time")), rule="gemini-subset") == []
    )


def test_a_property_that_is_called_like_a_keyword_is_not_taken_for_one() -> None:
    schema = {"type": "object", "properties": {"const": {"description": "A.", "type": "string"}}}

    assert findings([made(schema=schema)], Yardstick()) == []


def test_limits_of_strict_mode_are_warned_of() -> None:
    deep: dict[str, Any] = {"type": "string"}
    for _ in range(11):
        deep = {"type": "array", "items": deep}
    many = holding(enum=[f"v{number}" for number in range(1001)])

    [nested] = found(made(schema=holding(**deep)), rule="openai-nesting")
    [long] = found(made(schema=many), rule="openai-enum", provider=Provider.OPENAI)

    assert nested.severity == long.severity == Severity.WARNING


def test_a_schema_that_no_call_can_fit_is_an_error() -> None:
    [one] = found(made(schema={"type": "array", "items": {}}), rule="schema-root")

    assert one.severity == Severity.ERROR
