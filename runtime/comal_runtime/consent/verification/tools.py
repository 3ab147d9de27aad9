"""The two tools: asking other people to verify something, and answering when one is asked."""

from collections.abc import Collection, Mapping
from typing import Any, Final

from ...context import ToolContext
from ...record import QuestionKind, Record
from ...result import ErrorCode, ToolResult
from ...tools import Bind, Tool, ToolOptions, ToolSink
from ..policies import Policy
from ..route import REQUEST_VERIFICATION, Routes
from ..terms import Terms
from ..votes import Verdict
from .choosing import Refused, chosen
from .human import TTL, HumanVerifier, Opened, Opening, Resolved

RESOLVE_VERIFICATION: Final = "resolve_verification"

_LONGEST_ID: Final = 200  # characters of an id that a caller chooses
_NO_ROUTES: Final = Routes()

_SAID: Final[Mapping[Verdict, tuple[ErrorCode, str]]] = {
    Verdict.NOT_ENTITLED: (ErrorCode.FORBIDDEN, "You are not one of its approvers."),
    Verdict.OWN_REQUEST: (
        ErrorCode.FORBIDDEN,
        "You asked for this yourself; somebody else must decide.",
    ),
    Verdict.VOTED_BEFORE: (ErrorCode.FORBIDDEN, "You have answered already; nobody counts twice."),
    Verdict.NOT_YET: (ErrorCode.FORBIDDEN, "Others must decide first; you are asked after them."),
    Verdict.NEEDS_REASON: (ErrorCode.VALIDATION_ERROR, "reason must say why; its route wants one."),
    Verdict.CHANGED: (ErrorCode.FORBIDDEN, "It is no more what was asked; nothing was done."),
    Verdict.DECIDED_BEFORE: (ErrorCode.FORBIDDEN, "It was decided already."),
    Verdict.EXPIRED: (ErrorCode.EXPIRED, "It has expired; nothing was done."),
    Verdict.UNKNOWN: (ErrorCode.NOT_FOUND, "No such verification."),
}
_WORDS: Final[Mapping[Verdict, str]] = {
    Verdict.APPROVED: "granted",
    Verdict.REJECTED: "rejected",
}


class VerificationTool:
    """Brings `request_verification` and `resolve_verification`; which write only questions.

    `resolve_scopes` restricts resolving; asking needs none. `routes` say who decides what is asked
    for: the first that matches `request_verification` and its arguments.
    """

    def __init__(
        self,
        verifier: HumanVerifier,
        record: Record,
        *,
        resolve_scopes: tuple[str, ...] = (),
        routes: Routes = _NO_ROUTES,
    ) -> None:
        self._verifier = verifier
        self._record = record
        self._resolve_scopes = resolve_scopes
        self._routes = routes

    def register(self, registry: ToolSink) -> None:
        """Add both tools to a registry."""
        registry.add_all([self._request_tool(), self._resolve_tool()])

    async def handle_request(
        self,
        ctx: ToolContext,
        subject: str,
        policy: str | None = None,
        requested_by: str | None = None,
        request_id: str | None = None,
    ) -> ToolResult:
        """Open a request and return its id; without one given, or an empty one, it gets one."""
        if not subject.strip():
            return _refuse("subject must not be blank.", ErrorCode.VALIDATION_ERROR)
        if request_id and not request_id.strip():
            return _refuse("request_id must not be blank.", ErrorCode.VALIDATION_ERROR)
        if requested_by is not None and requested_by != ctx.principal:
            return _refuse("requested_by names somebody else.", ErrorCode.FORBIDDEN)
        if ctx.origin == "model" and request_id:
            return _refuse("A model cannot choose a request_id.", ErrorCode.FORBIDDEN)
        route = self._routes.for_call(REQUEST_VERIFICATION, {"subject": subject})
        terms = chosen(route, policy, ctx.principal, self._verifier.directory)
        if isinstance(terms, Refused):
            return _refuse(terms.why, ErrorCode.VALIDATION_ERROR)
        ttl = TTL if route is None else route.lasts()
        opening = Opening(subject=subject, request_id=request_id or None, terms=terms, ttl=ttl)
        opened = await self._verifier.open(opening, ctx)
        if opened is None:
            return _refuse(f"request_id {request_id!r} is taken.", ErrorCode.VALIDATION_ERROR)
        return _asked(opened, ctx)

    async def handle_resolve(  # noqa: PLR0913 - the arguments of the tool
        self,
        ctx: ToolContext,
        request_id: str,
        decision: str,
        principal: str,
        subject: str | None = None,
        reason: str | None = None,
        asks_changes: bool = False,
    ) -> ToolResult:
        """Grant or reject a request as the caller, and as nobody else.

        A rejection that `asks_changes` says in its reason what should be asked instead.
        """
        if decision not in ("grant", "reject"):
            return _refuse(
                f"decision must be 'grant' or 'reject', not {decision!r}.",
                ErrorCode.VALIDATION_ERROR,
            )
        refusal = await self._refusal(ctx, request_id, principal, subject)
        if refusal is not None:
            return refusal
        if decision == "grant":
            resolved = await self._verifier.grant(request_id, principal, reason, subject=subject)
        else:
            resolved = await self._verifier.reject(
                request_id, principal, reason, subject=subject, asks_changes=asks_changes
            )
        said = _SAID.get(resolved.verdict)
        if said is not None:
            return _refuse(said[1], said[0], resolved.verdict)
        data = {"request_id": request_id, "decision": decision}
        return _answered(resolved, data, subject or request_id)

    async def _refusal(
        self, ctx: ToolContext, request_id: str, principal: str, subject: str | None
    ) -> ToolResult | None:
        if ctx.origin == "model":
            return _refuse("A model can never resolve a verification.", ErrorCode.FORBIDDEN)
        if ctx.principal is None or principal != ctx.principal:
            return _refuse("principal names somebody else.", ErrorCode.FORBIDDEN)
        if not request_id.strip():
            return _refuse("request_id must not be blank.", ErrorCode.VALIDATION_ERROR)
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
            "policy": {
                "type": "string",
                "enum": [policy.value for policy in Policy],
                "description": "How many people it takes; only to ask for more than usual",
            },
            "requested_by": {"type": "string", "description": "You; nobody else may be named"},
            "request_id": {"type": "string", "maxLength": _LONGEST_ID},
        }
        return Tool(
            name=REQUEST_VERIFICATION,
            description="Ask other people to verify something before it is done.",
            input_schema=_object(properties, ["subject"]),
            callback=self.handle_request,
            bind=_naming(properties),
            takes=frozenset(properties),
            options=ToolOptions(mutating=True, consent_only=True),
        )

    def _resolve_tool(self) -> Tool:
        properties = {
            "request_id": {"type": "string"},
            "decision": {"type": "string", "enum": ["grant", "reject"]},
            "principal": {"type": "string", "description": "You; nobody else may be named"},
            "subject": {"type": "string"},
            "reason": {"type": "string"},
            "asks_changes": {
                "type": "boolean",
                "description": "With a rejection: its reason says what should be asked instead",
            },
        }
        return Tool(
            name=RESOLVE_VERIFICATION,
            description="Grant or reject a verification that somebody asked for.",
            input_schema=_object(properties, ["request_id", "decision", "principal"]),
            callback=self.handle_resolve,
            bind=_naming(properties),
            takes=frozenset(properties),
            options=ToolOptions(mutating=True, consent_only=True, scopes=self._resolve_scopes),
        )


def _asked(opened: Opened, ctx: ToolContext) -> ToolResult:
    question, result = opened.question, opened.result
    policy = Terms.read(question.route).policy
    data: dict[str, Any] = {"subject": question.subject, "policy": policy.value}
    if ctx.origin != "model":
        data["request_id"] = question.id
    meta = _meta(result.outcome, opened.unheard)
    if result.is_satisfied:
        return ToolResult.success(data, f"Verification granted for {question.subject!r}.", meta)
    if result.is_final:
        why = result.reason or "rejected"
        return ToolResult.success(data, f"Not verified: {question.subject!r} was {why}.", meta)
    text = f"Verification required for {question.subject!r} (policy: {policy})."
    if opened.unheard:
        text += f" It is open, but not everybody could be told: {', '.join(opened.unheard)} failed."
    return ToolResult.pending(text, data, meta)


def _answered(resolved: Resolved, data: dict[str, Any], what: str) -> ToolResult:
    verdict, result = resolved.verdict, resolved.result
    data |= {
        "verdict": verdict.value,
        "status": result.outcome.value,
        "approvals": result.approvals,
        "needed": result.needed,
    }
    meta = _meta(result.outcome, resolved.unheard)
    if verdict is Verdict.VOTED:
        counted = f"{result.approvals} of {result.needed} approvals"
        return ToolResult.success(data, f"Recorded for {what!r}: {counted}.", meta)
    return ToolResult.success(data, f"Verification {_WORDS[verdict]} for {what!r}.", meta)


def _meta(status: str, unheard: tuple[str, ...]) -> dict[str, Any]:
    return {"verification_status": status} | ({"listeners_failed": unheard} if unheard else {})


def _refuse(text: str, code: ErrorCode, verdict: Verdict | None = None) -> ToolResult:
    return ToolResult.error(text, code=code, meta={"verdict": verdict} if verdict else None)


def _naming(properties: Collection[str]) -> Bind:
    """Return how the handlers are called: with what their schema names, and nothing else."""

    def bind(arguments: Mapping[str, Any], ctx: ToolContext) -> dict[str, Any]:
        named = {name: arguments[name] for name in properties if name in arguments}
        return {**named, "ctx": ctx}

    return bind


def _object(properties: Mapping[str, Any], required: list[str]) -> dict[str, Any]:
    return {"type": "object", "properties": dict(properties), "required": required}
