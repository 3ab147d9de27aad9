"""Numbers the messages of one document, so that none can pass for the beginning of another."""

from collections.abc import Sequence
from typing import Final

from .descriptor import Descriptor
from .layout import Run
from .split import Part

_ROOM: Final = 32  # Units; ten digits for each number and the signs around them.
_LEAST: Final = 4 * _ROOM


def room_for_numbers(descriptor: Descriptor) -> int | None:
    """Return the units that the number leaves; None where it leaves no sensible room."""
    limit = descriptor.text_limit
    return limit - _ROOM if limit is not None and limit >= _LEAST else None


def numbered_parts(parts: Sequence[Part], descriptor: Descriptor) -> list[Part]:
    """Begin each of several messages with `⟨2/3⟩` on a line of its own."""
    total = len(parts)
    if total < 2 or room_for_numbers(descriptor) is None:
        return list(parts)
    return [(Run(text=number_line(at, total)), *part) for at, part in enumerate(parts, 1)]


def number_line(number: int, total: int) -> str:
    """Word the number of one message."""
    return f"⟨{number}/{total}⟩\n"
