"""When to ask again, and after how long; numbers as in the openai SDK (_base_client)."""

import math
from collections.abc import Mapping, Sequence
from email.utils import parsedate_to_datetime

MAX_RETRIES = 2
LONGEST_WAIT = 120.0  # seconds; a provider that asks for more gets no second request
_FIRST_WAIT = 0.5  # seconds
_LAST_WAIT = 8.0  # seconds
_JITTER = 0.25  # at most this part of a wait is taken off
_OUT_OF_CREDIT = frozenset({"insufficient_quota", "credit_balance_exhausted"})


def may_retry(status: int, headers: Mapping[str, str], codes: Sequence[str]) -> bool:
    """Tell whether the same request may succeed later; `codes` are the error body's own words."""
    if not _OUT_OF_CREDIT.isdisjoint(codes):
        return False
    told = headers.get("x-should-retry")
    if told in ("true", "false"):
        return told == "true"
    return status in (408, 409, 429) or status >= 500


def asked_wait(headers: Mapping[str, str], now: float) -> float | None:
    """Return the seconds a provider asks us to wait, or None if it names no time ahead."""
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return _ahead(milliseconds / 1000)
    given = headers.get("retry-after")
    seconds = _number(given)
    if seconds is None and given is not None:
        seconds = _seconds_until(given, now)
    return _ahead(seconds)


def wait_before(retry: int, asked: float | None, jitter: float) -> float:
    """Return the seconds to wait before retry 0, 1, ...; `jitter` is a number in [0, 1)."""
    if asked is not None:
        return asked
    wait: float = min(_FIRST_WAIT * 2.0**retry, _LAST_WAIT)
    return wait * (1.0 - _JITTER * jitter)


def _number(text: str | None) -> float | None:
    try:
        number = float(text) if text is not None else math.nan
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _seconds_until(date: str, now: float) -> float | None:
    try:
        return parsedate_to_datetime(date).timestamp() - now
    except (ValueError, OverflowError):
        return None


def _ahead(seconds: float | None) -> float | None:
    return seconds if seconds is not None and seconds > 0 else None
