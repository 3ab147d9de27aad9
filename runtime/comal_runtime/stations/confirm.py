"""Confirm: an approval, a confirmation, or nothing; without a valid answer a question is stored."""

from collections.abc import Awaitable, Sequence

from ..call import Call
from ..consent.policies import Policy
from ..consent.question import TooMany, ask, digest_of
from ..consent.repeating import Moot
from ..consent.route import Route
from ..consent.terms import Group
from ..consent.verification import RESOLVE_VERIFICATION, requested
from ..context import ToolContext
from ..deps import Deps
from ..events import announce
from ..record import Question, QuestionState
from ..result import ErrorCode, ToolResult
from ..tools import Tool
from .drafting import draft
from .lost import already_answered
from .promise import broken, broken_by_rule, broken_since, refused
from .ruling import granted_by_rule
from .station import Answer, Presence, RegistryWiring, Seen

_NEVER = "A model can never answer a verification, nor choose its id."


def confirm(call: Call, deps: Deps) -> Answer | Awaitable[Answer]:
    """Let the call through if nobody must be asked, or if the one asked said yes to this call."""
    if call.tool.options.consent_only and not _may_ask(call):
        return ToolResult.error(_NEVER, code=ErrorCode.FORBIDDEN)
    if call.question is not None:
        return _redeemed(call, call.question, deps)
    if call.tool.options.consent_only and call.ctx.consent is not None:
        return _consented(call)
    route = _route(call, deps)
    if isinstance(route, ToolResult):
        return route
    if route is not None and route.policy == Policy.AUTO:
        return granted_by_rule(call, route, deps)
    asks = call.ctx.repeats is not None or deps.policy.requires_confirmation(call.ctx, call.tool)
    if route is None and not asks:
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
    stages = (" and ".join(map(_of_group, stage)) for stage in route.terms.stages)
    return f"approved by {', then '.join(stages)}"


def _of_group(group: Group) -> str:
    people = " or ".join(group.approvers or ())
    return people if group.k == 1 else f"{group.k} people of {people}"


def _route(call: Call, deps: Deps) -> Route | ToolResult | None:
    route, named = deps.routes.of(call.tool, call.args), call.tool.options.approval
    if route is not None or named is None:
        return route
    return ToolResult.error(
        f"{call.tool.name!r} needs an approval by route {named!r}, which is not configured; "
        "add a [[routes]] entry of that name",
        code=ErrorCode.FORBIDDEN,
    )


def _redeemed(call: Call, question: Question, deps: Deps) -> Answer | Awaitable[Answer]:
    """Let a call through that is what was shown; its claim will look again."""
    if question.state is not QuestionState.OPEN:
        return _granted(call, question, deps)
    why = broken(call, question, deps)
    return call if why is None else refused(why)


async def _granted(call: Call, question: Question, deps: Deps) -> Answer:
    async with deps.record.reading() as stored:
        why = await broken_since(call, question, deps, stored)
    why = why or await broken_by_rule(question, deps)
    return call if why is None else refused(why)


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
    ctx = call.ctx
    fresh, secret = await draft(call, deps, route)
    asked = await ask(deps.record, fresh, secret)
    if isinstance(asked, Moot):
        call.request.trail.decision = "not_repeated"
        return ToolResult.error(f"Nothing is asked: {asked.why}.", code=ErrorCode.FORBIDDEN)
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
