"""Asking again: only what ended undone and without anybody's no, and once."""

from dataclasses import replace

import pytest

from comal_runtime.consent.asking_again import again, may_be_asked_again
from comal_runtime.consent.votes import act_of
from comal_runtime.record import ActState, QuestionState
from tests.runtime.record.contracts.rows import question


@pytest.mark.parametrize("state", list(QuestionState))
def test_only_what_expired_or_is_no_longer_what_was_asked_is_asked_anew(
    state: QuestionState,
) -> None:
    over = state in (QuestionState.EXPIRED, QuestionState.SUPERSEDED)

    assert may_be_asked_again(question(state=state), None) is over


@pytest.mark.parametrize("state", list(ActState))
def test_of_what_was_approved_only_a_void_act_is_asked_anew(state: ActState) -> None:
    asked = question(state=QuestionState.APPROVED)
    act = replace(act_of(asked, now=0.0), state=state)

    assert may_be_asked_again(asked, act) is (state is ActState.VOID)


@pytest.mark.parametrize(
    "changes",
    [
        {"superseded_by": "q2"},
        {"tool": None},
        {"principal": None},
        {"repeats": "an act of unknown outcome"},
    ],
)
def test_what_has_a_successor_no_call_or_no_requester_is_not_asked_anew(
    changes: dict[str, str | None],
) -> None:
    assert not may_be_asked_again(question(state=QuestionState.EXPIRED, **changes), None)


def test_each_question_has_one_call_that_asks_it_anew() -> None:
    first, second = again(question("q1")), again(question("q2"))

    assert first == again(question("q1"))
    assert str(first) != str(second)
