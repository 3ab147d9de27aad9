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


@pytest.mark.runtime_line(55)
def test_a_page_of_alike_entries_is_a_table_with_its_place() -> None:
    rows = [{"id": 1, "name": "a"}, {"id": 2}]

    document = document_of(ToolResult.paginated(rows, page=2, total=9, limit=2), "es")

    assert document.blocks == (
        Table(header=("id", "name"), rows=(("1", "a"), ("2", ""))),
        Text(content="Página 2 de 5 · 9 en total · ← 1 · 3 →"),
    )


@pytest.mark.runtime_line(55)
@pytest.mark.parametrize(
    ("page", "told"), [(1, "Page 1 of 2 · 3 in all · 2 →"), (2, "Page 2 of 2 · 3 in all · ← 1")]
)
def test_only_pages_that_exist_are_named(page: int, told: str) -> None:
    result = ToolResult.paginated([], page=page, total=3, limit=2)

    assert document_of(result).blocks == (Text(content="—"), Text(content=told))


@pytest.mark.runtime_line(21, 53)
def test_a_plan_says_that_nothing_was_run_and_who_would_be_asked() -> None:
    plan = {
        "tool": "wipe",
        "mutating": True,
        "requires_confirmation": True,
        "requires_approval": False,
        "scopes_required": ["disk:write", "admin"],
        "timeout": 30.0,
        "args": {"disk": "a"},
    }

    document = document_of(ToolResult.success({"plan": plan}))

    assert document.blocks == (
        Notice(content="This is a plan; nothing was run."),
        Text(content="It would ask you to confirm."),
        Fields(
            fields=(
                Field(label="Tool", value="wipe"),
                Field(label="Changes something", value="yes"),
                Field(label="Any of these scopes", value="disk:write, admin"),
                Field(label="Time limit", value="30.0 s"),
            )
        ),
        Fields(fields=(Field(label="disk", value="a"),)),
    )


@pytest.mark.parametrize(
    ("asks", "told"),
    [
        ({"requires_approval": True}, "Esperaría una aprobación."),
        ({"requires_approval": False}, "Se ejecutaría sin preguntar a nadie."),
    ],
)
def test_a_plan_is_told_in_the_readers_language(asks: dict[str, bool], told: str) -> None:
    plan = {"tool": "t", "mutating": False, "requires_confirmation": False, "args": {}, **asks}

    document = document_of(ToolResult.success({"plan": plan}), "es")

    assert document.blocks[1] == Text(content=told)


@pytest.mark.runtime_line(15)
def test_a_changed_argument_is_told_with_its_old_and_its_new_value() -> None:
    meta = {"clamped": {"limit": {"from": 500, "to": 100}, "page": {"from": 0, "to": 1}}}

    document = document_of(ToolResult.success("ok", meta=meta))

    assert document.blocks[1] == Text(content="Brought into bounds: limit 500 → 100, page 0 → 1")


def test_a_failure_names_its_code_and_when_to_try_again() -> None:
    result = ToolResult.error("slow down", code="RATE_LIMITED", meta={"retry_after_seconds": 7})

    assert document_of(result, "es").blocks == (
        Notice(content="slow down", tone="error"),
        Text(content="Código: RATE_LIMITED"),
        Text(content="Inténtalo de nuevo en 7 s."),
    )


@pytest.mark.runtime_line(31)
def test_an_answer_without_a_run_says_so() -> None:
    blocks = document_of(ToolResult.success("x", meta={"cache_served": True})).blocks

    assert blocks[1] == Text(
        content="Answered from what was known before; the tool itself did not run."
    )


@pytest.mark.original_fault("TR:confirm-token-nonstring", "RR:default-success-data-map")
def test_a_token_that_is_no_text_is_not_shown_and_booleans_read_as_such() -> None:
    blocks = document_of(ToolResult.success({"confirm_token": 5, "on": True, "off": False})).blocks

    assert blocks == (
        Fields(fields=(Field(label="on", value="true"), Field(label="off", value="false"))),
    )


@pytest.mark.parametrize(
    ("result", "told"),
    [
        (ToolResult.success(), Text(content="Done.")),
        (ToolResult(False), Notice(content="It failed, and nothing says why.", tone="error")),
    ],
)
def test_a_result_without_a_word_is_told_all_the_same(result: ToolResult, told: object) -> None:
    assert document_of(result).blocks == (told,)


@pytest.mark.original_fault("RR:cli-list-string-id")
def test_an_id_that_is_text_is_shown_as_it_is() -> None:
    blocks = document_of(ToolResult.paginated([{"id": "abc"}], page=1, total=1, limit=5)).blocks

    assert blocks[0] == Table(header=("id",), rows=(("abc",),))


def test_each_of_many_tokens_is_masked_wherever_it_stands() -> None:
    tokens = [f"tok-{number:04}" for number in range(200)]
    data = [{"confirm_token": token, "note": f"<{token}> of {tokens[-1]}"} for token in tokens]

    text = str(document_of(ToolResult.success(data, message=" ".join(tokens))))

    assert "tok-" not in text
    assert text.count("<••••> of ••••") == 200


def test_keys_that_look_alike_as_text_are_told_apart() -> None:
    text = spell_plain(document_of(ToolResult.success({1: "a", "1": "b"}))).parts[0]["text"]

    assert text == "1: a\n1 (2): b"


def test_the_requests_own_id_can_be_quoted_and_that_of_a_question_cannot() -> None:
    quoted = ToolResult.error("quote request 4f2a91", meta={"request_id": "4f2a91"})
    asked = ToolResult.pending("asked as 4f2a91", {"request_id": "4f2a91"})

    assert document_of(quoted).blocks == (Notice(content="quote request 4f2a91", tone="error"),)
    assert document_of(asked).blocks == (Notice(content="asked as ••••"),)


@pytest.mark.parametrize(
    "sentence",
    [
        'answer {"confirm_token": "AAAABBBBCCCC-_dd"} to it',
        "Ask(confirm_token='AAAABBBBCCCC-_dd')",
        "press q1:AAAABBBBCCCC-_ddEEEEFF:a now",
    ],
)
def test_a_secret_that_only_a_sentence_names_is_masked_too(sentence: str) -> None:
    (block,) = document_of(ToolResult.success(message=sentence)).blocks

    assert isinstance(block, Text)
    assert "AAAABBBB" not in str(block.content)
    assert "••••" in str(block.content)


def test_what_is_nested_too_deep_is_shown_as_json() -> None:
    document = document_of(ToolResult.success({"a": {"b": {"c": {"d": 1}}}}))

    assert document.blocks[-1] == Code(text='{\n  "d": 1\n}', language="json")


@pytest.mark.runtime_line(52)
def test_a_failure_is_a_notice_and_a_rule_says_what_to_do() -> None:
    document = document_of(ToolResult.blocked("stopped by rule", "ask the owner"))

    assert document.blocks == (
        Notice(content="stopped by rule", tone="error"),
        Text(content="ask the owner"),
    )


@pytest.mark.runtime_line(26, 54)
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
