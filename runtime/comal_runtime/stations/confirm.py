"""Confirm: an approval, a confirmation, or nothing; without a valid answer a question is stored."""

from collections.abc import Awaitable

from ..call import Call
from ..consent.question import ask, call_question, digest_of
from ..consent.route import Route
from ..consent.verification import RESOLVE_VERIFICATION
from ..consent.votes import may_answer
from ..context import ToolContext
from ..deps import Deps
from ..record import Question, QuestionKind, QuestionState
from ..result import ErrorCode, ToolResult
from ..tools import Tool
from .lost import already_answered
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
    matching = wiring.routes.about(tool.name)
    told = [f"route {route.label}: {_approved_by(route)}" for route in matching]
    if matching and matching[-1].when is None:
        return Seen(Presence.ACTIVE, "; else ".join(told), ends=True)
    if tool.options.approval is not None:
        told.append(_told_approval(tool.options.approval, wiring))
        return Seen(Presence.ACTIVE, "; else ".join(told), ends=True)
    asks = wiring.gate.requires_confirmation(ctx, tool)
    if matching:
        told.append("the requester confirms" if asks else "nobody is asked")
        presence = Presence.ACTIVE if asks else Presence.CONDITIONAL
        return Seen(presence, "; else ".join(told), ends=asks)
    if asks:
        nobody_else = "no route is about this tool, so nobody but the requester is asked"
        return Seen(Presence.ACTIVE, f"the requester confirms; {nobody_else}", ends=True)
    return Seen(Presence.DORMANT, "no route, nor the tool, nor the channel asks")


def _told_approval(name: str, wiring: RegistryWiring) -> str:
    route = wiring.routes.named(name)
    if route is None:
        return f"refused: the tool needs route {name!r}, which is not configured"
    return f"route {name!r}, which the tool names: {_approved_by(route)}"


def _approved_by(route: Route) -> str:
    return f"approved by {' or '.join(route.approvers)}"


def _route(call: Call, deps: Deps) -> Route | ToolResult | None:
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
    """Let the call through if somebody who said yes may still say it."""
    async with deps.record.reading() as stored:
        votes = await stored.questions.votes(question.id)
    if any(
        vote.choice == "yes" and may_answer(question, vote.identity, deps.directory) is None
        for vote in votes
    ):
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
    question = asked.question
    call.request.trail.question = question.id
    if question.state is not QuestionState.OPEN:
        call.request.trail.decision = "answered_before"
        return await already_answered(question, deps)
    data = {"action_summary": question.summary, "expires_at": question.expires_at}
    meta = {"code": ErrorCode.CONFIRMATION_REQUIRED}
    if ctx.origin != "model":
        data |= {"request_id": question.id} if route else {"confirm_token": asked.token}
    if route is not None:
        return ToolResult.pending(f"Waiting for approval: {question.summary}", data, meta)
    return ToolResult.confirmation(f"Confirm: {question.summary}", data, meta)
