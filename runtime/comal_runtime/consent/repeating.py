"""Doing again what may have been done: one attempt at a time, and none once it is known."""

from dataclasses import dataclass
from typing import Final

from ..record import ActState, QuestionState, Transaction

_OVER: Final = (ActState.VOID, ActState.FAILED, ActState.SETTLED_NOT_DONE)


@dataclass(frozen=True, slots=True)
class Moot:
    """Nothing was stored: `why` it need not, or must not, be done again now."""

    why: str


async def moot(tx: Transaction, act: str) -> Moot | None:
    """Tell why an act may not be asked for again; while the transaction lasts that holds."""
    if not await tx.acts.hold_unknown(act):
        return Moot("how it ended is known by now; nothing is done again")
    for question in await tx.questions.repetitions(act):
        if question.state is QuestionState.OPEN:
            return Moot("it has been asked for again already; that question is open")
        if question.state is not QuestionState.APPROVED:
            continue
        again = await tx.acts.get(question.id)
        if again is not None and again.state not in _OVER:
            return Moot(f"it has been asked for again and approved; that attempt is {again.state}")
    return None
