"""Answering: votes are counted under a lock, and what follows is in the same transaction."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ..record import (
    Act,
    ActState,
    Job,
    Override,
    Question,
    QuestionKind,
    QuestionState,
    Transaction,
    Vote,
)
from .directory import Directory
from .entitlement import barred, belongs
from .overriding import breaks_glass, overrule
from .question import tell
from .tally import Tally, tally
from .terms import Terms

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
    NOT_YET = "not_yet"
    NEEDS_REASON = "needs_reason"
    CHANGED = "changed"
    NOT_ENTITLED = "not_entitled"
    OWN_REQUEST = "own_request"
    DECIDED_BEFORE = "decided_before"
    EXPIRED = "expired"
    UNKNOWN = "unknown"


Changed = Callable[[Question], str | None]
"""Says what has changed since a question was asked so that no answer to it counts, or None."""


def unchanged(question: Question) -> str | None:
    """Know of no change."""
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One person's yes or no, as the channel's own user id tells who it is.

    `asks_changes` is a no whose reason says what should be asked instead.
    """

    voter: str
    yes: bool
    reason: str | None = None
    at: float
    asks_changes: bool = False

    @property
    def choice(self) -> str:
        """The answer as it is stored."""
        return "yes" if self.yes else "changes" if self.asks_changes else "no"


async def answer(
    tx: Transaction,
    question_id: str,
    given: Answer,
    directory: Directory,
    changed: Changed = unchanged,
) -> tuple[Verdict, Question | None]:
    """Weigh an answer and, if it decides, end the question and open its act.

    The confirmation of a call is its requester's; a verification is other people's, by its route,
    each of whom counts once. An answer to what is no more as it was shown ends the question.
    """
    refusal, question = await admit(tx, question_id, given, directory, changed)
    if refusal is not None or question is None:
        return refusal or Verdict.UNKNOWN, question
    if _wants_reason(question, given) and not (given.reason or "").strip():
        return Verdict.NEEDS_REASON, question
    return await _counted(tx, question, given, directory)


async def admit(
    tx: Transaction, question_id: str, given: Answer, directory: Directory, changed: Changed
) -> tuple[Verdict | None, Question | None]:
    """Keep others away from a question that this person may answer now, and return it.

    The verdict is None then; otherwise it says why not. A question about what is no more as it
    was shown is ended.
    """
    await directory.refresh(tx)
    question = await tx.questions.get(question_id)
    if question is None:
        return Verdict.UNKNOWN, None
    refusal = may_answer(question, given.voter, directory, given.at)
    if refusal is not None:
        return refusal, question
    if not await tx.questions.hold(question.id, now=given.at):
        return await _too_late(tx, question)
    question = await tx.questions.get(question_id) or question
    why = changed(question)
    if why is not None:
        await close_changed(tx, question, why, now=given.at)
        return Verdict.CHANGED, await tx.questions.get(question.id)
    before = await tx.questions.votes(question.id)
    vote = _vote(question, given, directory)
    if any(one.person == vote.person for one in before):
        return Verdict.VOTED_BEFORE, question
    if not _is_its_turn(question, before, vote, directory):
        return Verdict.NOT_YET, question
    return None, question


async def _counted(
    tx: Transaction, question: Question, given: Answer, directory: Directory
) -> tuple[Verdict, Question | None]:
    if not await tx.questions.vote(_vote(question, given, directory)):
        return Verdict.VOTED_BEFORE, question
    if breaks_glass(given.voter):
        await overrule(tx, _override(question, given))
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
    by: str | None,
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


async def close_changed(tx: Transaction, question: Question, why: str, *, now: float) -> bool:
    """End an open question about what is no more as it was shown; False if it has ended."""
    return await settle(tx, question, QuestionState.SUPERSEDED, by=None, reason=why, now=now)


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


def may_answer(question: Question, voter: str, directory: Directory, at: float) -> Verdict | None:
    """Return why `voter` may not answer a question at `at`, or None if they may."""
    refusal = barred(question, voter, directory, at)
    return None if refusal is None else Verdict(refusal.value)


def _is_its_turn(
    question: Question, before: Sequence[Vote], vote: Vote, directory: Directory
) -> bool:
    """Tell whether a stage that asks this person has begun; they may say no while it is full."""
    if question.kind is QuestionKind.CONFIRMATION or breaks_glass(vote.identity):
        return True
    begun = tally(question, before, directory).begun
    return any(belongs(group, question, vote.identity, directory) for group in begun)


def _outcome(question: Question, stands: Tally) -> QuestionState | None:
    if stands.rejected:
        asks_requester = question.kind is QuestionKind.CONFIRMATION
        return QuestionState.CANCELLED if asks_requester else QuestionState.REJECTED
    return QuestionState.APPROVED if stands.approved else None


def _wants_reason(question: Question, given: Answer) -> bool:
    wanted = Terms.read(question.route).reason or given.asks_changes
    return wanted or breaks_glass(given.voter)


def _override(question: Question, given: Answer) -> Override:
    command = "approve" if given.yes else "reject"
    return Override(
        id=question.id,
        principal=given.voter,
        reason=given.reason or "",
        did=f"approvals {command}: {question.summary}",
        conversation=question.conversation,
        at=given.at,
    )


def _vote(question: Question, given: Answer, directory: Directory) -> Vote:
    return Vote(
        question=question.id,
        person=directory.person(given.voter),
        identity=given.voter,
        choice=given.choice,
        reason=given.reason,
        at=given.at,
    )


async def _too_late(tx: Transaction, question: Question) -> tuple[Verdict, Question]:
    """Say how a question stands that takes no votes any more."""
    now = await tx.questions.get(question.id) or question
    is_over = now.state in (QuestionState.OPEN, QuestionState.EXPIRED)
    return (Verdict.EXPIRED if is_over else Verdict.DECIDED_BEFORE), now
