"""Any document and any result, on any channel: within its limits, whole characters, no crash."""

import json
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from comal_renderers import (
    PLAIN,
    TELEGRAM,
    Code,
    Descriptor,
    Document,
    List,
    Rendered,
    RendererRegistry,
    Table,
    Text,
    document_of,
    entries,
    spell,
    spell_console,
    spell_json,
    spell_plain,
)
from comal_renderers.columns import width
from comal_renderers.concealing import is_hidden
from comal_runtime.context import ToolContext
from comal_runtime.result import ToolResult, asks_for_confirmation
from tests.renderers.any_document import DATA, DESCRIPTORS, DOCUMENTS, RESULTS, check_limits

CHANNELS = ("cli", "tui", "console", "web", "telegram", "mcp", "plain", "unheard-of")


def texts(rendered: Rendered) -> str:
    return "\n".join(body["text"] for body in rendered.parts)


@settings(deadline=None, max_examples=300)
@given(DOCUMENTS, DESCRIPTORS, st.booleans())
def test_any_document_is_within_the_limits_of_any_channel(
    document: Document, descriptor: Descriptor, numbered: bool
) -> None:
    check_limits(spell(document, descriptor, numbered=numbered).parts, descriptor)
    check_limits(spell_console(document, descriptor, width=30).parts, descriptor)


@pytest.mark.runtime_line(54)
@pytest.mark.original_fault(
    "RR:default-success-data-list-untyped",
    "RR:default-object-value",
    "RR:cli-list-assoc-keys",
    "RR:registry-json-invalid-utf8",
)
@settings(deadline=None, max_examples=300)
@given(RESULTS, DESCRIPTORS)
def test_any_result_is_shown_within_the_limits_of_any_channel(
    result: ToolResult, descriptor: Descriptor
) -> None:
    check_limits(spell(document_of(result, "es"), descriptor).parts, descriptor)
    check_limits(spell_json(result, descriptor).parts, descriptor)
    for channel in CHANNELS:
        rendered = RendererRegistry.standard().render(result, ToolContext(channel=channel))
        assert all(isinstance(part["text"], str) for part in rendered.parts)


@pytest.mark.runtime_line(53, 54)
@settings(deadline=None)
@given(RESULTS, st.none() | st.integers(120, 400))
def test_the_json_of_any_result_is_strict_and_tells_whether_it_asks(
    result: ToolResult, limit: int | None
) -> None:
    descriptor = Descriptor(name="j", label="J", markup="json", text_limit=limit)

    for part in spell_json(result, descriptor).parts:
        shape = json.loads(part["text"], parse_constant=refused)
        assert set(shape) == {"success", "data", "message", "error", "meta"}
        assert asks_for_confirmation(part["text"]) is asks_for_confirmation(result)


def refused(constant: str) -> None:
    raise AssertionError(f"{constant} is no JSON")


TOKEN = "Zq7_confirmed-by-Nobody42"
HIDDEN_KEYS = st.sampled_from(
    ["confirm_token", "confirmToken", "CONFIRM-TOKEN", "question_id", "QuestionId", "callback_data"]
)


def planted(data: Any, key: str, depth: int, wrap: int) -> Any:
    """Return data that holds the token under a key, and again in places of other names."""
    secret: Any = [TOKEN, [TOKEN], {"value": TOKEN}, TOKEN.encode()][wrap]
    held: Any = {key: secret, "again": f"use {TOKEN}.", TOKEN: 1, "bytes": TOKEN.encode()}
    for _ in range(depth):
        held = [held] if depth % 2 else {"in": held, "and": (TOKEN,)}
    return {"data": data, "held": held, "set": {TOKEN, "x"}}


@pytest.mark.runtime_line(26, 54)
@pytest.mark.original_fault("RR:default-confirmation-runtime", "RR:cli-confirmation-runtime")
@settings(deadline=None, max_examples=200)
@given(
    DATA,
    HIDDEN_KEYS,
    st.integers(0, 40),
    st.integers(0, 3),
    st.sampled_from([ToolResult.confirmation, ToolResult.pending]),
)
def test_no_token_id_or_callback_data_is_shown_wherever_it_stands(
    data: Any, key: str, depth: int, wrap: int, make: Any
) -> None:
    held = planted(data, key, depth, wrap)
    meta = {"suggestion": f"say {TOKEN}", "code": TOKEN, "clamped": {TOKEN: TOKEN}, key: TOKEN}
    results = (
        make(f"Sure? {TOKEN}", held, meta),
        ToolResult.error(f"no {TOKEN}", data=held, meta=meta),
        ToolResult(True, None, f"the {TOKEN}", None, {**meta, "deep": held}),
    )

    for result in results:
        for channel in CHANNELS:
            rendered = RendererRegistry.standard().render(result, ToolContext(channel=channel))
            assert TOKEN not in str(rendered.parts)


@pytest.mark.parametrize(
    "key",
    [
        "Confirm Token",
        "confirm.token",
        "my_confirm_tokens",
        "\N{FULLWIDTH LATIN CAPITAL LETTER C}onfirm_token",
        "requestId",
    ],
)
def test_a_key_is_known_in_any_spelling(key: str) -> None:
    assert is_hidden(key)


@pytest.mark.parametrize("key", ["token_count", "confirmation", "request", "question", "id"])
def test_other_keys_are_shown(key: str) -> None:
    assert not is_hidden(key)


LONG = st.lists(
    st.sampled_from(["a", " ", "日", "👩‍👩‍👧‍👦", "e\u0301", "🇲🇽", "각", "\n", "*", "_"]),
    min_size=80,
)


@settings(deadline=None)
@given(LONG, st.sampled_from(["plain", "markdown", "entities"]), st.integers(40, 80))
def test_no_character_is_cut_in_two(pieces: list[str], markup: Any, limit: int) -> None:
    text = "".join(pieces)
    channel = Descriptor(
        name="c", label="C", markup=markup, text_limit=limit, text_unit="utf16", entity_limit=20
    )

    rendered = spell(Document(blocks=(Text(content=text),)), channel)

    for body in rendered.parts:
        shown = body["text"]
        assert shown.encode("utf-16-le", "strict")
        assert unicodedata.category(shown[0]) != "Mn"
        assert shown[0] != "\u200d"
        assert shown[-1] != "\u200d"
        assert shown.count("🇲") == shown.count("🇽")
    assert letters([texts(rendered)]) == letters([text])
    assert rendered.cut == 0


def letters(pieces: Iterable[str]) -> str:
    return "".join(c for piece in pieces for c in piece if not c.isspace() and c not in "\\&#32;")


@pytest.mark.parametrize("markup", ["plain", "markdown", "entities"])
def test_what_is_over_the_message_limit_is_cut_and_the_cut_is_told(markup: Any) -> None:
    channel = Descriptor(name="c", label="C", markup=markup, text_limit=100, message_limit=2)
    document = Document(blocks=(Text(content="word " * 100),), language="es")

    rendered = spell(document, channel)

    assert len(rendered.parts) == 2
    assert not rendered.whole
    assert f"⟨… {rendered.cut} caracteres más⟩" in rendered.parts[1]["text"]
    shown = sum(body["text"].count("word") for body in rendered.parts)
    assert 0 <= 500 - rendered.cut - 5 * shown < 12


def test_cut_documents_keep_their_lists_tables_and_code_whole_in_every_message() -> None:
    channel = Descriptor(name="c", label="C", markup="markdown", text_limit=90)
    blocks = (
        List(items=entries(*(f"entry {n}" for n in range(1, 30))), ordered=True),
        Table(header=("id", "name"), rows=tuple((str(n), "x") for n in range(30))),
        Code(text="\n".join(f"line {n}" for n in range(30)), language="py"),
    )

    parts = [body["text"] for body in spell(Document(blocks=blocks), channel).parts]

    assert all(part.startswith(("| id | name |", "```py\n")) or "entry" in part for part in parts)
    assert all(part.count("```") % 2 == 0 for part in parts)
    for name in ("1. entry 1", "29. entry 29", "| 29 | x |", "line 29"):
        assert sum(part.count(f"{name}\n") + part.endswith(name) for part in parts) == 1


@settings(deadline=None)
@given(DOCUMENTS, st.integers(8, 60), st.booleans())
def test_a_terminal_reads_no_control_character_and_no_line_wider_than_itself(
    document: Document, columns: int, styles: bool
) -> None:
    text = texts(spell_console(document, width=columns, styles=styles))

    bare = without_styles(text) if styles else text
    assert [c for c in bare if unicodedata.category(c) in ("Cc", "Cs") and c != "\n"] == []
    assert all(width(line) <= columns for line in bare.split("\n"))


def without_styles(text: str) -> str:
    return "".join(_outside(text))


def _outside(text: str) -> Iterator[str]:
    for number, piece in enumerate(text.split("\x1b[")):
        yield piece.partition("m")[2] if number else piece


def test_a_message_that_holds_nothing_but_one_wide_character_is_left_out_and_counted() -> None:
    channel = Descriptor(name="c", label="C", markup="plain", text_limit=1, text_unit="bytes")

    rendered = spell(Document(blocks=(Text(content="日a"),)), channel)

    assert texts(rendered) == "a"


def test_the_built_in_channels_lose_nothing() -> None:
    document = Document(blocks=(Text(content="word " * 5000),))

    for descriptor in (TELEGRAM, PLAIN):
        rendered = spell(document, descriptor)
        assert texts(rendered).count("word") == 5000
        assert rendered.cut == 0
    assert spell_plain(document).whole
