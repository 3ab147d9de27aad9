"""Keeps secrets out of what is logged, audited and shown, and control characters out of lines."""

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping
from enum import Enum
from itertools import pairwise
from typing import Final, TypeAlias

Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"

MASK: Final = "***REDACTED***"
_MAX_DEPTH: Final = 32

_WORDS: Final = frozenset(
    {"password", "passwords", "passwd", "passphrase", "pwd", "secret", "secrets", "token"}
    | {"tokens", "authorization", "cookie", "cookies", "credential", "credentials", "apikey"}
    | {"apikeys", "privatekey", "otp", "cvv", "cvc", "jwt", "bearer"}
)
_PAIRS: Final = frozenset(
    {"api key", "api keys", "private key", "access key", "signing key", "secret key", "session id"}
)
_ENDINGS: Final = (
    *("password", "passwd", "passphrase", "secret", "token", "authorization"),
    *("apikey", "privatekey", "cookie"),
)
_COUNTS: Final = frozenset({"tokens"})
"""Words that name a secret in text, but a quantity in a number (`max_tokens`)."""

_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+|\d+")
_KEY_IN_TEXT: Final = (
    r"(?:access_?token|refresh_?token|confirm_?token|token|password|passwd|passphrase|secret"
    r"|client_?secret|api[_-]?key|private_?key|authorization)"
)
_SECRETS: Final = re.compile(
    r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----.*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|\Z)"
    r"|\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*"  # a JSON web token
    r"|\bsk-[A-Za-z0-9_-]{16,}"  # OpenAI, Anthropic and their like
    r"|\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}"
    r"|\bxox[a-z]-[A-Za-z0-9-]{10,}"  # Slack
    r"|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bAIza[\w-]{30,}"  # AWS, Google
    r"|\b\d{6,12}:[A-Za-z0-9_-]{30,}",  # a bot's token
    re.DOTALL,
)
_LABELLED: Final = re.compile(
    r"(?i)(\b(?:bearer|basic)\s+)[A-Za-z0-9._~+/=-]{8,}"
    r"|(://[^\s/:@]{0,200}:)[^\s/@]{1,200}(?=@)"
    rf"|((?:\b|_){_KEY_IN_TEXT}\s?=\s?)[^\s&;,\"']+"
    rf"|(\"{_KEY_IN_TEXT}\"\s{{0,3}}:\s{{0,3}}\")(?:[^\"\\]|\\.)*"
)
_LINE_BREAKERS: Final = frozenset({"Cc", "Cs", "Zl", "Zp"})
_DIRECTION_MARKS: Final = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)


def redact(value: object, extra_keys: Iterable[str] = frozenset()) -> Json:
    """Return a JSON-shaped copy of `value` with everything masked that is or looks like a secret.

    Args:
        extra_keys: More names of sensitive fields, any case; they only add to the known ones.
    """
    return _copy(value, frozenset(_joined(key) for key in extra_keys), _MAX_DEPTH)


def is_sensitive(key: str, extra_keys: Iterable[str] = frozenset()) -> bool:
    """Tell whether a field of this name holds a secret: `apiKey`, `API-KEY`, `db_password`."""
    return _names_secret(key, frozenset(_joined(extra) for extra in extra_keys))


def redact_text(text: str) -> str:
    """Return `text` with the parts masked that look like secrets; never fails to encode."""
    masked = _LABELLED.sub(_keep_label, _SECRETS.sub(MASK, text))
    return masked.encode("utf-8", "replace").decode("utf-8")


def printable(text: str) -> str:
    """Return `text` as one line: control characters and direction marks as visible escapes."""
    if text.isprintable():
        return text
    return "".join(_visible(character) for character in text)


def _copy(value: object, extra: frozenset[str], depth: int) -> Json:
    if isinstance(value, Enum):
        return _copy(value.value, extra, depth)
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str):
        return redact_text(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if depth == 0:
        return "(deeper levels left out)"
    if isinstance(value, Mapping):
        return {
            redact_text(str(key)): _field(str(key), item, extra, depth)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple | set | frozenset):
        return [_copy(item, extra, depth - 1) for item in value]
    return _foreign(value)


def _field(key: str, value: object, extra: frozenset[str], depth: int) -> Json:
    plain = value is None or isinstance(value, bool)
    counts = isinstance(value, int | float) and _words(key)[-1] in _COUNTS
    if _names_secret(key, extra) and not plain and not counts:
        return MASK
    return _copy(value, extra, depth - 1)


def _foreign(value: object) -> str:
    """Name what JSON lacks; only short values that are their own text are written out."""
    if isinstance(value, bytes | bytearray):
        return f"({len(value)} bytes)"
    if type(value).__module__ in ("datetime", "uuid", "decimal", "pathlib", "fractions"):
        return redact_text(str(value))
    return f"({type(value).__name__})"


def _names_secret(key: str, extra: frozenset[str]) -> bool:
    joined = _joined(key)
    if joined in extra or joined.endswith(_ENDINGS):
        return True
    words = _words(key)
    pairs = (f"{first} {second}" for first, second in pairwise(words))
    return not _WORDS.isdisjoint(words) or not _PAIRS.isdisjoint(pairs)


def _words(key: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(unicodedata.normalize("NFKC", key))] or [""]


def _joined(key: str) -> str:
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", key))).lower()


def _keep_label(match: re.Match[str]) -> str:
    label = next((group for group in match.groups() if group is not None), "")
    return label + MASK


def _visible(character: str) -> str:
    if character in _DIRECTION_MARKS or unicodedata.category(character) in _LINE_BREAKERS:
        return character.encode("unicode_escape", "surrogatepass").decode("ascii")
    return character
