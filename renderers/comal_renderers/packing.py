"""Packs blocks into messages of which each is whole by itself."""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from .cutting import Pieces, cut, length, opened
from .descriptor import Descriptor
from .document import Block, Document, Text
from .layout import lay_out
from .measuring import size
from .split import cut_note, room_beside

Write = Callable[[Iterable[Block]], str]
"""Writes blocks as one message."""

Measure = Callable[[Sequence[Block]], int]
"""Returns the units that blocks take as one message."""

_GAP: Final = 2  # Units between two blocks: an empty line.
_FIRST_PROBE: Final = 64  # Letters or entries; so that little is written to no use.


def packed(
    document: Document, descriptor: Descriptor, write: Write, room: int | None = None
) -> tuple[list[str], int]:
    """Return the messages, and how many characters the channel's limits leave out.

    `room`, where given, stands for the text limit. The last message says so if more than the
    channel's message limit is left out.
    """
    limit = descriptor.text_limit if room is None else room
    unit, most = descriptor.text_unit, descriptor.message_limit

    if limit is None:
        text = write(document.blocks)
        return [text] if text.strip() else [], 0

    def measure(blocks: Sequence[Block]) -> int:
        return size(write(blocks), unit)

    parts, lost = _parts(document.blocks, measure, limit, most)
    if most is not None and len(parts) > most:
        parts, last = parts[:most], parts[most - 1]
        total = lost + _letters(last)
        left = room_beside(cut_note(total, document.language), limit, unit) - _GAP
        fewer = _parts(last, measure, left, 1)[0]
        if fewer:
            lost = total - _letters(fewer[0])
            parts[-1] = [*fewer[0], Text(content=cut_note(lost, document.language))]
    return [text for text in map(write, parts) if text.strip()], lost


def _parts(
    blocks: Iterable[Block], measure: Measure, limit: int, most: int | None
) -> tuple[list[list[Block]], int]:
    """Return the blocks of each message, and how many letters are in none of the first `most`."""
    waiting = deque(blocks)
    parts: list[list[Block]] = [[]]
    taken = lost = 0
    while waiting:
        if most is not None and len(parts) > most:
            over = _letters(waiting)
            return (parts if over else parts[:most]), lost + over
        block = waiting.popleft()
        needed = measure([block]) if length(block) <= limit else limit + 1
        if taken + needed <= limit:
            parts[-1].append(block)
            taken += needed + _GAP
            continue
        if parts[-1]:
            parts.append([])
            taken = 0
            waiting.appendleft(block)
            continue
        head, rest = _cut_to_fit(block, measure, limit)
        parts[-1].extend(head)
        taken = measure(head) + _GAP if head else 0
        waiting.extendleft(reversed(rest))
        lost += 0 if head or rest else _letters([block])
    return [part for part in parts if part], lost


def _cut_to_fit(block: Block, measure: Measure, limit: int) -> Pieces:
    """Return as much of a block as fits; where nothing does, what it holds in a simpler form."""
    low, high = 0, min(length(block), max(limit, 0))
    probe = _FIRST_PROBE
    while probe < high and measure(cut(block, probe)[0]) <= limit:
        low, probe = probe, 2 * probe
    high = min(high, probe)
    while low < high:
        middle = (low + high + 1) // 2
        if measure(cut(block, middle)[0]) <= limit:
            low = middle
        else:
            high = middle - 1
    return cut(block, low) if low else ((), opened(block))


def _letters(blocks: Iterable[Block]) -> int:
    return sum(len(run.text) for run in lay_out(blocks) if run.text.strip())
