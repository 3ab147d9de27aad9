"""Slices in UTF-16 units."""

from hypothesis import given
from hypothesis import strategies as st

from comal_bot.channels.telegram.utf16 import cut, mended, piece


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


@given(st.text(), st.text(), st.text())
def test_a_piece_is_what_lies_between_the_units_before_and_after(
    before: str, middle: str, after: str
):
    text = before + middle + after

    assert piece(text, units(before), units(middle)) == middle
    assert piece(text, units(before)) == middle + after


@given(st.text(), st.integers(min_value=0, max_value=40))
def test_a_cut_is_a_start_within_the_limit_and_lacks_less_than_one_character(text: str, limit: int):
    start = cut(text, limit)

    assert text.startswith(start)
    assert units(start) <= limit
    assert start == text or units(text[: len(start) + 1]) > limit


def test_beyond_the_end_there_is_nothing():
    assert piece("ab", 7, 3) == ""
    assert piece("ab", 1, 30) == "b"


def test_lone_surrogates_are_replaced_and_pairs_are_joined():
    assert mended("a\ud83d") == "a�"
    assert mended("\ud83d\ude00") == "😀"
