"""Leaves confirm tokens, ids of questions and callback data out of what is shown."""

import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from comal_runtime.result import ToolResult

MASK: Final = "••••"

_HIDDEN: Final = ("confirmtoken", "questionid", "callbackdata")
_ID: Final = "requestid"
_SHORTEST: Final = 4  # Characters; a shorter value may stand in any text by chance.
_REMEMBERED: Final = 64  # Characters of a key that is worth remembering the judgement of.
_SHOWN_DEPTH: Final = 16  # Levels of data that are shown.
_READ_DEPTH: Final = 1000  # Levels of data that are searched.
_BITS: Final = 10_000  # Python writes longer integers in no decimal; sys.int_info.
_NAMED: Final = re.compile(
    r"((?:confirm[\W_]?token|question[\W_]?id|callback[\W_]?data)\\?[\"']?\s*[:=]\s*\\?[\"']?)"
    r"[\w.:~+/-]{12,}",
    re.IGNORECASE,
)
_BUTTON: Final = re.compile(r"\bq\d:[\w-]{22}:\w+")  # Callback data of a card, as hosts make it.

_MANY: Final = 32  # Secrets; more are looked up by their beginnings, not one after the other.


class Secrets:
    """The values that no text may hold."""

    __slots__ = ("_starts", "_values")

    def __init__(self, values: Iterable[str] = ()) -> None:
        self._values = sorted(set(values), key=lambda value: (-len(value), value))
        self._starts: dict[str, list[str]] = {}
        for value in self._values if len(self._values) > _MANY else ():
            self._starts.setdefault(value[:_SHORTEST], []).append(value)

    def __bool__(self) -> bool:
        return bool(self._values)

    def replaced(self, text: str, stand_in: Callable[[str], str]) -> str:
        """Return text with something else in place of every secret, longer ones first."""
        if self._starts:
            return "".join(self._pieces(text, stand_in))
        for value in self._values:
            if value in text:
                text = text.replace(value, stand_in(value))
        return text

    def _pieces(self, text: str, stand_in: Callable[[str], str]) -> Iterator[str]:
        place = 0
        while place < len(text):
            known = self._starts.get(text[place : place + _SHORTEST], ())
            found = next((value for value in known if text.startswith(value, place)), None)
            yield text[place] if found is None else stand_in(found)
            place += 1 if found is None else len(found)


_NO_SECRETS: Final = Secrets()


def concealed(result: ToolResult) -> ToolResult:
    """Return the result as it may be shown: JSON-shaped, without tokens, ids and callback data.

    What the data or the meta holds under such a key, at any depth and in any spelling of it, is
    masked wherever else it stands, message and error included. Raises nothing whatever it holds.
    """
    secrets = secrets_of(result)
    message = None if result.message is None else masked(text_of(result.message), secrets)
    problem = None if result.error is None else masked(text_of(result.error), secrets)
    meta = {key: _opened(value, secrets, 0) for key, value in _pairs(result.meta, secrets)}
    return ToolResult(bool(result.success), conceal(result.data, secrets), message, problem, meta)


def conceal(value: Any, secrets: Secrets = _NO_SECRETS) -> Any:
    """Return data as JSON has it, of plain dicts, lists and scalars, without what is hidden.

    Numbers that JSON lacks and values of other types become text.
    """
    return _opened(value, secrets, 0)


def secrets_of(result: ToolResult) -> Secrets:
    """Return the secrets a result holds; its own request id, which people quote, is none."""
    found = set(_secrets_in(result.data))
    if len(result.meta) > 0:
        found.update(_secrets_in({k: v for k, v in result.meta.items() if k != "request_id"}))
    return Secrets(found)


def masked(text: str, secrets: Secrets) -> str:
    """Mask the secrets in a text, and what it names itself as a token, an id or callback data."""
    text = secrets.replaced(text, lambda _: MASK) if secrets else text
    if ":" in text or "=" in text:
        text = _BUTTON.sub(MASK, _NAMED.sub(rf"\g<1>{MASK}", text))
    return text


def text_of(value: object) -> str:
    """Return any value as text: bytes decoded, and the type's name where it has no text."""
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, bytes | bytearray):
        return value.decode("utf-8", "backslashreplace")
    try:
        return str.__str__(str(value))
    except Exception:  # `__str__` is the author's code; showing a result must not fail by it.
        return f"⟨{type(value).__name__}⟩"


def is_hidden(key: object) -> bool:
    """Tell whether what stands under this key is never shown."""
    name = key if isinstance(key, str) else text_of(key)
    return _judged(name) if len(name) <= _REMEMBERED else _judge(name)


@lru_cache(maxsize=1024)
def _judged(key: str) -> bool:
    return _judge(key)


def _judge(key: str) -> bool:
    letters = key if key.isascii() else unicodedata.normalize("NFKC", key)
    name = "".join(filter(str.isalnum, letters)).lower()
    return name == _ID or any(hidden in name for hidden in _HIDDEN)


def _secrets_in(value: Any) -> Iterator[str]:
    """Yield every text that stands below a hidden key."""
    waiting = [(value, False, 0)]
    seen: dict[tuple[int, bool], object] = {}
    while waiting:
        each, hidden, depth = waiting.pop()
        if hidden and isinstance(each, str | bytes):
            text = text_of(each)
            if len(text) >= _SHORTEST:
                yield text
        elif _is_branch(each) and depth < _READ_DEPTH and (id(each), hidden) not in seen:
            seen[id(each), hidden] = each  # Kept, so that no other object takes its id.
            waiting.extend(
                (inner, hidden or is_hidden(key), depth + 1) for key, inner in _members(each)
            )


def _is_branch(value: object) -> bool:
    return isinstance(value, Mapping | list | tuple | set | frozenset)


def _members(branch: Any) -> list[tuple[object, object]]:
    try:
        if isinstance(branch, Mapping):
            return list(branch.items())
        return [("", inner) for inner in branch]
    except Exception:  # A mapping of the author's own; what cannot be read cannot be shown.
        return []


def _opened(value: Any, secrets: Secrets, depth: int) -> Any:
    if value is None or value is True or value is False:
        return value
    if isinstance(value, str):
        return masked(text_of(value), secrets)
    if isinstance(value, int | float):
        number = _number(value)
        return MASK if secrets and masked(text_of(number), secrets) != text_of(number) else number
    if not _is_branch(value):
        return masked(text_of(value), secrets)
    if depth == _SHOWN_DEPTH:
        return "…"
    if isinstance(value, Mapping):
        return {key: _opened(inner, secrets, depth + 1) for key, inner in _pairs(value, secrets)}
    opened = [_opened(inner, secrets, depth + 1) for _, inner in _members(value)]
    return sorted(opened, key=repr) if isinstance(value, set | frozenset) else opened


def _pairs(value: Mapping[Any, Any], secrets: Secrets) -> Iterator[tuple[str, object]]:
    """Yield what may be shown of a mapping; keys that look alike as text are told apart."""
    used: set[str] = set()
    for key, inner in _members(value):
        if is_hidden(key):
            continue
        name = masked(text_of(key), secrets)
        number = 1
        while name in used:
            number += 1
            name = f"{masked(text_of(key), secrets)} ({number})"
        used.add(name)
        yield name, inner


def _number(value: float) -> int | float | str:
    if isinstance(value, int):
        return hex(value) if value.bit_length() > _BITS else int(value)
    if math.isfinite(value):
        return float(value)
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
