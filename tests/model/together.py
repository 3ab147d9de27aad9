"""How a question and its act stand together, and what each of that means to whom."""

from dataclasses import dataclass
from typing import Final

from comal_runtime.record import ActState, QuestionState

from .table import NONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a question and its act stand together, and what that means to people and the model."""

    question: str
    acts: tuple[str, ...]
    card: str
    model: str


TOGETHER: Final[tuple[Standing, ...]] = (
    Standing(
        question=QuestionState.OPEN,
        acts=(NONE,),
        card="the whole call, with buttons",
        model="`awaiting_confirmation` or `awaiting_approval`; its turn has ended",
    ),
    Standing(
        question=QuestionState.APPROVED,
        acts=(ActState.APPROVED, ActState.STARTED),
        card="approved by NAME · running (confirmed, where the requester was asked)",
        model="nothing yet",
    ),
    Standing(
        question=QuestionState.APPROVED,
        acts=(ActState.DONE,),
        card="approved by NAME · executed",
        model="a host event with the result, in a new turn",
    ),
    Standing(
        question=QuestionState.APPROVED,
        acts=(ActState.FAILED,),
        card="approved by NAME · failed, and why",
        model="a host event with the error",
    ),
    Standing(
        question=QuestionState.APPROVED,
        acts=(ActState.UNKNOWN,),
        card="approved by NAME · outcome unknown, with three buttons until somebody leaves it so",
        model="a host event that says so",
    ),
    Standing(
        question=QuestionState.APPROVED,
        acts=(ActState.DONE_LATE,),
        card="approved by NAME · done late",
        model="a second host event with the result",
    ),
    Standing(
        question=QuestionState.APPROVED,
        acts=(ActState.SETTLED_DONE,),
        card="approved by NAME · done (confirmed by the service, or: says NAME)",
        model="a second host event that says who found out",
    ),
    Standing(
        question=QuestionState.APPROVED,
        acts=(ActState.VOID, ActState.SETTLED_NOT_DONE),
        card="approved by NAME · not executed, and why",
        model="a host event that says why",
    ),
    Standing(
        question=QuestionState.APPROVED,
        acts=(NONE,),
        card="approved by NAME: a question about a subject has no act",
        model="a host event: decided",
    ),
    Standing(
        question=QuestionState.REJECTED,
        acts=(NONE,),
        card="rejected by NAME",
        model="a host event: decided, not failed",
    ),
    Standing(
        question=QuestionState.CANCELLED,
        acts=(NONE,),
        card="cancelled by NAME",
        model="a host event",
    ),
    Standing(
        question=QuestionState.EXPIRED,
        acts=(NONE,),
        card="expired · nothing was done",
        model="a host event",
    ),
    Standing(
        question=QuestionState.SUPERSEDED,
        acts=(NONE,),
        card="no more what was asked, and why; or replaced by the card of its edit",
        model="a host event that says why; for an edit that of its successor",
    ),
)
