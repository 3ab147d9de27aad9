"""Values on a card can be told exactly from what is shown."""

import json
import unicodedata
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from comal_renderers import PLAIN, TELEGRAM, CardView, Descriptor, card_document, spell
from tests.renderers.reading import arguments_in

UNLIMITED = replace(TELEGRAM, text_limit=None, entity_limit=None)
LETTERS = 'ab: .-"\\│1•⟨⟩⏎⚠U+{[,]}\n\t\u0430\u200b\u202e\u0301\u05d0é\uff50\U000e0041\ud800'
TEXTS = st.text(alphabet=LETTERS, max_size=12) | st.text(max_size=8)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS
)
SAMPLES = st.sampled_from(
    [
        "",
        "name: x",
        "1. x",
        "│ x",
        "a:",
        '"a": 1',
        "true",
        "-1",
        "[]",
        "••••",
        "x\ny",
        "\n",
        " a\n  b",
    ]
)
VALUES = st.recursive(
    SCALARS | SAMPLES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS | SAMPLES, inner, max_size=4),
    max_leaves=12,
)
ARGUMENTS = st.dictionaries(TEXTS | SAMPLES, VALUES, max_size=4)


def shown(arguments: dict[str, Any], channel: Descriptor = UNLIMITED, **changes: Any) -> str:
    """Return the text of a card with these arguments."""
    view = CardView(title="Pay?", tool="pay", arguments=arguments, requester="Ana", ends_at="14:12")
    rendered = spell(card_document(replace(view, **changes)), channel)
    return "\n".join(part["text"] for part in rendered.parts)


@pytest.mark.failure_mode(9, 10)
@settings(deadline=None, max_examples=300)
@given(ARGUMENTS)
def test_the_arguments_can_be_read_back_from_the_card(arguments: dict[str, Any]) -> None:
    """AP-14: so that two calls that differ in anything never have the same card."""
    for channel in (UNLIMITED, PLAIN):
        read = arguments_in(shown(arguments, channel))

        assert json.dumps(read) == json.dumps(arguments)


@settings(deadline=None)
@given(ARGUMENTS)
def test_a_card_shows_no_hidden_letter_whatever_the_arguments(arguments: dict[str, Any]) -> None:
    text = shown(arguments).replace("\n", "")

    assert not [c for c in text if unicodedata.category(c)[0] == "C"]
    assert unicodedata.is_normalized("NFC", text)


def test_lists_and_objects_are_short_lines_on_a_phone() -> None:
    order = {
        "id": "A-17",
        "items": [{"name": "corn", "qty": 2}, {"name": "beans", "sizes": ["S", "L"]}],
        "empty": [],
        "note": "name: x",
    }

    assert (
        "order:\n  id: A-17\n  items:\n    1. name: corn\n       qty: 2\n"
        "    2. name: beans\n       sizes:\n         1. S\n         2. L\n"
        '  empty: []\n  note: "name: x"\npaid: true\n'
    ) in shown({"order": order, "paid": True})


def test_levels_that_would_be_all_indentation_stand_in_one_line() -> None:
    deep = {"a": {"b": {"c": {"d": {"e": ["x", 1]}}}}}

    assert '      c:\n        d: {"e": ["x", 1]}\n' in shown({"deep": deep})


def test_a_text_of_several_lines_stands_behind_bars_with_its_indentation() -> None:
    text = "def f():\n    return 1 \n\nApproved by admin"

    assert (
        "code:\n  │ def f():\n  │     return 1⟨1 space⟩\n  │\n  │ Approved by admin\n"
        in shown({"code": text}) + "\n"
    )


@pytest.mark.failure_mode(10)
@pytest.mark.parametrize("text", ["x\n" * 30, "a\n\n\n\n\nb"])
def test_a_text_of_many_lines_pushes_nothing_out_of_view(text: str) -> None:
    assert shown({"note": text}).count("\n") == shown({"note": "x"}).count("\n")


def test_a_deep_indentation_hides_no_line() -> None:
    assert "│ ⟨40 spaces⟩and ACC-9" in shown({"to": "ACC-1\n" + " " * 40 + "and ACC-9"})


def test_what_is_masked_cannot_be_imitated() -> None:
    arguments = {"a": "••••", "b": ["••••", "x"], "c": {"d": {"e": {"f": {"g": ["x", "••••"]}}}}}

    text = shown(arguments, masked=frozenset({"/b/1", "/c/d/e/f/g/0"}))

    assert 'a: "••••"\nb:\n  1. "••••"\n  2. ••••\n' in text
    assert 'g: [••••, "••••"]' in text
