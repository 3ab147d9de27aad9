"""Asking: a canonical call becomes a stored question, and the job that shows it."""

import hashlib
import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..context import ToolContext
from ..record import Job, Question, QuestionKind, QuestionState, Record
from ..tools import Tool, canonical_json
from .masking import masked_pointers, with_masks
from .route import Route

SHOW_QUESTION = "show_question"
"""The job that hangs a question's cards; its key is the question's id."""

TELL = "tell"
"""The job that says how a question or an act ended; its key is that of both."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that is stored. `token` redeems it from code; None when it was stored before."""

    question: Question
    token: str | None = field(repr=False)


def digest(text: str) -> str:
    """Return the sha256 of a text, in hex."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def digest_of(args: Mapping[str, Any]) -> str:
    """Return the digest of arguments: that of their canonical JSON."""
    return digest(canonical_json(args))


def new_id() -> str:
    """Return 128 random bits as 22 characters."""
    return secrets.token_urlsafe(16)


def summary_of(tool: Tool, args: Mapping[str, Any], masked: Collection[str] = ()) -> str:
    """Say in one line what a call would do: the tool and every argument, whole but for secrets."""
    visible = with_masks(args, masked)
    pairs = visible.items() if isinstance(visible, Mapping) else ()
    shown = ", ".join(f"{name}={canonical_json(value)}" for name, value in pairs)
    return f"{tool.name}({shown})"


def subject_question(
    question_id: str, subject: str, ctx: ToolContext, *, now: float, ttl: float
) -> Question:
    """Return a verification about a subject, which has no call behind it."""
    return Question(
        id=question_id,
        kind=QuestionKind.VERIFICATION,
        state=QuestionState.OPEN,
        tool=None,
        definition_digest=None,
        args="{}",
        args_digest=digest("{}"),
        subject=subject,
        summary=subject,
        principal=ctx.principal,
        channel=ctx.channel,
        conversation=ctx.conversation,
        origin=ctx.origin,
        request_id=ctx.request_id,
        call_key=None,
        secret_hash=None,
        route=None,
        idempotency_key=question_id,
        created_at=now,
        expires_at=now + ttl,
    )


def call_question(
    tool: Tool,
    args: Mapping[str, Any],
    ctx: ToolContext,
    *,
    route: Route | None,
    now: float,
    ttl: float,
) -> tuple[Question, str]:
    """Return the question about a call and the secret that redeems it. Nothing is stored yet."""
    question_id, secret = new_id(), new_id()
    canonical = canonical_json(args)
    masked = masked_pointers(tool.input_schema, args)
    question = Question(
        id=question_id,
        kind=QuestionKind.CONFIRMATION if route is None else QuestionKind.VERIFICATION,
        state=QuestionState.OPEN,
        tool=tool.name,
        definition_digest=tool.definition_digest,
        args=canonical,
        args_digest=digest(canonical),
        subject=None,
        summary=summary_of(tool, args, masked),
        principal=ctx.principal,
        channel=ctx.channel,
        conversation=ctx.conversation,
        origin=ctx.origin,
        request_id=ctx.request_id,
        call_key=None if ctx.call_key is None else str(ctx.call_key),
        secret_hash=None if route is not None else digest(secret),
        route=None if route is None else route.snapshot(),
        idempotency_key=ctx.idempotency_key or question_id,
        created_at=now,
        expires_at=now + ttl,
        masked=canonical_json(masked),
    )
    return question, secret


async def ask(record: Record, question: Question, secret: str | None) -> Asked:
    """Store a question and the job that shows it; a resumed call finds the one it asked."""
    async with record.transaction() as tx:
        if await tx.questions.open(question):
            job = Job(kind=SHOW_QUESTION, lane=f"question:{question.id}", key=question.id)
            tx.defer(job)
            return Asked(question, secret if question.secret_hash else None)
        before = None
        if question.call_key is not None:
            before = await tx.questions.by_call(question.call_key)
        if before is None:
            raise RuntimeError("a question with this id is stored already")
        return Asked(before, None)


def tell(key: str) -> Job:
    """Return the job that says how a question or an act ended."""
    return Job(kind=TELL, lane=f"tell:{key}", key=key)
