"""How people and questions are called in what the host says."""

from collections.abc import Sequence
from typing import Final

from comal_renderers.inert import inert_name
from comal_renderers.visible import visible
from comal_runtime.consent.overriding import breaks_glass
from comal_runtime.record import (
    Question,
    QuestionKind,
    QuestionState,
    Repositories,
    Transaction,
    Vote,
)

from .wiring import Premises

_LONGEST_NAME: Final = 80  # characters of a summary within a sentence


async def name_of(
    house: Premises, stored: Transaction | Repositories, principal: str | None
) -> str:
    """Return how a principal is called on cards: as the settings say, else as it calls itself."""
    if principal is None:
        return "—"
    if breaks_glass(principal):
        return broken_by(principal)
    known = house.people.name(principal)
    if known is not None:
        return known
    called = await stored.people.name(principal)
    return f"{called} ({principal})" if called else principal


def broken_by(principal: str) -> str:
    """Name whoever broke the glass so that nobody overlooks it."""
    return f"BREAK-GLASS ({principal.partition(':')[2]})"


async def deciders(
    house: Premises,
    stored: Transaction | Repositories,
    question: Question,
    votes: Sequence[Vote],
) -> str:
    """Return how those are called who decided a question together, in the order they did."""
    said_yes = question.state is not QuestionState.REJECTED
    together = [vote.identity for vote in votes if (vote.choice == "yes") is said_yes]
    if question.kind is QuestionKind.CONFIRMATION or question.decided_by not in together:
        return await name_of(house, stored, question.decided_by)
    return ", ".join([await name_of(house, stored, voter) for voter in together])


def named(question: Question) -> str:
    """Return a question's summary as a part of a sentence, with nothing hidden in it."""
    summary = " ".join(question.summary.split())
    clipped = summary if len(summary) <= _LONGEST_NAME else f"{summary[:_LONGEST_NAME]}…"
    return inert_name(visible(clipped))
