"""Resolve: the tool behind a name and, when the call redeems one, the question behind it."""

import json
import logging
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from ..call import Call, Registered, Request
from ..consent.confirmation import ConfirmationTokenStore, TokenFault
from ..context import Consent, Origin, ToolContext
from ..deps import Deps
from ..record import Question, QuestionState
from ..redact import printable
from ..result import ErrorCode, ToolResult
from ..sentences import cut, json_type
from ..tools import Tool
from .station import Answer, Presence, RegistryWiring, Seen

log = logging.getLogger(__name__)

UNUSABLE = "This confirmation cannot be used; ask for the action again."
"""The one sentence for every token that redeems nothing."""

_NO_CONTEXT: Final = "ctx must be a ToolContext, or None for code itself; the call names no caller."
_LONGEST_NAME: Final = 300  # characters
_LONGEST_GUESSED: Final = 100  # characters of a name that may be a misspelt one


@dataclass(frozen=True, slots=True, kw_only=True)
class Nobody(ToolContext):
    """The caller of a call that came with something else than a context; it may do nothing."""

    channel: str = "unknown"
    origin: Origin = "model"


def caller(ctx: object) -> ToolContext:
    """Return who calls: without a context code itself, by anything but a context nobody."""
    if ctx is None:
        return ToolContext.cli()
    return ctx if isinstance(ctx, ToolContext) else Nobody()


def named(name: object) -> str:
    """Return a tool's name as one text that can be told and stored; empty if it is no text."""
    if not isinstance(name, str):
        return ""
    text = str.__str__(name)
    if len(text) > _LONGEST_NAME:
        text = f"{text[:_LONGEST_NAME]}... ({len(text)} characters)"
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def resolve(request: Request, deps: Deps) -> Answer | Awaitable[Answer]:
    """Find the tool; read, never consume, the question behind a token or a Consent."""
    ctx = request.ctx
    if type(ctx) is Nobody:
        return ToolResult.error(_NO_CONTEXT, code=ErrorCode.UNAUTHORIZED)
    registered = deps.tools.get(request.name)
    if registered is None:
        return _missing(request, deps)
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
    near = _near_names(request, deps)
    hint = f" Near names you may use: {', '.join(near)}." if near else ""
    name = cut(printable(request.name), _LONGEST_GUESSED) or "(no name)"
    return ToolResult.error(f"Tool not found: {name}.{hint}", code=ErrorCode.TOOL_NOT_FOUND)


def _near_names(request: Request, deps: Deps) -> list[str]:
    """Return the names that may have been meant, of tools the caller may use."""
    if len(request.name) > _LONGEST_GUESSED:
        return []
    near = get_close_matches(request.name, deps.tools, n=len(deps.tools) or 1, cutoff=0.5)
    allowed = deps.policy.authorize
    return [name for name in near if allowed(request.ctx, deps.tools[name].tool).allowed][:3]


async def _by_token(request: Request, registered: Registered, deps: Deps) -> Answer:
    token = request.confirm_token
    if not isinstance(token, str):
        return ToolResult.error(
            f"confirm_token: Expected string, got {json_type(token)}",
            code=ErrorCode.VALIDATION_ERROR,
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
        ctx.origin != "model"
        and question.state is QuestionState.APPROVED
        and question.tool == consent.tool == request.name
        and question.args_digest == consent.args_digest
        and question.principal == consent.principal == ctx.principal
        and question.channel == ctx.channel
        and question.conversation == ctx.conversation
    )


def _redeeming(request: Request, registered: Registered, question: Question) -> Call:
    request.trail.question = question.id
    return Call(request, registered, json.loads(question.args), question)
