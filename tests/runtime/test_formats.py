"""Formats: what each takes and what it refuses."""

import pytest

from comal_runtime.formats import FORMATS, UNASSERTED, format_checker

TAKEN = {
    "date": ("2024-02-29",),
    "time": ("09:30:00", "09:30:00.5Z", "23:59:59+02:00", "09:30:00z"),
    "date-time": ("2026-01-31T09:30:00Z", "2026-01-31t09:30:00.123456789-11:00"),
    "duration": ("P1D", "PT1H30M", "P1Y2M3DT4H5M6.7S", "P2W", "-P1D"),
    "uuid": ("123e4567-e89b-12d3-a456-426614174000", "123E4567-E89B-12D3-A456-426614174000"),
    "email": ("ana@example.org", "a+b@localhost", "\u00e9@example.org"),
    "decimal": ("1", "-1.50", "+.5", "1e10", "1."),
    "ipv4": ("127.0.0.1",),
    "ipv6": ("::1", "fe80::1", "::ffff:1.2.3.4"),
    "uri": ("https://example.org/a?b#c", "urn:isbn:1", "mailto:a@b"),
}
REFUSED = {
    "date": ("2026-02-29", "2026-1-1", "20260101", "2026-01-01\n", "\u0662026-01-01", ""),
    "time": ("24:00:00", "9:30:00", "09:30", "09:30:00+2", "T09:30:00"),
    "date-time": ("2026-01-31", "2026-01-31 09:30:00", "2026-01-31T24:00:00Z", "tomorrow"),
    "duration": ("P", "PT", "1D", "P1H", "P1W1D", "PT1.H"),
    "uuid": ("123e4567e89b12d3a456426614174000", "{123e4567-e89b-12d3-a456-426614174000}"),
    "email": ("ana", "@b", "a@", "a b@c", "a@b@c", "a" * 65 + "@b"),
    "decimal": ("", ".", "1,5", "NaN", "Infinity", "1e", "\u0663", " 1"),
    "ipv4": ("1.2.3", "1.2.3.256", "01.2.3.4", "1.2.3.4/8"),
    "ipv6": ("1.2.3.4", ":::", "fe80::1%eth0", "[::1]"),
    "uri": ("", "//a", "a b:c", "https://[::1", "path/only", "https://a\n"),
}


def rows(table: dict[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    return [(name, text) for name, texts in table.items() for text in texts]


@pytest.mark.parametrize(("name", "text"), rows(TAKEN))
def test_a_text_of_the_format_is_taken(name: str, text: str) -> None:
    assert format_checker().conforms(text, name)


@pytest.mark.parametrize(("name", "text"), rows(REFUSED))
def test_another_text_is_refused(name: str, text: str) -> None:
    assert not format_checker().conforms(text, name)


def test_every_format_has_rows_of_both_kinds_and_none_is_also_a_hint() -> None:
    assert TAKEN.keys() == REFUSED.keys() == FORMATS.keys()
    assert not FORMATS.keys() & set(UNASSERTED)


def test_a_format_says_nothing_of_what_is_no_text() -> None:
    assert all(format_checker().conforms(5, name) for name in FORMATS)
