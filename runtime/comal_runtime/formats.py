"""The string formats that tool arguments are held to; every other format is only a hint."""

import ipaddress
import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, time
from typing import Final
from urllib.parse import urlsplit

from jsonschema import FormatChecker

_OFFSET: Final = r"(?:[Zz]|[+-]\d\d:\d\d)?"
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_TIME: Final = re.compile(rf"\d\d:\d\d:\d\d(?:\.\d+)?{_OFFSET}", re.ASCII)
_DATE_TIME: Final = re.compile(rf"{_DATE.pattern}[Tt]{_TIME.pattern}", re.ASCII)
_DURATION: Final = re.compile(
    r"[+-]?P(?=.)(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?"
    r"(?:T(?=.)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?)",
    re.ASCII,
)
_UUID: Final = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_EMAIL: Final = re.compile(r"[^@\s]{1,64}@[^@\s]{1,255}")
_DECIMAL: Final = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)


def _parses(parse: Callable[[str], object], text: str) -> bool:
    try:
        parse(text)
    except ValueError:
        return False
    return True


def is_date(text: str) -> bool:
    """Tell whether this is a day of the calendar, `2026-01-31`."""
    return bool(_DATE.fullmatch(text)) and _parses(date.fromisoformat, text)


def is_time(text: str) -> bool:
    """Tell whether this is a time of day, `09:30:00`; the offset may be left out."""
    return bool(_TIME.fullmatch(text)) and _parses(time.fromisoformat, text.upper())


def is_date_time(text: str) -> bool:
    """Tell whether this is a moment, `2026-01-31T09:30:00Z`.

    The offset may be left out, unlike RFC 3339: whether a time without one is good enough is for
    the parameter's own type to say.
    """
    return bool(_DATE_TIME.fullmatch(text)) and _parses(datetime.fromisoformat, text.upper())


def is_uri(text: str) -> bool:
    """Tell whether this is an absolute URI without blanks."""
    return (
        not any(map(str.isspace, text))
        and _parses(urlsplit, text)
        and bool(urlsplit(text).scheme)
        and ":" in text
    )


FORMATS: Final[Mapping[str, Callable[[str], bool]]] = {
    "date": is_date,
    "time": is_time,
    "date-time": is_date_time,
    "duration": lambda text: bool(_DURATION.fullmatch(text)),
    "uuid": lambda text: bool(_UUID.fullmatch(text)),
    "email": lambda text: bool(_EMAIL.fullmatch(text)),
    "decimal": lambda text: bool(_DECIMAL.fullmatch(text)),
    "ipv4": lambda text: _parses(ipaddress.IPv4Address, text),
    "ipv6": lambda text: "%" not in text and _parses(ipaddress.IPv6Address, text),
    "uri": is_uri,
}

UNASSERTED: Final = (
    *("hostname", "idn-hostname", "idn-email", "iri", "iri-reference", "uri-reference"),
    *("uri-template", "json-pointer", "relative-json-pointer", "regex"),
)
"""Formats of draft 2020-12 that some validators assert and we do not."""


def format_checker() -> FormatChecker:
    """Make the checker that knows exactly `FORMATS`."""
    checker = FormatChecker(formats=())
    for name, fits in FORMATS.items():
        checker.checks(name)(_only_text(fits))
    return checker


def _only_text(fits: Callable[[str], bool]) -> Callable[[object], bool]:
    return lambda value: not isinstance(value, str) or fits(value)
