"""Text measured and broken by columns."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from comal_renderers.columns import chopped, padded, width, wrapped


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("", 0),
        ("abc", 3),
        ("ñandú", 5),
        ("e\u0301", 1),
        ("日本", 4),
        ("ﾊ", 1),
        ("👩‍👩‍👧‍👦", 2),
        ("👍🏽", 2),
        ("🇲🇽", 2),
        ("❤️", 2),
        ("각", 2),
        ("\u2060", 0),
    ],
)
def test_a_letter_takes_the_columns_of_a_terminal(text: str, columns: int) -> None:
    assert width(text) == columns


@pytest.mark.original_fault("RR:cli-detail-long-label")
def test_text_is_filled_up_by_columns_and_not_by_bytes() -> None:
    assert padded("año", 5) == "año  "
    assert padded("日", 5) == "日   "


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("one two three", ["one two", "three"]),
        ("  one two", ["  one", "two"]),
        ("abcdefghij", ["abcdefg", "hij"]),
        ("日本日本", ["日本日", "本"]),
        ("a\n\nb", ["a", "", "b"]),
        ("one  two  x", ["one", "two  x"]),
        ("", [""]),
    ],
)
def test_lines_are_broken_at_blanks_else_between_letters(text: str, lines: list[str]) -> None:
    assert wrapped(text, 7) == lines


TEXTS = st.text(alphabet="ab 日👩\u200d👧e\u0301🇲\n", max_size=60)


@settings(deadline=None)
@given(TEXTS, st.integers(2, 20))
def test_no_letter_is_lost_and_no_line_is_too_wide(text: str, columns: int) -> None:
    lines = wrapped(text, columns)

    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(width(line) <= columns for line in lines)
    assert "".join(chopped(text, columns)) == text.replace("\n", "")
