"""Answering: one conditional statement decides, and what follows is in the same transaction."""

from dataclasses import dataclass
from enum import StrEnum

from ..record import Act, ActState, Job, Question, QuestionKind, QuestionState, Transaction, Vote
from .question import tell
from .route import Directory, entitled

EXECUTE_ACT = "execute_act"
"""The job that runs an approved act; its key is the act's."""

EXECUTE_WITHIN = 3600.0
"""Seconds an approved act may wait before it is void."""


class Verdict(StrEnum):
    """What became of an answer."""

    APPROVED = "approved"
    REJECTED = "rejected"
    CANCELLED = "cancelled"
    NOT_ENTITLED = "not_entitled"
    OWN_REQUEST = "own_request"
    DECIDED_BEFORE = "decided_before"
    EXPIRED = "expired"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One person's yes or no, as the channel's own user id tells who it is."""

    voter: str
    yes: bool
    reason: str | None = None
    at: float


async def answer(
    tx: Transaction, question_id: str, given: Answer, directory: Directory
) -> tuple[Verdict, Question | None]:
    """Weigh an answer and, if it decides, end the question and open its act.

    The confirmation of a call is its requester's; a verification is other people's, by its route.
    """
    question = await tx.questions.get(question_id)
    if question is None:
        return Verdict.UNKNOWN, None
    refusal = may_answer(question, given.voter, directory)
    if refusal is not None:
        return refusal, question
    if question.state is not QuestionState.OPEN:
        expired = question.state is QuestionState.EXPIRED
        return (Verdict.EXPIRED if expired else Verdict.DECIDED_BEFORE), question
    state = _outcome(question, given.yes)
    if not await tx.questions.decide(
        question.id, state, by=given.voter, now=given.at, reason=given.reason
    ):
        return Verdict.EXPIRED, question
    await tx.questions.vote(
        Vote(
            question=question.id,
            person=directory.person(given.voter),
            identity=given.voter,
            choice="yes" if given.yes else "no",
            reason=given.reason,
            at=given.at,
        )
    )
    if state is QuestionState.APPROVED and question.tool is not None:
        await tx.acts.open(act_of(question, now=given.at))
        tx.defer(execute(question.id))
    tx.defer(tell(question.id))
    return Verdict(state.value), await tx.questions.get(question.id)


def execute(key: str) -> Job:
    """Return the job that runs an approved act."""
    return Job(kind=EXECUTE_ACT, lane=f"act:{key}", key=key)


def act_of(question: Question, *, now: float, state: ActState = ActState.APPROVED) -> Act:
    """Return the act that an approved question allows."""
    if question.tool is None:
        raise ValueError("a question about a subject has no act")
    return Act(
        key=question.id,
        question=question.id,
        tool=question.tool,
        args=question.args,
        args_digest=question.args_digest,
        principal=question.principal,
        channel=question.channel,
        conversation=question.conversation,
        state=state,
        execute_by=now + EXECUTE_WITHIN,
        idempotency_key=question.idempotency_key,
        created_at=now,
    )


def may_answer(question: Question, voter: str, directory: Directory) -> Verdict | None:
    """Return why `voter` may not answer a question, or None if they may."""
    requester = question.principal
    own = requester is not None and directory.person(requester) == directory.person(voter)
    if question.kind is QuestionKind.CONFIRMATION:
        return None if own else Verdict.NOT_ENTITLED
    if own:
        return Verdict.OWN_REQUEST
    if not entitled(question.route, voter, requester, directory):
        return Verdict.NOT_ENTITLED
    return None


def _outcome(question: Question, yes: bool) -> QuestionState:
    if yes:
        return QuestionState.APPROVED
    if question.kind is QuestionKind.CONFIRMATION:
        return QuestionState.CANCELLED
    return QuestionState.REJECTED
