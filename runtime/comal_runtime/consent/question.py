"""Asking: a canonical call becomes a stored question, and the job that shows it."""

import hashlib
import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from ..context import ToolContext
from ..record import Job, Question, QuestionKind, QuestionState, Record, Transaction
from ..tools import Tool, canonical_json
from .masking import masked_pointers, with_masks
from .repeating import Moot, moot
from .route import Route
from .seal import sealed
from .terms import Terms

MOST_OPEN: Final = 100
"""Confirmations that one principal may have open on one channel."""

SHOW_QUESTION = "show_question"
"""The job that hangs a question's cards; its key is the question's id."""

TELL = "tell"
"""The job that says how a question or an act ended; its key is that of both."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that is stored. `token` redeems it from code; None when it was stored before."""

    question: Question
    token: str | None = field(repr=False)
    fresh: bool = True


@dataclass(frozen=True, slots=True)
class TooMany:
    """Nothing was stored: `number` questions of this asker are open, one less in `wait` seconds."""

    number: int
    wait: float


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
    question_id: str,
    subject: str,
    ctx: ToolContext,
    *,
    now: float,
    ttl: float,
    route: str | None = None,
) -> Question:
    """Return a verification about a subject, which has no call behind it."""
    question = Question(
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
        call_key=None if ctx.call_key is None else str(ctx.call_key),
        secret_hash=None,
        route=route,
        idempotency_key=question_id,
        created_at=now,
        expires_at=now + ttl,
    )
    return sealed(_alarmed(question, Terms.read(route)))


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
        repeats=ctx.repeats,
        expires_at=now + ttl,
        masked=canonical_json(masked),
    )
    return sealed(_alarmed(question, Terms.read(question.route))), secret


def _alarmed(question: Question, terms: Terms) -> Question:
    """Note when a question is to be recalled, and when others are asked as well."""
    if terms.remind is not None:
        question = replace(question, remind_at=question.created_at + terms.remind)
    if terms.escalation is not None:
        question = replace(question, escalate_at=question.created_at + terms.escalation.after)
    return question


async def ask(record: Record, question: Question, secret: str | None) -> Asked | TooMany | Moot:
    """Store a question and the job that shows it; a resumed call finds the one it asked."""
    async with record.transaction() as tx:
        pointless = None if question.repeats is None else await moot(tx, question.repeats)
        if pointless is not None:
            return pointless
        crowd = await _crowd(tx, question)
        if crowd is None and await tx.questions.open(question):
            tx.defer(show(question.id))
            return Asked(question, secret if question.secret_hash else None)
        before = None
        if question.call_key is not None:
            before = await tx.questions.by_call(question.call_key)
        if before is None and crowd is not None:
            return crowd
        if before is None:
            raise RuntimeError("a question with this id is stored already")
        return Asked(before, None, fresh=False)


async def _crowd(tx: Transaction, question: Question) -> TooMany | None:
    """Tell whether its asker has so many confirmations open that nobody reads them."""
    if question.kind is not QuestionKind.CONFIRMATION:
        return None
    number, first_ends = await tx.questions.waiting(
        question.kind,
        channel=question.channel,
        principal=question.principal,
        now=question.created_at,
    )
    if number < MOST_OPEN or first_ends is None:
        return None
    return TooMany(number=number, wait=first_ends - question.created_at)


def show(question_id: str) -> Job:
    """Return the job that hangs a question's cards."""
    return Job(kind=SHOW_QUESTION, lane=f"question:{question_id}", key=question_id)


def tell(key: str) -> Job:
    """Return the job that says how a question or an act ended."""
    return Job(kind=TELL, lane=f"tell:{key}", key=key)
