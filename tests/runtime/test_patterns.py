"""Patterns: ECMA-262's, in the words of Python's `re`."""

import re
import sys

import pytest

from comal_runtime.patterns import Pattern, is_shared


class Label(str):
    """A text of a type of its own."""

    __slots__ = ()


@pytest.mark.parametrize(
    ("written", "fitting", "unfit"),
    [
        ("^a$", "a", "a\n"),
        ("^a\\$$", "a$", "a"),
        ("^[$.]$", "$", "a"),
        ("^.$", "\x85", "\u2029"),
        ("^\\.$", ".", "a"),
        ("^[\\s\\S]$", "\n", ""),
        ("^[^\\S]$", "\u3000", "a"),
        ("^[\\D]$", "\u0663", "3"),
        ("^[\\W_]+$", "\u00e9_-", "a"),
        ("^[^\\W]$", "_", "\u00e9"),
        ("^[\\d-z]+$", "7-z", "a"),
        ("\\ba\\b", "\u00e9a\u00e9", "_a"),
        ("\\Ba", "ba", "a"),
        ("^(?<n>a)\\k<n>$", "aa", "a"),
        ("(?i)^ab$", "AB", "b"),
        ("^[[&~|]$", "[", "a"),
        ("^[]a]$", "]", "b"),
        ("^\\u0061$", "a", "b"),
    ],
)
def test_a_pattern_means_what_it_means_in_a_schema(written: str, fitting: str, unfit: str) -> None:
    pattern = Pattern(written)

    assert (bool(re.search(pattern, fitting)), bool(re.search(pattern, unfit))) == (True, False)
    assert pattern.written == written


@pytest.mark.parametrize("written", ["(", "[", "a**", "\\p{L}", "\\", "[b-a]", "(?z)", "\\k<n>"])
def test_a_pattern_that_python_cannot_read_raises(written: str) -> None:
    with pytest.raises(re.error):
        Pattern(written)


@pytest.mark.parametrize(
    "written",
    [
        *("\\ba", "(?i)a", "(?=a)", "(?<n>a)", "a++", "a*+", "[[]", "[a&&b]", "[a--b]"),
        *("(a)\\1", "\\p{L}", "a{,2}", "[]a]", "\\x61", "[\\b]", "(?#a)", "\\cA", "\\<", "\\Aa"),
    ],
)
def test_a_pattern_that_engines_read_apart_is_not_shared(written: str) -> None:
    assert not is_shared(written)


@pytest.mark.parametrize(
    "written",
    ["^[a-z0-9_-]{1,64}$", "^\\d{4}-\\d{2}$", "^(?:a|b)+?$", "^[^@\\s]+@[^@\\s]+\\.[a-z]+$", "é"],
)
def test_an_everyday_pattern_is_shared(written: str) -> None:
    assert is_shared(written)


def test_a_pattern_that_doubles_its_work_with_each_letter_is_answered_all_the_same() -> None:
    pytest.importorskip("jsonschema_rs")

    assert not Pattern("^(a+)+$").is_in("a" * 5000 + "b")


@pytest.mark.parametrize("installed", [True, False])
def test_a_text_of_a_type_of_its_own_is_read_as_text(
    installed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not installed:
        monkeypatch.setitem(sys.modules, "jsonschema_rs", None)

    assert Pattern("^a$").is_in(Label("a"))
