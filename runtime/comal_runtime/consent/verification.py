"""Verification: other people's yes, asked for and given through two tools."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Protocol

from ..clock import Clock
from ..context import ToolContext
from ..events import (
    EventDispatcher,
    VerificationGranted,
    VerificationRejected,
    VerificationRequested,
)
from ..record import Job, Question, QuestionKind, Record
from ..result import ErrorCode, ToolResult
from ..tools import Tool, ToolOptions, ToolSink
from .question import SHOW_QUESTION, new_id, subject_question
from .route import Directory
from .votes import Answer, Verdict, answer

REQUEST_VERIFICATION: Final = "request_verification"
RESOLVE_VERIFICATION: Final = "resolve_verification"

_TTL: Final = 24 * 3600.0


class VerificationOutcome(StrEnum):
    """How a verification stands."""

    PASSED = "passed"
    FAILED = "failed"
    WAIVED = "waived"
    PENDING = "pending"


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationRequest:
    """What is to be verified. `subject` is None when only the id is known."""

    request_id: str
    subject: str | None
    requested_by: str | None = None

    @classmethod
    def for_resolution(cls, request_id: str) -> "VerificationRequest":
        """Describe a request of which nothing but the id was given."""
        return cls(request_id=request_id, subject=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationResult:
    """What came of a verification, who decided it and why."""

    outcome: VerificationOutcome
    principal: str | None = None
    reason: str | None = None


class Verifier(Protocol):
    """Anything that can verify: people, a rule, an outside service."""

    async def verify(self, request: VerificationRequest) -> VerificationResult:
        """Say how the request stands now; PENDING while nobody has decided."""
        ...


class HumanVerifier:
    """People decide; their answers are rows of the record."""

    def __init__(
        self,
        record: Record,
        clock: Clock,
        directory: Directory,
        dispatcher: EventDispatcher | None = None,
    ) -> None:
        self._record = record
        self._clock = clock
        self._directory = directory
        self._dispatcher = dispatcher

    async def verify(self, request: VerificationRequest) -> VerificationResult:
        async with self._record.reading() as stored:
            question = await stored.questions.get(request.request_id)
        if question is None or question.state == "open":
            return VerificationResult(outcome=VerificationOutcome.PENDING)
        passed = question.state == "approved"
        return VerificationResult(
            outcome=VerificationOutcome.PASSED if passed else VerificationOutcome.FAILED,
            principal=question.decided_by,
            reason=question.reason,
        )

    async def open(self, subject: str, ctx: ToolContext, request_id: str | None) -> Question | None:
        """Store a request about a subject; None when its id is taken."""
        question = subject_question(
            request_id or new_id(), subject, ctx, now=self._clock.now(), ttl=_TTL
        )
        async with self._record.transaction() as tx:
            if not await tx.questions.open(question):
                return None
            tx.defer(Job(kind=SHOW_QUESTION, lane=f"question:{question.id}", key=question.id))
        if self._dispatcher is not None:
            await self._dispatcher.dispatch(VerificationRequested(request=_request(question)))
        return question

    async def grant(
        self, request_id: str, voter: str, reason: str | None = None
    ) -> tuple[Verdict, Question | None]:
        """Say yes as `voter` and, if that decides, tell listeners."""
        return await self._resolve(request_id, voter, yes=True, reason=reason)

    async def reject(
        self, request_id: str, voter: str, reason: str | None = None
    ) -> tuple[Verdict, Question | None]:
        """Say no as `voter` and, if that decides, tell listeners."""
        return await self._resolve(request_id, voter, yes=False, reason=reason)

    async def _resolve(
        self, request_id: str, voter: str, *, yes: bool, reason: str | None
    ) -> tuple[Verdict, Question | None]:
        given = Answer(voter=voter, yes=yes, reason=reason, at=self._clock.now())
        async with self._record.transaction() as tx:
            verdict, question = await answer(tx, request_id, given, self._directory)
        if question is not None and self._dispatcher is not None:
            await self._tell(self._dispatcher, verdict, question)
        return verdict, question

    async def _tell(
        self, dispatcher: EventDispatcher, verdict: Verdict, question: Question
    ) -> None:
        request = _request(question)
        if verdict is Verdict.APPROVED:
            passed = VerificationResult(
                outcome=VerificationOutcome.PASSED, principal=question.decided_by
            )
            await dispatcher.dispatch(VerificationGranted(request=request, result=passed))
        elif verdict is Verdict.REJECTED:
            failed = VerificationResult(
                outcome=VerificationOutcome.FAILED,
                principal=question.decided_by,
                reason=question.reason,
            )
            await dispatcher.dispatch(VerificationRejected(request=request, result=failed))


class VerificationTool:
    """Brings `request_verification` and `resolve_verification`; which write only questions.

    `resolve_scopes` restricts resolving; asking needs none.
    """

    def __init__(
        self, verifier: HumanVerifier, record: Record, *, resolve_scopes: tuple[str, ...] = ()
    ) -> None:
        self._verifier = verifier
        self._record = record
        self._resolve_scopes = resolve_scopes

    def register(self, registry: ToolSink) -> None:
        registry.add_all([self._request_tool(), self._resolve_tool()])

    async def handle_request(
        self,
        ctx: ToolContext,
        subject: str,
        policy: str = "single",
        requested_by: str | None = None,
        request_id: str | None = None,
    ) -> ToolResult:
        """Open a request and return its id."""
        if not subject.strip():
            return _refuse("subject must not be blank.", ErrorCode.VALIDATION_ERROR)
        if request_id is not None and not request_id.strip():
            return _refuse("request_id must not be blank.", ErrorCode.VALIDATION_ERROR)
        if policy != "single":
            return _refuse(f"policy must be 'single', not {policy!r}.", ErrorCode.VALIDATION_ERROR)
        if requested_by is not None and requested_by != ctx.principal:
            return _refuse("requested_by names somebody else.", ErrorCode.FORBIDDEN)
        question = await self._verifier.open(subject, ctx, request_id)
        if question is None:
            return _refuse(f"request_id {request_id!r} is taken.", ErrorCode.VALIDATION_ERROR)
        data = {"subject": subject, "policy": policy}
        if ctx.origin != "model":
            data["request_id"] = question.id
        return ToolResult.pending(f"Verification required for {subject!r}.", data)

    async def handle_resolve(
        self,
        ctx: ToolContext,
        request_id: str,
        decision: str,
        principal: str,
        subject: str | None = None,
        reason: str | None = None,
    ) -> ToolResult:
        """Grant or reject a request as the caller, and as nobody else."""
        if decision not in ("grant", "reject"):
            return _refuse(
                f"decision must be 'grant' or 'reject', not {decision!r}.",
                ErrorCode.VALIDATION_ERROR,
            )
        refusal = await self._refusal(ctx, request_id, principal, subject)
        if refusal is not None:
            return refusal
        resolve = self._verifier.grant if decision == "grant" else self._verifier.reject
        verdict, _ = await resolve(request_id, principal, reason)
        said = _SAID.get(verdict)
        if said is not None:
            return _refuse(said[1], said[0], verdict)
        data = {"request_id": request_id, "decision": decision, "verdict": verdict.value}
        return ToolResult.success(data, f"Verification {verdict}.")

    async def _refusal(
        self, ctx: ToolContext, request_id: str, principal: str, subject: str | None
    ) -> ToolResult | None:
        if ctx.origin == "model":
            return _refuse("A model can never resolve a verification.", ErrorCode.FORBIDDEN)
        if ctx.principal is None or principal != ctx.principal:
            return _refuse("principal names somebody else.", ErrorCode.FORBIDDEN)
        async with self._record.reading() as stored:
            question = await stored.questions.get(request_id)
        if question is None or question.kind is not QuestionKind.VERIFICATION:
            return _refuse("No such verification.", ErrorCode.NOT_FOUND, Verdict.UNKNOWN)
        if subject is not None and subject != question.subject:
            return _refuse("The request is about another subject.", ErrorCode.VALIDATION_ERROR)
        return None

    def _request_tool(self) -> Tool:
        properties = {
            "subject": {"type": "string", "description": "What other people should verify"},
            "policy": {"type": "string", "enum": ["single"], "default": "single"},
            "requested_by": {"type": "string"},
            "request_id": {"type": "string"},
        }
        return Tool(
            name=REQUEST_VERIFICATION,
            description="Ask other people to verify something before it is done.",
            input_schema=_object(properties, ["subject"]),
            callback=self.handle_request,
            options=ToolOptions(mutating=True, consent_only=True),
        )

    def _resolve_tool(self) -> Tool:
        properties = {
            "request_id": {"type": "string"},
            "decision": {"type": "string", "enum": ["grant", "reject"]},
            "principal": {"type": "string"},
            "subject": {"type": "string"},
            "reason": {"type": "string"},
        }
        return Tool(
            name=RESOLVE_VERIFICATION,
            description="Grant or reject a verification that somebody asked for.",
            input_schema=_object(properties, ["request_id", "decision", "principal"]),
            callback=self.handle_resolve,
            options=ToolOptions(mutating=True, consent_only=True, scopes=self._resolve_scopes),
        )


_SAID: Final[Mapping[Verdict, tuple[ErrorCode, str]]] = {
    Verdict.NOT_ENTITLED: (ErrorCode.FORBIDDEN, "You are not one of its approvers."),
    Verdict.OWN_REQUEST: (
        ErrorCode.FORBIDDEN,
        "You asked for this yourself; somebody else must decide.",
    ),
    Verdict.DECIDED_BEFORE: (ErrorCode.FORBIDDEN, "It was decided already."),
    Verdict.EXPIRED: (ErrorCode.EXPIRED, "It has expired; nothing was done."),
    Verdict.UNKNOWN: (ErrorCode.NOT_FOUND, "No such verification."),
}


def _refuse(text: str, code: ErrorCode, verdict: Verdict | None = None) -> ToolResult:
    return ToolResult.error(text, code=code, meta={"verdict": verdict} if verdict else None)


def _object(properties: Mapping[str, Any], required: list[str]) -> dict[str, Any]:
    return {"type": "object", "properties": dict(properties), "required": required}


def _request(question: Question) -> VerificationRequest:
    return VerificationRequest(
        request_id=question.id,
        subject=question.subject or question.summary,
        requested_by=question.principal,
    )
