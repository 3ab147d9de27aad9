"""What is to be verified, what came of it, and the seam that whoever verifies plugs into."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol, Self

from ...record import Question
from ..policies import Policy
from ..terms import Terms


class VerificationOutcome(StrEnum):
    """How a verification stands."""

    PASSED = "passed"
    FAILED = "failed"
    WAIVED = "waived"
    PENDING = "pending"


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationRequest:
    """What is to be verified: a `subject`, or the call of a `tool` with its `arguments`.

    `subject` is None when nobody named one.
    """

    request_id: str
    subject: str | None
    policy: Policy = Policy.SINGLE
    requested_by: str | None = None
    tool: str | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if not self.request_id.strip():
            raise ValueError("request_id is blank; a verification is found by it")
        if self.subject is not None and not self.subject.strip():
            raise ValueError("subject is blank; use None, or `for_resolution`, where there is none")

    @classmethod
    def for_resolution(
        cls,
        request_id: str,
        *,
        policy: Policy = Policy.SINGLE,
        requested_by: str | None = None,
        tool: str | None = None,
    ) -> Self:
        """Describe a request whose subject the one who resolves it did not name."""
        return cls(
            request_id=request_id,
            subject=None,
            policy=policy,
            requested_by=requested_by,
            tool=tool,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationResult:
    """What came of a verification, who decided it and why.

    `verifier` names who was asked. Of `needed` people `approvals` said yes; None where no number
    of people decides.
    """

    outcome: VerificationOutcome
    reason: str | None = None
    verifier: str | None = None
    principal: str | None = None
    approvals: int = 0
    needed: int | None = None

    @property
    def is_satisfied(self) -> bool:
        """Whether what waited for it may go on."""
        return self.outcome in (VerificationOutcome.PASSED, VerificationOutcome.WAIVED)

    @property
    def is_final(self) -> bool:
        """Whether it stays as it is."""
        return self.outcome is not VerificationOutcome.PENDING


class Verifier(Protocol):
    """Anything that can verify: people, a rule, an outside service."""

    async def verify(self, request: VerificationRequest) -> VerificationResult:
        """Say how the request stands now; PENDING while nobody has decided."""
        ...


def request_of(question: Question) -> VerificationRequest:
    """Return what a stored question asks to be verified."""
    return VerificationRequest(
        request_id=question.id,
        subject=question.subject,
        policy=Terms.read(question.route).policy,
        requested_by=question.principal,
        tool=question.tool,
        arguments=json.loads(question.args),
    )
