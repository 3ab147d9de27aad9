"""A pressed button whose card was found, and what whoever pressed it is told."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from comal_runtime.consent import Verdict
from comal_runtime.record import Card, Question

RECORDED: Final = frozenset({Verdict.APPROVED, Verdict.REJECTED, Verdict.CANCELLED, Verdict.VOTED})

_SAID: Final[Mapping[Verdict, str]] = {
    Verdict.APPROVED: "answer.recorded",
    Verdict.REJECTED: "answer.recorded",
    Verdict.CANCELLED: "answer.recorded",
    Verdict.VOTED_BEFORE: "answer.voted_before",
    Verdict.NOT_YET: "answer.not_yet",
    Verdict.NEEDS_REASON: "answer.needs_reason",
    Verdict.CHANGED: "answer.changed",
    Verdict.NOT_ENTITLED: "answer.not_yours",
    Verdict.OWN_REQUEST: "answer.self",
    Verdict.DECIDED_BEFORE: "answer.already_decided",
    Verdict.EXPIRED: "answer.expired",
    Verdict.UNKNOWN: "answer.unknown_button",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tapped:
    """A button of a card that hangs where it was pressed; `voter` is the channel's own user id."""

    card: Card
    question: Question
    choice: str
    voter: str


@dataclass(frozen=True, slots=True)
class Said:
    """What the one who tapped is told; `alert` stays until it is closed."""

    key: str
    alert: bool = True
    values: Mapping[str, object] = field(default_factory=dict)


Handler = Callable[[Tapped], Awaitable[Said]]
"""Does what one choice of a card stands for, if this person may."""


def said_of(verdict: Verdict) -> Said:
    """Return what somebody hears whose answer came to this."""
    return Said(_SAID[verdict], alert=verdict not in RECORDED)
