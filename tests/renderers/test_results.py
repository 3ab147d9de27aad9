"""Results read as documents."""

from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from comal_renderers import (
    Code,
    Field,
    Fields,
    Heading,
    List,
    Notice,
    Table,
    Text,
    document_of,
    entries,
    spell_plain,
    spell_telegram,
)
from comal_runtime.result import ToolResult
from tests.renderers.wire import check_telegram


def test_a_mapping_becomes_fields_and_its_branches_follow_in_order() -> None:
    data = {"name": "Ana", "tags": ["a", "b"], "active": True, "none": None}

    document = document_of(ToolResult.success(data, message="Found."))

    assert document.blocks == (
        Text(content="Found."),
        Fields(fields=(Field(label="name", value="Ana"),)),
        Heading(content="tags", level=3),
        List(items=entries("a", "b")),
        Fields(fields=(Field(label="active", value="true"), Field(label="none", value="—"))),
    )


def test_a_page_of_alike_entries_is_a_table_with_its_place() -> None:
    rows = [{"id": 1, "name": "a"}, {"id": 2}]

    document = document_of(ToolResult.paginated(rows, page=2, total=9, limit=2), "es")

    assert document.blocks == (
        Table(header=("id", "name"), rows=(("1", "a"), ("2", ""))),
        Text(content="Página 2 de 5 · 9 en total"),
    )


def test_what_is_nested_too_deep_is_shown_as_json() -> None:
    document = document_of(ToolResult.success({"a": {"b": {"c": {"d": 1}}}}))

    assert document.blocks[-1] == Code(text='{\n  "d": 1\n}', language="json")


def test_a_failure_is_a_notice_and_a_rule_says_what_to_do() -> None:
    document = document_of(ToolResult.blocked("stopped by rule", "ask the owner"))

    assert document.blocks == (
        Notice(content="stopped by rule", tone="error"),
        Text(content="ask the owner"),
    )


@pytest.mark.parametrize("make", [ToolResult.confirmation, ToolResult.pending])
def test_a_question_shows_its_summary_and_neither_token_nor_id(make: Any) -> None:
    data = {
        "confirm_token": "tok-12345678",
        "question_id": "que-12345678",
        "request_id": "req-12345678",
        "action_summary": "delete 3 notes",
    }

    document = document_of(make("Delete? (tok-12345678)", data))

    assert document.blocks == (Notice(content="Delete? (••••)"), Text(content="delete 3 notes"))


def test_no_depth_and_no_spelling_of_the_key_prints_a_token() -> None:
    data = {"a": [{"b": {"confirmToken": "tok-1", "x": 1}}], "again": "use tok-1", "tok-1": 0}

    for result in (ToolResult.success(data), ToolResult.error("no", data=data)):
        text = spell_plain(document_of(result)).parts[0]["text"]
        assert "tok-1" not in text


def test_odd_values_are_written_as_text() -> None:
    data = {"day": date(2026, 1, 2), "set": {1}, 3: b"x", "big": 1 << 20_000, "nan": float("nan")}

    text = spell_plain(document_of(ToolResult.success(data))).parts[0]["text"]

    assert "day: 2026-01-02" in text
    assert "big: 0x1000" in text


def test_data_that_holds_itself_ends() -> None:
    data: dict[str, Any] = {}
    data["self"] = data

    assert spell_plain(document_of(ToolResult.success(data))).parts


DATA = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(), inner),
    max_leaves=30,
)


@settings(deadline=None)
@given(DATA, st.none() | st.text())
def test_any_shape_of_data_is_shown(data: Any, message: str | None) -> None:
    document = document_of(ToolResult.success(data, message=message))

    check_telegram(spell_telegram(document))
    spell_plain(document)
