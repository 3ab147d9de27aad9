"""Cuts a flow of runs into messages: between blocks, else lines, words, characters."""

import re
import sys
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Final

from .descriptor import Descriptor, Unit
from .entities import MOST_AT_ONCE, OpenEntities, kinds_of
from .graphemes import is_boundary, last_boundary
from .i18n import text
from .layout import Run
from .measuring import reach, size

Part = tuple[Run, ...]
"""The runs of one message."""

_SEPARATORS: Final = ("\n\n", "\n", " ")
_BLANK_LINES: Final = re.compile(r"\A(?:[^\S\n]*\n)+")
_BLANK: Final = "\u2800\u3164\u115f\u1160\uffa0"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Flow:
    text: str
    runs: Sequence[Run]
    starts: Sequence[int]


def split(runs: Sequence[Run], descriptor: Descriptor, room: int | None = None) -> list[Part]:
    """Return the messages, trimmed; those without a visible character are left out.

    Each keeps the text and entity limits of the channel; `room`, where given, stands for the text
    limit. A character that alone is over the limit is left out.
    """
    lengths = accumulate((len(run.text) for run in runs), initial=0)
    flow = _Flow(text="".join(run.text for run in runs), runs=runs, starts=list(lengths)[:-1])
    limit = descriptor.text_limit if room is None else room
    parts = []
    start = 0
    while start < len(flow.text):
        end = len(flow.text)
        if limit is not None:
            end = reach(flow.text, start, limit, descriptor.text_unit)
        if end == start:
            start += 1
            continue
        if descriptor.entity_limit is not None:
            end = _entity_reach(flow, start, end, descriptor.entity_limit)
        end = place_to_cut(flow.text, start, end)
        parts.append(_trim(_slice(flow, start, end), bare=descriptor.markup != "entities"))
        start = end
    return [part for part in parts if any(_is_visible(run.text) for run in part)]


def shortened(
    parts: list[Part], descriptor: Descriptor, language: str | None, room: int | None = None
) -> tuple[list[Part], int]:
    """Return as many messages as the channel takes, and how many characters are left out.

    The last one ends by saying so, where the limits (or `room`, as in `split`) have room for it.
    """
    most = descriptor.message_limit
    if most is None or len(parts) <= most:
        return parts, 0
    whole = sum(map(_length, parts))
    kept = parts[:most]
    if not kept:
        return [], whole
    limit = descriptor.text_limit if room is None else room
    left = room_beside(cut_note(whole, language), limit, descriptor.text_unit)
    fewer = split(kept[-1], descriptor, left) if left else []
    if not fewer:
        return kept, whole - sum(map(_length, kept))
    left_out = whole - sum(map(_length, (*kept[:-1], fewer[0])))
    note = Run(text=f"\n{cut_note(left_out, language)}")
    return [*kept[:-1], (*fewer[0], note)], left_out


def cut_note(letters: int, language: str | None) -> str:
    """Say how many characters are left out."""
    return f"⟨… {text('result.cut', language, count=letters)}⟩"


def room_beside(note: str, limit: int | None, unit: Unit | None) -> int:
    """Return the units that a message of a limit has left beside a note on lines of its own."""
    return sys.maxsize if limit is None else max(0, limit - size(note, unit) - 2)


def _length(part: Part) -> int:
    return sum(len(run.text) for run in part)


def _entity_reach(flow: _Flow, start: int, end: int, limit: int) -> int:
    if len(flow.runs) * MOST_AT_ONCE <= limit:
        return end
    walk = OpenEntities()
    count = 0
    first = bisect_right(flow.starts, start) - 1
    for index in range(first, len(flow.runs)):
        at = flow.starts[index]
        if at >= end:
            break
        count += walk.advance(kinds_of(flow.runs[index].marks), at)
        if count > limit and index > first:
            return at
    return end


def place_to_cut(text: str, start: int, end: int) -> int:
    """Choose where to cut, in the second half of what fits if a separator stands there.

    Else between characters; within one only where it alone is too long.
    """
    if end == len(text):
        return end
    for separator in _SEPARATORS:
        found = text.rfind(separator, (start + end) // 2, end)
        place = found + len(separator)
        if found >= 0 and is_boundary(text, place):
            return place
    return last_boundary(text, start, end)


def _slice(flow: _Flow, start: int, end: int) -> list[Run]:
    runs = []
    for index in range(bisect_right(flow.starts, start) - 1, len(flow.runs)):
        at = flow.starts[index]
        if at >= end:
            break
        run = flow.runs[index]
        text = run.text[max(0, start - at) : end - at]
        runs.append(run if text == run.text else replace(run, text=text))
    return runs


def _trim(runs: list[Run], *, bare: bool) -> tuple[Run, ...]:
    """Trim white space at both ends; the indentation of code stays, as it does in bare text.

    Source: tdlib, fix_formatted_text; what stands in an entity is not trimmed on the left.
    """
    while runs:
        text = runs[0].text
        coded = (bare or runs[0].marks.pre is not None) and text.strip()
        text = _BLANK_LINES.sub("", text) if coded else text.lstrip()
        if text:
            runs[0] = runs[0] if text == runs[0].text else replace(runs[0], text=text)
            break
        runs.pop(0)
    while runs:
        text = runs[-1].text.rstrip()
        if text:
            runs[-1] = runs[-1] if text == runs[-1].text else replace(runs[-1], text=text)
            break
        runs.pop()
    return tuple(runs)


def _is_visible(text: str) -> bool:
    return any(
        unicodedata.category(letter)[0] not in "ZC" and letter not in _BLANK for letter in text
    )
