"""Asking again: what ended without anybody's no, and without being done, may be asked anew."""

from ..context import CallKey
from ..record import Act, ActState, Question, QuestionState

_OVER = (QuestionState.EXPIRED, QuestionState.SUPERSEDED)


def may_be_asked_again(question: Question, act: Act | None) -> bool:
    """Tell whether the call of a question may be asked anew by whoever asked for it.

    It may once its time is over, what it stood on has changed, or its act is void; not a second
    time, and not where it would do an act of unknown outcome again: that has a card of its own.
    """
    if question.tool is None or question.principal is None or question.repeats is not None:
        return False
    if question.superseded_by is not None:
        return False
    if question.state in _OVER:
        return True
    return act is not None and act.state is ActState.VOID


def again(question: Question) -> CallKey:
    """Return where the call that asks a question anew stands: one such call for each question."""
    return CallKey(turn=f"again:{question.id}", step=0, index=0)
