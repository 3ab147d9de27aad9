"""Keeps secrets out of what is logged, audited and shown, and control characters out of lines."""

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
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
    r"|\b\d{6,12}:[A-Za-z0-9_-]{30,}"  # a bot's token
    r"|\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}|\bwhsec_[A-Za-z0-9+/=]{16,}"  # Stripe, Svix
    r"|\bglpat-[\w-]{20,}|\bnpm_[A-Za-z0-9]{30,}|\bpypi-[\w-]{30,}"  # GitLab, npm, PyPI
    r"|\bhf_[A-Za-z0-9]{30,}|\bSG\.[\w-]{16,}\.[\w-]{16,}"  # Hugging Face, SendGrid
    r"|\bAGE-SECRET-KEY-1[A-Z0-9]{20,}|\bya29\.[\w-]{20,}",  # age, Google sign-in
    re.DOTALL,
)
_LABELLED: Final = re.compile(
    r"(?i)(\b(?:bearer|basic)\s+)[A-Za-z0-9._~+/=-]{8,}"
    r"|(://[^\s/:@]{0,200}:)[^\s/@]{1,200}(?=@)"
    rf"|((?:\b|_){_KEY_IN_TEXT}\s?=\s?)[^\s&;,\"']+"
    rf"|(\\{{0,8}}\"{_KEY_IN_TEXT}\\{{0,8}}\"\s{{0,3}}:\s{{0,3}}\\{{0,8}}\")(?:[^\"\\]|\\.)*"
)
_LONG_RUN: Final = re.compile(r"[\w-]{10}")
"""Every pattern of `_SECRETS` holds so many such characters in a row."""

_REMEMBERED: Final = 64  # characters of a name that is worth remembering the judgement of
_MOST_BITS: Final = 4096  # of an integer that JSON writers agree to spell
_LINE_BREAKERS: Final = frozenset({"Cc", "Cs", "Zl", "Zp"})
_DIRECTION_MARKS: Final = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)


def redact(value: object, extra_keys: Iterable[str] = frozenset()) -> Json:
    """Return a JSON-shaped copy of `value` with everything masked that is or looks like a secret.

    Args:
        extra_keys: More names of sensitive fields, any case; they only add to the known ones.
    """
    return _copy(value, _extra(frozenset(extra_keys)), _MAX_DEPTH)


def is_sensitive(key: str, extra_keys: Iterable[str] = frozenset()) -> bool:
    """Tell whether a field of this name holds a secret: `apiKey`, `API-KEY`, `db_password`."""
    return _field_named(key, _extra(frozenset(extra_keys))).secret


def redact_text(text: str) -> str:
    """Return `text` with the parts masked that look like secrets; never fails to encode."""
    masked = _SECRETS.sub(MASK, text) if _LONG_RUN.search(text) else text
    if _may_be_labelled(masked):
        masked = _LABELLED.sub(_keep_label, masked)
    return masked if masked.isascii() else masked.encode("utf-8", "replace").decode("utf-8")


def printable(text: str) -> str:
    """Return `text` as one line: control characters and direction marks as visible escapes."""
    if text.isprintable():
        return text
    return "".join(_visible(character) for character in text)


@dataclass(frozen=True, slots=True)
class _Field:
    """What a field's name tells: how it is shown, whether it is secret, whether it counts."""

    shown: str
    secret: bool
    counts: bool


_SCALARS: Final = (int, float, str)
_LISTS: Final = (list, tuple, set, frozenset)


def _copy(value: object, extra: frozenset[str], depth: int) -> Json:
    if type(value) is str:
        return redact_text(value)
    if value is None or value is True or value is False:
        return value
    if isinstance(value, _SCALARS):
        return _scalar(value)
    if depth == 0:
        return "(deeper levels left out)"
    if isinstance(value, Mapping):
        return _mapping(value, extra, depth)
    if isinstance(value, _LISTS):
        return [_copy(item, extra, depth - 1) for item in value]
    if isinstance(value, Enum):
        return _copy(value.value, extra, depth)
    return _foreign(value)


def _scalar(value: float | str) -> Json:
    if isinstance(value, Enum):
        return _copy(value.value, frozenset(), 1)
    if isinstance(value, str):
        return redact_text(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if value.bit_length() > _MOST_BITS:
        return f"(an integer of {value.bit_length()} bits)"
    return value


def _mapping(value: Mapping[object, object], extra: frozenset[str], depth: int) -> Json:
    copy: dict[str, Json] = {}
    for key, item in value.items():
        known = _field_named(key if type(key) is str else str(key), extra)
        shown = known.shown
        while shown in copy:  # two keys that read the same: neither may hide the other
            shown += "'"
        hidden = known.secret and _is_hidden(known, item)
        copy[shown] = MASK if hidden else _copy(item, extra, depth - 1)
    return copy


def _is_hidden(known: _Field, value: object) -> bool:
    """Tell whether the value of a secret field is masked: no flag is, nor a mere quantity."""
    if value is None or isinstance(value, bool):
        return False
    return not (known.counts and isinstance(value, int | float))


def _foreign(value: object) -> str:
    """Name what JSON lacks; only short values that are their own text are written out."""
    if isinstance(value, bytes | bytearray):
        return f"({len(value)} bytes)"
    if type(value).__module__ in ("datetime", "uuid", "decimal", "pathlib", "fractions"):
        return redact_text(str(value))
    return f"({type(value).__name__})"


def _field_named(key: str, extra: frozenset[str]) -> _Field:
    return _remembered(key, extra) if len(key) <= _REMEMBERED else _judged(key, extra)


def _judged(key: str, extra: frozenset[str]) -> _Field:
    return _Field(redact_text(key), _names_secret(key, extra), _words(key)[-1] in _COUNTS)


_remembered = lru_cache(maxsize=4096)(_judged)


@lru_cache(maxsize=64)
def _extra(keys: frozenset[str]) -> frozenset[str]:
    return frozenset(map(_joined, keys))


def _may_be_labelled(text: str) -> bool:
    """Tell in passing whether a secret's label could be in a text at all."""
    if "=" in text or '"' in text or "://" in text:
        return True
    lower = text.lower()
    return "bearer" in lower or "basic" in lower


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
