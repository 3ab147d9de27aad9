"""Patterns of names: whether one surely takes what another takes."""

from fnmatch import fnmatchcase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comal_runtime.globs import narrower

PATTERNS = st.text(alphabet="ab*?", max_size=5) | st.sampled_from(
    ["[ab]", "a[!b]*", "[a]b", "*[b]"]
)
NAMES = st.text(alphabet="abc", max_size=6)


@pytest.mark.parametrize(
    ("inner", "outer", "expected"),
    [
        ("refund_order", "refund_*", True),
        ("refund_*", "refund_*", True),
        ("refund_*_all", "refund_*", True),
        ("refund_?", "refund_*", True),
        ("*", "*", True),
        ("refund_*", "*_order", False),
        ("refund_*", "refund_?", False),
        ("*", "refund_*", False),
        ("[ab]x", "?x", True),
        ("[ab]x", "[ab]*", True),
        ("a", "[ab]", True),
        ("c", "[ab]", False),
        ("[ab]", "[abc]", False),
        ("a" * 200, "*", False),
    ],
)
def test_a_pattern_is_narrower_where_that_can_be_proved(
    inner: str, outer: str, expected: bool
) -> None:
    assert narrower(inner, outer) is expected


@given(inner=PATTERNS, outer=PATTERNS, name=NAMES)
def test_whatever_fits_the_narrower_fits_the_wider(inner: str, outer: str, name: str) -> None:
    surely = narrower(inner, outer) and fnmatchcase(name, inner)

    assert not surely or fnmatchcase(name, outer)
