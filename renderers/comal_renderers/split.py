"""Cuts a flow of runs into messages: between blocks, else lines, words, characters."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Final

from .entities import OpenEntities, kinds_of, units
from .graphemes import is_boundary, last_boundary
from .layout import Run

_SEPARATORS: Final = ("\n\n", "\n", " ")
_BLANK_LINES: Final = re.compile(r"\A(?:[^\S\n]*\n)+")
_BLANK: Final = "\u2800\u3164\u115f\u1160\uffa0"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Flow:
    text: str
    runs: Sequence[Run]
    starts: Sequence[int]


def split(runs: Sequence[Run], *, text_limit: int, entity_limit: int) -> list[tuple[Run, ...]]:
    """Return the messages, trimmed; those without a visible character are left out.

    Args:
        text_limit: UTF-16 units a message.
        entity_limit: Entities a message.
    """
    lengths = accumulate((len(run.text) for run in runs), initial=0)
    flow = _Flow(text="".join(run.text for run in runs), runs=runs, starts=list(lengths)[:-1])
    parts = []
    start = 0
    while start < len(flow.text):
        end = _entity_reach(flow, start, _text_reach(flow.text, start, text_limit), entity_limit)
        end = _place(flow.text, start, end)
        parts.append(_trim(_slice(flow, start, end)))
        start = end
    return [part for part in parts if any(_is_visible(run.text) for run in part)]


def _text_reach(text: str, start: int, limit: int) -> int:
    end = min(len(text), start + limit)
    excess = units(text[start:end]) - limit
    while excess > 0:
        end -= 1
        excess -= units(text[end])
    return end


def _entity_reach(flow: _Flow, start: int, end: int, limit: int) -> int:
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


def _place(text: str, start: int, end: int) -> int:
    """Choose where to cut, in the second half of what fits if a separator stands there."""
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
        runs.append(replace(run, text=run.text[max(0, start - at) : end - at]))
    return runs


def _trim(runs: list[Run]) -> tuple[Run, ...]:
    """Trim white space at both ends; the indentation of code stays.

    Source: tdlib, fix_formatted_text; what stands in an entity is not trimmed on the left.
    """
    while runs:
        text = runs[0].text
        coded = runs[0].marks.pre is not None and text.strip()
        text = _BLANK_LINES.sub("", text) if coded else text.lstrip()
        if text:
            runs[0] = replace(runs[0], text=text)
            break
        runs.pop(0)
    while runs:
        text = runs[-1].text.rstrip()
        if text:
            runs[-1] = replace(runs[-1], text=text)
            break
        runs.pop()
    return tuple(runs)


def _is_visible(text: str) -> bool:
    return any(
        unicodedata.category(letter)[0] not in "ZC" and letter not in _BLANK for letter in text
    )
