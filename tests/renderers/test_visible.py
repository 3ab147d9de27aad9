"""Hidden and misleading characters."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from comal_renderers.visible import visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text, ñ and 日本", "plain text, ñ and 日本"),
        ("rm \u202etxt.gol\u202c", "rm ⟨U+202E⟩txt.gol⟨U+202C⟩"),
        ("ok\u200b; drop", "ok⟨U+200B⟩; drop"),
        ("a\U000e0041b", "a⟨U+E0041⟩b"),
        ("a\ufe0fb", "a⟨U+FE0F⟩b"),
        ("b\r\x1b[2J", "b⟨U+000D⟩⟨U+001B⟩[2J"),
        ("a\u00a0b\u3164", "a⟨U+00A0⟩b⟨U+3164⟩"),
        ("ok\n\nApproved", "ok⏎⏎Approved"),
        ("a" + "\n" * 500 + "b", "a⟨500 newlines⟩b"),
        ("ACC-1" + " " * 3000 + "and ACC-9", "ACC-1⟨3000 spaces⟩and ACC-9"),
        (" x ", "⟨1 space⟩x⟨1 space⟩"),
        ("⟨U+202E⟩⏎", "⟨U+27E8⟩U+202E⟨U+27E9⟩⟨U+23CE⟩"),
        ("e\u0301", "e\u0301"),
        ("\u0301e", "⟨U+0301⟩e"),
        ("no\u0336t", "no⟨U+0336⟩t"),
        ("e" + "\u0301" * 4, "e\u0301\u0301⟨U+0301⟩⟨U+0301⟩"),
        ("\ud800", "⟨U+D800⟩"),
    ],
)
def test_nothing_hidden_stays_hidden(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize("text", ["p\u0430ypal", "to \u0440ay now", "ＡB", "gοogle"])  # noqa: RUF001
def test_look_alike_letters_within_a_word_are_flagged(text: str) -> None:
    assert "⟨⚠ mixed scripts: " in visible(text)


@pytest.mark.parametrize("text", ["paypal", "привет Ana", "файл.txt", "東京 Tokyo", "señor"])
def test_words_of_one_script_are_not_flagged(text: str) -> None:
    assert visible(text) == text


@settings(deadline=None)
@given(st.text(st.characters()))
def test_no_control_format_or_ignorable_character_is_left(text: str) -> None:
    shown = visible(text)

    assert not [c for c in shown if unicodedata.category(c)[0] == "C" or "\ufe00" <= c <= "\ufe0f"]
    assert "\n" not in shown


ODD = st.text(alphabet=" \n⟨⟩⏎1sU+\u0301\u200b•", max_size=12)


@settings(deadline=None)
@given(ODD, ODD)
def test_different_texts_look_different(one: str, other: str) -> None:
    assert (one == other) == (visible(one) == visible(other))
