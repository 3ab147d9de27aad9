"""Counting one person's answer: by the same law whichever door it came through."""

from dataclasses import dataclass
from typing import Final

from comal_runtime.clock import Clock
from comal_runtime.consent import Answer, Verdict
from comal_runtime.consent.overriding import breaks_glass
from comal_runtime.consent.question import digest_of
from comal_runtime.consent.terms import Terms
from comal_runtime.consent.verification import RESOLVE_VERIFICATION
from comal_runtime.consent.votes import answer
from comal_runtime.context import Consent, ToolContext
from comal_runtime.record import Question, QuestionKind
from comal_runtime.registry import ToolRegistry
from comal_runtime.result import ErrorCode, ToolResult

from ..people import PeopleDirectory
from ..wiring import RESOLVE_SCOPE

_NOT_COUNTED: Final = frozenset({ErrorCode.INTERNAL_ERROR, ErrorCode.RATE_LIMITED})


class NotCounted(Exception):
    """Whether an answer counts could not be found out now; it may be tried again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """An answer as it was given. `voter` is whom the door itself knows, never a name somebody said.

    `asks_changes` is a no whose reason says what should be asked instead.
    """

    voter: str
    yes: bool
    reason: str | None = None
    asks_changes: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """What became of an answer; of `needed` people `approvals` have said yes by now."""

    verdict: Verdict
    approvals: int = 0
    needed: int | None = None


class Counting:
    """Counts answers: a confirmation is its requester's, a verification its approvers'."""

    def __init__(self, registry: ToolRegistry, people: PeopleDirectory, clock: Clock) -> None:
        self._registry = registry
        self._people = people
        self._clock = clock

    async def count(self, question: Question, given: Given) -> Counted:
        """Count an answer.

        Raises:
            NotCounted: The law could not weigh it now.
        """
        if question.kind is QuestionKind.VERIFICATION:
            return await self._resolve(question, given)
        said = Answer(voter=given.voter, yes=given.yes, reason=given.reason, at=self._clock.now())
        async with self._registry.record.transaction() as tx:
            changed = self._registry.grounds.changed
            verdict, _ = await answer(tx, question.id, said, self._people, changed)
        return Counted(verdict=verdict)

    async def _resolve(self, question: Question, given: Given) -> Counted:
        decision = {"request_id": question.id, "decision": "grant" if given.yes else "reject"}
        arguments: dict[str, object] = {**decision, "principal": given.voter}
        if question.subject is not None:
            arguments["subject"] = question.subject
        if given.reason is not None:
            arguments["reason"] = given.reason
        if given.asks_changes:
            arguments["asks_changes"] = True
        ctx = self._as_voter(question, given.voter, digest_of(decision))
        result = await self._registry.call(RESOLVE_VERIFICATION, arguments, ctx)
        verdict = _verdict(result)
        if verdict is not Verdict.VOTED:
            return Counted(verdict=verdict)
        stands = result.data
        return Counted(verdict=verdict, approvals=stands["approvals"], needed=stands["needed"])

    def _as_voter(self, question: Question, voter: str, args_digest: str) -> ToolContext:
        """Return the context of an answer: good for this question and this decision alone."""
        return ToolContext(
            principal=voter,
            channel=question.channel,
            scopes=self._scopes(question, voter),
            conversation=question.conversation,
            consent=Consent(
                question_id=question.id,
                tool=RESOLVE_VERIFICATION,
                args_digest=args_digest,
                principal=voter,
            ),
        )

    def _scopes(self, question: Question, voter: str) -> tuple[str, ...]:
        """Return the voter's scopes; who is on the question's route needs none to answer it."""
        granted = self._people.scopes(voter)
        needs_none = Terms.read(question.route).names_people or breaks_glass(voter)
        return (*granted, RESOLVE_SCOPE) if needs_none else granted


def _verdict(result: ToolResult) -> Verdict:
    if result.code in _NOT_COUNTED:
        raise NotCounted(result.error)
    if result.success:
        return Verdict(result.data["verdict"])
    told = result.meta.get("verdict")
    return Verdict(told) if told is not None else Verdict.NOT_ENTITLED
