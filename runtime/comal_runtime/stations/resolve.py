"""Resolve: the tool behind a name and, when the call redeems one, the question behind it."""

import json
import logging
from collections.abc import Awaitable, Mapping
from difflib import get_close_matches

from ..call import Call, Registered, Request
from ..consent.confirmation import ConfirmationTokenStore, TokenFault
from ..context import Consent, ToolContext
from ..deps import Deps
from ..record import Question, QuestionState
from ..result import ErrorCode, ToolResult
from ..tools import Tool
from .station import Answer, Presence, RegistryWiring, Seen

log = logging.getLogger(__name__)

UNUSABLE = "This confirmation cannot be used; ask for the action again."
"""The one sentence for every token that redeems nothing."""


def resolve(request: Request, deps: Deps) -> Answer | Awaitable[Answer]:
    """Find the tool; read, never consume, the question behind a token or a Consent."""
    registered = deps.tools.get(request.name)
    if registered is None:
        return _missing(request, deps)
    ctx = request.ctx
    if ctx.mode == "plan":
        return Call(request, registered, request.args)
    if ctx.consent is not None and not _answers(request, registered, ctx.consent):
        return _by_consent(request, registered, ctx.consent, deps)
    if request.confirm_token is not None:
        return _by_token(request, registered, deps)
    return Call(request, registered, request.args)


def inspect_resolve(tool: Tool, ctx: ToolContext, wiring: RegistryWiring) -> Seen:
    """Say that a registered tool is always found."""
    return Seen(Presence.ACTIVE, f"the registry holds {tool.name!r}")


def _answers(request: Request, registered: Registered, consent: Consent) -> bool:
    """Tell whether the call is itself the answer to the question its Consent names."""
    if not isinstance(request.args, Mapping):  # `validate` says so
        return registered.tool.options.consent_only
    asked_about = request.args.get("request_id")
    return registered.tool.options.consent_only and asked_about == consent.question_id


def _missing(request: Request, deps: Deps) -> ToolResult:
    ctx = request.ctx
    visible = [
        name
        for name, registered in deps.tools.items()
        if deps.policy.authorize(ctx, registered.tool).allowed
    ]
    near = get_close_matches(request.name, visible, n=3, cutoff=0.5)
    hint = f" Near names you may use: {', '.join(near)}." if near else ""
    return ToolResult.error(
        f"Tool not found: {request.name or '(empty name)'}.{hint}", code=ErrorCode.TOOL_NOT_FOUND
    )


async def _by_token(request: Request, registered: Registered, deps: Deps) -> Answer:
    token = request.confirm_token
    if not isinstance(token, str):
        kind = type(token).__name__
        return ToolResult.error(
            f"confirm_token: Expected string, got {kind}", code=ErrorCode.VALIDATION_ERROR
        )
    if request.ctx.origin == "model":
        request.trail.decision = "model_token"
        return ToolResult.error(UNUSABLE, code=ErrorCode.FORBIDDEN)
    store = ConfirmationTokenStore(deps.record, deps.clock)
    found = await store.find(token, request.name, request.ctx)
    if isinstance(found, TokenFault):
        request.trail.decision = found
        return ToolResult.error(UNUSABLE, code=ErrorCode.FORBIDDEN)
    return _redeeming(request, registered, found)


async def _by_consent(
    request: Request, registered: Registered, consent: Consent, deps: Deps
) -> Answer:
    async with deps.record.reading() as stored:
        question = await stored.questions.get(consent.question_id)
    if question is None or not _matches(question, consent, request):
        request.trail.decision = "foreign_consent"
        return ToolResult.error(UNUSABLE, code=ErrorCode.FORBIDDEN)
    return _redeeming(request, registered, question)


def _matches(question: Question, consent: Consent, request: Request) -> bool:
    ctx = request.ctx
    return (
        question.state is QuestionState.APPROVED
        and question.tool == consent.tool == request.name
        and question.args_digest == consent.args_digest
        and question.principal == consent.principal == ctx.principal
        and question.channel == ctx.channel
        and question.conversation == ctx.conversation
    )


def _redeeming(request: Request, registered: Registered, question: Question) -> Call:
    request.trail.question = question.id
    return Call(request, registered, json.loads(question.args), question)
