"""Text measured as Telegram measures it: in UTF-16 code units."""

_UNIT = 2  # bytes


def piece(text: str, offset: int, length: int | None = None) -> str:
    """Return `length` units from `offset` on, to the end without one; beyond the end, nothing.

    A half of a surrogate pair at an edge becomes U+FFFD.
    """
    units = text.encode("utf-16-le", "surrogatepass")
    end = None if length is None else (offset + length) * _UNIT
    return units[offset * _UNIT : end].decode("utf-16-le", "replace")


def cut(text: str, limit: int) -> str:
    """Return the longest start of `text` of at most `limit` units that splits no surrogate pair."""
    units = text.encode("utf-16-le", "surrogatepass")[: limit * _UNIT]
    return units.decode("utf-16-le", "ignore")


def mended(text: str) -> str:
    """Return `text` with lone surrogates, which no store takes, as U+FFFD."""
    return piece(text, 0)
