"""Measures and breaks text by the columns it takes in a fixed width."""

from collections.abc import Iterator

from wcwidth import wcswidth

from .graphemes import is_boundary

Cut = tuple[int, int]
"""Where a line starts and ends in the text that was broken."""


def width(text: str) -> int:
    """Return the columns that text of one line takes."""
    if _is_narrow(text):
        return len(text)
    return sum(columns for _, columns in _clusters(text, 0, len(text)))


def padded(text: str, columns: int) -> str:
    """Return text filled up with blanks to `columns`."""
    return text + " " * (columns - width(text))


def wrap(text: str, columns: int) -> list[Cut]:
    """Return the lines of a text as cuts: broken at newlines and blanks, else between characters.

    No character is lost but newlines and the blanks at which a line is broken. A line is wider
    than `columns` only where a single character is.
    """
    if len(text) <= columns and "\n" not in text and _is_narrow(text):
        return [(0, len(text))]
    cuts: list[Cut] = []
    start = 0
    for line in text.split("\n"):
        cuts.extend(_line_cuts(text, start, start + len(line), columns))
        start += len(line) + 1
    return cuts


def wrapped(text: str, columns: int) -> list[str]:
    """Return the lines of a text."""
    return [text[start:end] for start, end in wrap(text, columns)]


def chopped(text: str, columns: int) -> list[str]:
    """Return the lines of a text, broken only where they are too wide, every blank kept."""
    lines = []
    for line in text.split("\n"):
        start = 0
        narrow = _is_narrow(line)
        while True:
            end = (
                min(len(line), start + columns)
                if narrow
                else _reach(line, start, len(line), columns)
            )
            lines.append(line[start:end])
            if end == len(line):
                break
            start = end
    return lines


def _line_cuts(text: str, start: int, end: int, columns: int) -> Iterator[Cut]:
    narrow = _is_narrow(text[start:end])
    while True:
        place = min(end, start + columns) if narrow else _reach(text, start, end, columns)
        if place == end:
            yield start, end
            return
        blank = text.rfind(" ", start + 1, place + 1)
        cut = blank if blank > start and text[start:blank].strip(" ") else place
        last = start + len(text[start:cut].rstrip(" ")) if cut == blank else cut
        yield start, last
        start = cut
        while start < end and text[start] == " ":
            start += 1
        if start == end:
            return


def _reach(text: str, start: int, end: int, columns: int) -> int:
    """Return the furthest end of a line from `start`; at least one character."""
    taken, place = 0, start
    for stop, wide in _clusters(text, start, end):
        taken += wide
        if taken > columns and place > start:
            return place
        place = stop
    return place


def _is_narrow(text: str) -> bool:
    """Tell whether every letter takes one column, as all do before the combining marks."""
    return text.isascii() or max(text) < "\u0300"


def _clusters(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield where each user-perceived character ends, and its columns."""
    first = start
    for place in range(start + 1, end + 1):
        if place == end or is_boundary(text, place):
            yield place, _columns(text[first:place])
            first = place


def _columns(cluster: str) -> int:
    return max(0, wcswidth(cluster))  # negative for what does not print
