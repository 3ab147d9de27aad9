"""Confirm: an approval, a confirmation, or nothing; without a valid answer a question is stored."""

from collections.abc import Awaitable, Sequence

from ..call import Call
from ..consent.policies import Policy, Terms
from ..consent.question import TooMany, ask, call_question, digest_of
from ..consent.route import Route
from ..consent.verification import RESOLVE_VERIFICATION, ask_rule, request_of, requested
from ..consent.votes import tally
from ..context import ToolContext
from ..deps import Deps
from ..events import announce
from ..record import Question, QuestionKind, QuestionState
from ..result import ErrorCode, ToolResult
from ..tools import Tool
from .lost import already_answered
from .ruling import granted_by_rule
from .station import Answer, Presence, RegistryWiring, Seen

_NEVER = "A model can never answer a verification, nor choose its id."


def confirm(call: Call, deps: Deps) -> Answer | Awaitable[Answer]:
    """Let the call through if nobody must be asked, or if the one asked said yes to this call."""
    if call.tool.options.consent_only and not _may_ask(call):
        return ToolResult.error(_NEVER, code=ErrorCode.FORBIDDEN)
    if call.question is not None:
        checked = _checked(call, call.question)
        if checked is call and call.question.kind is QuestionKind.VERIFICATION:
            return _granted(call, call.question, deps)
        return checked
    if call.tool.options.consent_only and call.ctx.consent is not None:
        return _consented(call)
    route = _route(call, deps)
    if isinstance(route, ToolResult):
        return route
    if route is not None and route.policy == Policy.AUTO:
        return granted_by_rule(call, route, deps)
    if route is None and not deps.policy.requires_confirmation(call.ctx, call.tool):
        return call
    return _ask(call, deps, route)


def _may_ask(call: Call) -> bool:
    """Tell whether the caller may use a consent tool so: a model neither answers nor names ids."""
    if call.ctx.origin != "model":
        return True
    return call.tool.name != RESOLVE_VERIFICATION and "request_id" not in call.args


def inspect_confirm(tool: Tool, ctx: ToolContext, wiring: RegistryWiring) -> Seen:
    """Say who would be asked."""
    matching = () if tool.options.consent_only else wiring.routes.about(tool.name)
    told = [f"route {route.label}: {_approved_by(route)}" for route in matching]
    if matching and matching[-1].when is None:
        return Seen(Presence.ACTIVE, "; else ".join(told), ends=_ask_people(matching))
    if tool.options.approval is not None:
        named = wiring.routes.named(tool.options.approval)
        told.append(_told_approval(tool.options.approval, named))
        certain = _ask_people((*matching, named) if named is not None else matching)
        return Seen(Presence.ACTIVE, "; else ".join(told), ends=certain)
    asks = wiring.gate.requires_confirmation(ctx, tool)
    if matching:
        told.append("the requester confirms" if asks else "nobody is asked")
        presence = Presence.ACTIVE if asks else Presence.CONDITIONAL
        return Seen(presence, "; else ".join(told), ends=asks)
    if asks:
        nobody_else = "no route is about this tool, so nobody but the requester is asked"
        return Seen(Presence.ACTIVE, f"the requester confirms; {nobody_else}", ends=True)
    return Seen(Presence.DORMANT, "no route, nor the tool, nor the channel asks")


def _ask_people(routes: Sequence[Route]) -> bool:
    """Tell whether every one of these routes asks people, so that the call ends here for now."""
    return all(route.policy != Policy.AUTO for route in routes)


def _told_approval(name: str, route: Route | None) -> str:
    if route is None:
        return f"refused: the tool needs route {name!r}, which is not configured"
    return f"route {name!r}, which the tool names: {_approved_by(route)}"


def _approved_by(route: Route) -> str:
    if route.policy == Policy.AUTO:
        return f"granted by rule {route.rule!r} or refused"
    needed = route.terms.needed
    people = " or ".join(route.approvers)
    return f"approved by {people}" if needed == 1 else f"approved by {needed} people of {people}"


def _route(call: Call, deps: Deps) -> Route | ToolResult | None:
    if call.tool.options.consent_only:  # a route says who answers what it asks, not whether it may
        return None
    named = call.tool.options.approval
    matching = deps.routes.for_call(call.tool.name, call.args)
    if matching is not None or named is None:
        return matching
    return deps.routes.named(named) or ToolResult.error(
        f"{call.tool.name!r} needs an approval by route {named!r}, which is not configured; "
        "add a [[routes]] entry of that name",
        code=ErrorCode.FORBIDDEN,
    )


def _checked(call: Call, question: Question) -> Answer:
    if question.definition_digest != call.tool.definition_digest:
        return ToolResult.error(
            f"{call.tool.name!r} changed after this was asked; ask for it again.",
            code=ErrorCode.FORBIDDEN,
        )
    if digest_of(call.args) != question.args_digest:
        return ToolResult.error(
            "The arguments are not those that were shown; ask for it again.",
            code=ErrorCode.FORBIDDEN,
        )
    return call


async def _granted(call: Call, question: Question, deps: Deps) -> Answer:
    """Let the call through if those who said yes may still say it, and are still enough."""
    terms = Terms.read(question.route)
    if terms.needed is None:
        holds = (await ask_rule(deps.verifiers, terms.rule, request_of(question))).is_satisfied
    else:
        async with deps.record.reading() as stored:
            votes = await stored.questions.votes(question.id)
        holds = tally(question, votes, deps.directory).approved
    if holds:
        return call
    return ToolResult.error(
        "Whoever approved this may not approve it any more; ask for it again.",
        code=ErrorCode.FORBIDDEN,
    )


def _consented(call: Call) -> Answer:
    consent = call.ctx.consent
    if (
        consent is not None
        and consent.tool == call.tool.name
        and consent.principal == call.ctx.principal
        and consent.question_id == call.args.get("request_id")
        and consent.args_digest
        == digest_of({name: call.args.get(name) for name in ("request_id", "decision")})
    ):
        return call
    call.request.trail.decision = "foreign_consent"
    return ToolResult.error("This consent is for another call.", code=ErrorCode.FORBIDDEN)


async def _ask(call: Call, deps: Deps, route: Route | None) -> ToolResult:
    ctx, tool = call.ctx, call.tool
    ttl = route.ttl if route else deps.policy.channel_policy(ctx.channel).confirmation_ttl
    fresh, secret = call_question(tool, call.args, ctx, route=route, now=deps.clock.now(), ttl=ttl)
    asked = await ask(deps.record, fresh, secret)
    if isinstance(asked, TooMany):
        call.request.trail.decision = "too_many_open"
        return ToolResult.error(
            f"You have {asked.number} confirmations open on {ctx.channel!r}; answer or cancel "
            "some of them first.",
            code=ErrorCode.RATE_LIMITED,
            meta={"retry_after_seconds": asked.wait},
        )
    question = asked.question
    call.request.trail.question = question.id
    if question.state is not QuestionState.OPEN:
        call.request.trail.decision = "answered_before"
        return await already_answered(question, deps)
    data = {"action_summary": question.summary, "expires_at": question.expires_at}
    meta: dict[str, object] = {"code": ErrorCode.CONFIRMATION_REQUIRED}
    if ctx.origin != "model":
        data |= {"request_id": question.id} if route else {"confirm_token": asked.token}
    if route is not None:
        unheard = await announce(requested(question), deps.dispatcher) if asked.fresh else ()
        meta |= {"listeners_failed": unheard} if unheard else {}
        return ToolResult.pending(f"Waiting for approval: {question.summary}", data, meta)
    return ToolResult.confirmation(f"Confirm: {question.summary}", data, meta)
