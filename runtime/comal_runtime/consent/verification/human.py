"""People decide: their answers are rows of the record, and listeners hear of them afterwards."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from ...clock import Clock
from ...context import ToolContext
from ...events import EventDispatcher, announce
from ...record import Question, QuestionKind, QuestionState, Record, Transaction
from ..directory import Directory
from ..policies import Policy
from ..question import new_id, show, subject_question
from ..tally import Tally, tally
from ..terms import Terms
from ..votes import Answer, Changed, Verdict, answer, close_changed, settle, unchanged
from .outcomes import (
    VerificationOutcome,
    VerificationRequest,
    VerificationResult,
    Verifier,
    request_of,
)
from .rules import ask_rule, rule_name
from .telling import VerificationEvent, VerificationKind, requested

NAME: Final = "human_verifier"

TTL: Final = 24 * 3600.0
_NO_VERIFIERS: Final[Mapping[str, Verifier]] = {}
_KINDS: Final = {
    Verdict.VOTED: VerificationKind.VOTED,
    Verdict.APPROVED: VerificationKind.GRANTED,
    Verdict.REJECTED: VerificationKind.REJECTED,
    Verdict.CHANGED: VerificationKind.EXPIRED,
}
"""What listeners hear; nobody said no to what ended because it changed: it ran out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """What somebody asks to be verified. `ttl` is in seconds."""

    subject: str
    request_id: str | None = None
    terms: Terms | None = None
    ttl: float = TTL


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A request that is stored, how it stands, and the listeners that failed to hear of it."""

    question: Question
    result: VerificationResult
    unheard: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """What became of an answer, how the request stands, and the listeners that failed."""

    verdict: Verdict
    result: VerificationResult = field(
        default_factory=lambda: VerificationResult(outcome=VerificationOutcome.PENDING)
    )
    unheard: tuple[str, ...] = ()


class HumanVerifier:
    """One `Verifier`: people decide, or the registered rule of a route that says `auto`."""

    def __init__(
        self,
        record: Record,
        clock: Clock,
        directory: Directory,
        dispatcher: EventDispatcher | None = None,
        *,
        verifiers: Mapping[str, Verifier] = _NO_VERIFIERS,
        changed: Changed = unchanged,
    ) -> None:
        self._record = record
        self._clock = clock
        self._directory = directory
        self._dispatcher = dispatcher
        self._verifiers = verifiers
        self._changed = changed

    @property
    def directory(self) -> Directory:
        """Who people are."""
        return self._directory

    async def verify(self, request: VerificationRequest) -> VerificationResult:
        """Say how a request stands; one that waits for a rule asks it again."""
        question, stands = await self._look(request.request_id)
        if question is None:
            return VerificationResult(outcome=VerificationOutcome.PENDING, verifier=NAME)
        if question.state is QuestionState.OPEN and stands.needed is None:
            result, _ = await self._by_rule(question)
            return result
        return result_of(question, stands)

    async def open(self, opening: Opening, ctx: ToolContext) -> Opened | None:
        """Store a request and the job that shows it; None when its id is taken.

        A call of a turn that is made again finds the request it opened.
        """
        terms = opening.terms
        question = subject_question(
            opening.request_id or new_id(),
            opening.subject,
            ctx,
            route=None if terms is None else terms.to_json(),
            now=self._clock.now(),
            ttl=opening.ttl,
        )
        async with self._record.transaction() as tx:
            stored, fresh = await _store(tx, question)
        if stored is None:
            return None
        if fresh:
            return await self._told_of(stored)
        return Opened(question=stored, result=await self.verify(request_of(stored)))

    async def grant(
        self, request_id: str, voter: str, reason: str | None = None, *, subject: str | None = None
    ) -> Resolved:
        """Say yes as `voter` and tell listeners what that did; `subject` as the voter named it."""
        given = Answer(voter=voter, yes=True, reason=reason, at=self._clock.now())
        return await self._resolve(request_id, given, subject)

    async def reject(
        self,
        request_id: str,
        voter: str,
        reason: str | None = None,
        *,
        subject: str | None = None,
        asks_changes: bool = False,
    ) -> Resolved:
        """Say no as `voter` and tell listeners what that did; `subject` as the voter named it.

        With `asks_changes` the reason says what should be asked instead.
        """
        now = self._clock.now()
        given = Answer(voter=voter, yes=False, reason=reason, at=now, asks_changes=asks_changes)
        return await self._resolve(request_id, given, subject)

    async def _resolve(self, request_id: str, given: Answer, subject: str | None) -> Resolved:
        async with self._record.transaction() as tx:
            found = await tx.questions.get(request_id)
            if found is None or found.kind is not QuestionKind.VERIFICATION:
                return Resolved(verdict=Verdict.UNKNOWN)
            verdict, now = await answer(tx, request_id, given, self._directory, self._changed)
            question = now or found
            stands = tally(question, await tx.questions.votes(question.id), self._directory)
        result, kind = result_of(question, stands), _KINDS.get(verdict)
        if kind is None:
            return Resolved(verdict=verdict, result=result)
        event = VerificationEvent(kind=kind, request=_named(question, subject), result=result)
        unheard = await announce(event, self._dispatcher)
        return Resolved(verdict=verdict, result=result, unheard=unheard)

    async def _told_of(self, question: Question) -> Opened:
        event = requested(question)
        unheard = await announce(event, self._dispatcher)
        if event.result.needed is not None:
            return Opened(question=question, result=event.result, unheard=unheard)
        result, again = await self._by_rule(question)
        return Opened(question=question, result=result, unheard=(*unheard, *again))

    async def _by_rule(self, question: Question) -> tuple[VerificationResult, tuple[str, ...]]:
        """Let the rule of an open request decide it, if it does so now."""
        rule = Terms.read(question.route).rule
        request = request_of(question)
        said = await ask_rule(self._verifiers, rule, request)
        if not said.is_final:
            return said, ()
        state = QuestionState.APPROVED if said.is_satisfied else QuestionState.REJECTED
        by, now = rule_name(rule or ""), self._clock.now()
        async with self._record.transaction() as tx:
            why = self._changed(await tx.questions.get(question.id) or question)
            if why is None:
                won = await settle(tx, question, state, by=by, reason=said.reason, now=now)
            else:
                await close_changed(tx, question, why, now=now)
        if why is not None or not won:
            ended, stands = await self._look(question.id)
            return result_of(ended or question, stands), ()
        kind = VerificationKind.GRANTED if said.is_satisfied else VerificationKind.REJECTED
        event = VerificationEvent(kind=kind, request=request, result=said)
        return said, await announce(event, self._dispatcher)

    async def _look(self, request_id: str) -> tuple[Question | None, Tally]:
        async with self._record.reading() as stored:
            await self._directory.refresh(stored)
            question = await stored.questions.get(request_id)
            votes = [] if question is None else await stored.questions.votes(request_id)
        if question is None:
            return None, Tally(yes=0, no=0, needed=1, reject_threshold=1)
        return question, tally(question, votes, self._directory)


def result_of(question: Question, stands: Tally) -> VerificationResult:
    """Say how a stored question stands."""
    match question.state:
        case QuestionState.OPEN:
            outcome = VerificationOutcome.PENDING
        case QuestionState.APPROVED:
            outcome = VerificationOutcome.PASSED
        case _:
            outcome = VerificationOutcome.FAILED
    ended = outcome is VerificationOutcome.FAILED
    return VerificationResult(
        outcome=outcome,
        verifier=NAME,
        principal=question.decided_by,
        reason=question.reason or (str(question.state) if ended else None),
        approvals=stands.yes,
        needed=stands.needed,
    )


async def _store(tx: Transaction, question: Question) -> tuple[Question | None, bool]:
    """Store a request, or find the one this very call stored before; None: its id is taken."""
    if question.call_key is not None:
        before = await tx.questions.by_call(question.call_key)
        if before is not None and before.tool is None and before.subject == question.subject:
            return before, False
        if before is not None:  # the question whether to ask at all, which this one follows
            question = replace(question, call_key=None)
    if not await tx.questions.open(question):
        return None, False
    if Terms.read(question.route).policy is not Policy.AUTO:
        tx.defer(show(question.id))
    return question, True


def _named(question: Question, subject: str | None) -> VerificationRequest:
    """Describe a request as the one who resolved it did; what they did not name is not told."""
    whole = request_of(question)
    if subject is not None:
        return whole
    return VerificationRequest.for_resolution(
        whole.request_id,
        policy=whole.policy,
        requested_by=whole.requested_by,
        tool=whole.tool,
    )
