"""Answering: votes are counted under a lock, and what follows is in the same transaction."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from ..record import Act, ActState, Job, Question, QuestionKind, QuestionState, Transaction, Vote
from .policies import Policy, Terms
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
    VOTED = "voted"
    VOTED_BEFORE = "voted_before"
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How the votes of a question stand. `needed` is None where only a rule can grant it."""

    yes: int
    no: int
    needed: int | None
    reject_threshold: int

    @property
    def approved(self) -> bool:
        """Whether enough people said yes."""
        return self.needed is not None and self.yes >= self.needed

    @property
    def rejected(self) -> bool:
        """Whether enough people said no."""
        return self.no >= self.reject_threshold


async def answer(
    tx: Transaction, question_id: str, given: Answer, directory: Directory
) -> tuple[Verdict, Question | None]:
    """Weigh an answer and, if it decides, end the question and open its act.

    The confirmation of a call is its requester's; a verification is other people's, by its route,
    each of whom counts once.
    """
    question = await tx.questions.get(question_id)
    if question is None:
        return Verdict.UNKNOWN, None
    refusal = may_answer(question, given.voter, directory)
    if refusal is not None:
        return refusal, question
    if not await tx.questions.hold(question.id, now=given.at):
        return await _too_late(tx, question)
    if not await tx.questions.vote(_vote(question, given, directory)):
        return Verdict.VOTED_BEFORE, question
    state = _outcome(question, tally(question, await tx.questions.votes(question.id), directory))
    if state is None:
        tx.defer(tell(question.id))
        return Verdict.VOTED, question
    await settle(tx, question, state, by=given.voter, reason=given.reason, now=given.at)
    return Verdict(state.value), await tx.questions.get(question.id)


async def settle(
    tx: Transaction,
    question: Question,
    state: QuestionState,
    *,
    by: str,
    reason: str | None,
    now: float,
) -> bool:
    """End an open question and, if that is a yes to a call, open its act; False if it has ended."""
    if not await tx.questions.decide(question.id, state, by=by, now=now, reason=reason):
        return False
    if state is QuestionState.APPROVED and question.tool is not None:
        await tx.acts.open(act_of(question, now=now))
        tx.defer(execute(question.id))
    tx.defer(tell(question.id))
    return True


def tally(question: Question, votes: Sequence[Vote], directory: Directory) -> Tally:
    """Count distinct people, and only those who may still answer the question."""
    said: dict[str, set[str]] = {"yes": set(), "no": set()}
    for vote in votes:
        if may_answer(question, vote.identity, directory) is None:
            said[vote.choice].add(directory.person(vote.identity))
    terms = Terms.read(question.route)
    return Tally(
        yes=len(said["yes"]),
        no=len(said["no"]),
        needed=terms.needed,
        reject_threshold=terms.reject_threshold,
    )


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
    if not voter.strip():
        return Verdict.NOT_ENTITLED
    requester = question.principal
    own = requester is not None and directory.person(requester) == directory.person(voter)
    if question.kind is QuestionKind.CONFIRMATION:
        return None if own else Verdict.NOT_ENTITLED
    if own:
        return Verdict.OWN_REQUEST
    if Terms.read(question.route).policy is Policy.AUTO:
        return Verdict.NOT_ENTITLED
    if not entitled(question.route, voter, requester, directory):
        return Verdict.NOT_ENTITLED
    return None


def _outcome(question: Question, stands: Tally) -> QuestionState | None:
    if stands.rejected:
        asks_requester = question.kind is QuestionKind.CONFIRMATION
        return QuestionState.CANCELLED if asks_requester else QuestionState.REJECTED
    return QuestionState.APPROVED if stands.approved else None


def _vote(question: Question, given: Answer, directory: Directory) -> Vote:
    return Vote(
        question=question.id,
        person=directory.person(given.voter),
        identity=given.voter,
        choice="yes" if given.yes else "no",
        reason=given.reason,
        at=given.at,
    )


async def _too_late(tx: Transaction, question: Question) -> tuple[Verdict, Question]:
    """Say how a question stands that takes no votes any more."""
    now = await tx.questions.get(question.id) or question
    is_over = now.state in (QuestionState.OPEN, QuestionState.EXPIRED)
    return (Verdict.EXPIRED if is_over else Verdict.DECIDED_BEFORE), now
