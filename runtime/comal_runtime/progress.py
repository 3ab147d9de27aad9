"""What a long tool tells on the way: an async generator yields it, the channel shows it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """`done` of `total` units, and a sentence for people; `total` None where it is not known.

    A streaming tool yields any number of these and, last, its result.
    """

    done: int
    total: int | None = None
    text: str = ""
