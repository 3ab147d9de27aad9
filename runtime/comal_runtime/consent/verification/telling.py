"""Telling listeners how a verification stands: one event, of six kinds."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from ...record import Question
from ..terms import Terms
from .outcomes import (
    VerificationOutcome,
    VerificationRequest,
    VerificationResult,
    request_of,
)


class VerificationKind(StrEnum):
    """What has happened to a verification; `voted` is a vote that does not decide yet."""

    REQUESTED = "requested"
    VOTED = "voted"
    GRANTED = "granted"
    REJECTED = "rejected"
    ESCALATED = "escalated"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationEvent:
    """A verification was asked for, voted on, decided, escalated, or its time is over."""

    kind: VerificationKind
    request: VerificationRequest
    result: VerificationResult

    @property
    def name(self) -> str:
        """Such as `verification.granted`."""
        return f"verification.{self.kind}"

    @property
    def payload(self) -> Mapping[str, "VerificationEvent"]:
        """This event under its one key, for listeners that pass payloads on."""
        return {"event": self}

    def get_request(self) -> VerificationRequest:
        """Return the request; its subject is None where nobody named one."""
        return self.request

    def get_result(self) -> VerificationResult:
        """Return how the request stands."""
        return self.result

    def get_request_id(self) -> str:
        """Return the request's id."""
        return self.request.request_id


def requested(question: Question) -> VerificationEvent:
    """Return the event of a question that was just stored."""
    waits = VerificationResult(
        outcome=VerificationOutcome.PENDING, needed=Terms.read(question.route).needed
    )
    return VerificationEvent(
        kind=VerificationKind.REQUESTED, request=request_of(question), result=waits
    )
