"""Patterns of a schema: written in ECMA-262's dialect, put into the words of Python's `re`."""

import re
from typing import Any, Final, Protocol

_SPACES: Final = r"\t\n\v\f\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_NO_SPACES: Final = (
    r"\x00-\x08\x0e-\x1f!-\x9f\xa1-\u167f\u1681-\u1fff\u200b-\u2027\u202a-\u202e"
    r"\u2030-\u205e\u2060-\u2fff\u3001-\ufefe\uff00-\U0010ffff"
)
_LETTERS: Final = "A-Za-z0-9_"
_NO_LETTERS: Final = r"\x00-/:-@\[-^`{-\U0010ffff"
_EDGE: Final = rf"(?<![{_LETTERS}])(?=[{_LETTERS}])|(?<=[{_LETTERS}])(?![{_LETTERS}])"
_OUTSIDE: Final = {
    "$": r"\Z",
    ".": r"[^\n\r\u2028\u2029]",
    r"\b": f"(?:{_EDGE})",
    r"\B": f"(?!{_EDGE})",
    r"\d": "[0-9]",
    r"\D": "[^0-9]",
    r"\s": f"[{_SPACES}]",
    r"\S": f"[^{_SPACES}]",
    r"\w": f"[{_LETTERS}]",
    r"\W": f"[^{_LETTERS}]",
    "(?<": "(?P<",
}
_INSIDE: Final = {
    r"\d": "0-9",
    r"\D": r"\x00-/:-\U0010ffff",
    r"\s": _SPACES,
    r"\S": _NO_SPACES,
    r"\w": _LETTERS,
    r"\W": _NO_LETTERS,
    **{sign: rf"\{sign}" for sign in "[&~|"},  # Python warns of what they may mean one day
}

_PIECE: Final = re.compile(r"\\k<\w+>|\\.|\(\?<(?![=!])|--|.", re.DOTALL)
_LEADING_FLAGS: Final = re.compile(r"\(\?([aiLmsux]+)\)")

_PUNCTUATION: Final = r"[!-/:;=?-@\[-`{-~]"
_IN_CLASS: Final = rf"\\(?:[dDwWsStnrfv]|u[0-9A-Fa-f]{{4}}|{_PUNCTUATION})|[^\\\[\]&~|^-]|-(?!-)"
_SHARED: Final = re.compile(
    rf"(?:\\(?:[dDwWsStnrfv]|u[0-9A-Fa-f]{{4}}|{_PUNCTUATION})"
    rf"|\[\^?(?:{_IN_CLASS})+\]"
    r"|\(\?:|\((?!\?)|[)|^$.]"
    r"|(?:[*+?]|\{\d{1,3}(?:,\d{0,3})?\})\??(?![*+?{])"
    r"|[^\\\[\](){}*+?.^$|])*",
    re.ASCII,
)


class _Reader(Protocol):
    """An engine whose time grows no faster than the text."""

    def is_valid(self, instance: Any) -> bool: ...


class Pattern(str):
    """A pattern in Python's words; `written` is the schema's own text, for people."""

    __slots__ = ("_reader", "written")

    written: str
    _reader: _Reader | None

    def __new__(cls, written: str) -> "Pattern":
        """Translate a pattern. A leading `(?i)` is not ECMA-262's: the rest is Python's own then.

        Raises:
            re.error: Nobody can read it.
        """
        made = super().__new__(cls, _translated(written))
        made.written = written
        re.compile(made)
        made._reader = _reader(written)
        return made

    def is_in(self, text: str) -> bool:
        """Tell whether the text has a part that matches.

        Python's `re` can take years over `^(a+)+$`; where jsonschema-rs is installed it is asked
        about the patterns that both read alike.
        """
        if self._reader is not None:
            return self._reader.is_valid(str.__str__(text))
        return re.search(self, text) is not None


def is_shared(written: str) -> bool:
    """Tell whether every engine reads this pattern in one way: plain letters, classes, counts."""
    return _SHARED.fullmatch(written) is not None


def _reader(written: str) -> _Reader | None:
    if not is_shared(written):
        return None
    try:
        from jsonschema_rs import Draft202012Validator

        return Draft202012Validator({"pattern": written})
    except (ImportError, ValueError):
        return None


def _translated(written: str) -> str:
    flags = _LEADING_FLAGS.match(written)
    if flags is not None:
        return f"(?{flags[1]}:{written[flags.end() :]})"
    parts: list[str] = []
    opened = -1  # where the class began that we stand in
    before = ""
    for at, piece in enumerate(_PIECE.findall(written)):
        if opened < 0:
            parts.append(_outside(piece))
            opened = at if piece == "[" else -1
        elif piece == "]" and at > opened + 1 + (parts[opened + 1 :] == ["^"]):
            parts.append(piece)
            opened = -1
        else:
            parts.append(_inside(piece, before))
        before = piece
    return "".join(parts)


def _inside(piece: str, before: str) -> str:
    if piece[0] == "-" and before in _INSIDE and before[0] == "\\":
        return piece.replace("-", r"\-")  # no range begins with a whole class
    return r"-\-" if piece == "--" else _INSIDE.get(piece, piece)


def _outside(piece: str) -> str:
    if piece.startswith(r"\k<"):
        return f"(?P={piece[3:-1]})"
    return _OUTSIDE.get(piece, piece)
