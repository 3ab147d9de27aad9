"""Verification events: one shape, six kinds, and nothing in them that nobody said."""

from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from comal_runtime.consent.verification import (
    VerificationEvent,
    VerificationKind,
    VerificationOutcome,
    VerificationRequest,
    VerificationResult,
)


@pytest.mark.runtime_line(39)
def test_verification_events_are_called_as_the_specification_calls_them() -> None:
    asked = VerificationRequest(request_id="r", subject=None)
    pending = VerificationResult(outcome=VerificationOutcome.PENDING)

    names = [
        VerificationEvent(kind=kind, request=asked, result=pending).name
        for kind in VerificationKind
    ]

    assert names == [
        "verification.requested",
        "verification.voted",
        "verification.granted",
        "verification.rejected",
        "verification.escalated",
        "verification.expired",
    ]


@pytest.mark.runtime_line(39)
def test_a_verification_event_gives_its_request_result_and_id_as_they_are() -> None:
    asked = VerificationRequest.for_resolution("r1")
    passed = VerificationResult(outcome=VerificationOutcome.PASSED)

    event = VerificationEvent(kind=VerificationKind.GRANTED, request=asked, result=passed)

    assert event.get_request() is asked
    assert event.get_request().subject is None
    assert event.get_result() is passed
    assert event.get_request_id() == "r1"
    assert event.payload == {"event": event}
    with pytest.raises(FrozenInstanceError):
        event.kind = VerificationKind.REJECTED  # type: ignore[misc]  # the mistake under test


@pytest.mark.parametrize(
    "made", [{"request_id": " ", "subject": None}, {"request_id": "r", "subject": " "}]
)
def test_a_request_has_an_id_and_its_subject_is_words_or_nothing(made: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="blank"):
        VerificationRequest(**made)


@pytest.mark.runtime_line(47)
@pytest.mark.parametrize(
    ("outcome", "satisfied", "final"),
    [
        ("passed", True, True),
        ("waived", True, True),
        ("failed", False, True),
        ("pending", False, False),
    ],
)
def test_a_result_says_whether_what_waits_may_go_on(
    outcome: str, satisfied: bool, final: bool
) -> None:
    result = VerificationResult(outcome=VerificationOutcome(outcome))

    assert (result.is_satisfied, result.is_final) == (satisfied, final)
