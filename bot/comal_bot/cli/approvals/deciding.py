"""`comal approvals approve` and `reject`: one answer, counted as a tap in a chat is counted."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from comal_bot.answers.counting import Counted, Counting, Given, NotCounted
from comal_bot.answers.tapped import RECORDED
from comal_bot.settings import Settings, load_settings
from comal_bot.tooling import host_registry
from comal_runtime.consent import Verdict
from comal_runtime.record import Question, QuestionKind, QuestionState
from comal_runtime.registry import ToolRegistry
from comal_runtime.wiring import Wiring

from ..acting import Acting, Actor, actor, audit
from ..beginning import one_question
from ..complaints import CommandFailed, Refused
from ..printing import print_json, print_text
from ..sources import tool_sources
from ..working import at_work

_WHY: Final[Mapping[Verdict, str]] = {
    Verdict.NOT_ENTITLED: "{name} may not answer this question",
    Verdict.OWN_REQUEST: "{name} asked for this, or is whoever did; somebody else must decide",
    Verdict.VOTED_BEFORE: "{name} has answered already; nobody counts twice",
    Verdict.NOT_YET: "others must decide first; {name} is asked after them",
    Verdict.NEEDS_REASON: "this wants a reason; give --reason TEXT",
    Verdict.CHANGED: "it is no more what was asked, and has ended: {why}",
    Verdict.DECIDED_BEFORE: "it was decided already: {state}",
    Verdict.EXPIRED: "it has expired; nothing was done",
    Verdict.UNKNOWN: "there is no such question any more",
}


@dataclass(frozen=True, slots=True)
class Sources:
    """Where settings, record and tools are, as the command was told."""

    config: Path | None
    data: Path | None
    tools: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What became of an answer, and how its question stands now."""

    who: Actor
    counted: Counted
    question: Question


def decide(given: str, acting: Acting, sources: Sources, *, yes: bool, as_json: bool) -> None:
    """Answer a question, as who acts, and as nobody else.

    Only somebody who may answer it: an approver of its route for a verification, its requester for
    a confirmation. Breaking the glass stands in for approvers, never for the requester, and never
    where who breaks it asked for the call.

    Raises:
        BadSettings: Settings or tools cannot be used, so that nobody could tell what is asked.
        CommandFailed: There is no record or no such question, or it cannot be weighed now.
        Refused: The answer does not count; nothing was changed by it.
    """
    settings = load_settings(sources.config, tools=sources.tools, data=sources.data)
    found = tool_sources(settings, sources.config)
    answered = asyncio.run(_decided(settings, found, given, (acting, yes)))
    question, verdict = answered.question, answered.counted.verdict
    if verdict not in RECORDED:
        why = _WHY[verdict].format(
            name=answered.who.name, state=question.state, why=question.reason or "it changed"
        )
        raise Refused(why)
    if as_json:
        print_json(_as_dict(answered))
    else:
        print_text(_said(answered, yes=yes))


async def _decided(
    settings: Settings, tools: Sequence[object], given: str, said: tuple[Acting, bool]
) -> Answered:
    """Count the answer as one more worker of the host."""
    acting, yes = said
    async with at_work(settings) as desk:
        record, clock, people = desk.record, desk.clock, desk.people
        wiring = Wiring(clock=clock, audit=desk.audit, directory=people)
        registry = host_registry(settings, tools, wiring, record)
        who = actor(people, acting)
        async with record.reading() as stored:
            question = await one_question(stored, given)
        _refuse_changed(question, registry)
        answer = Given(voter=who.principal, yes=yes, reason=who.reason)
        try:
            counted = await Counting(registry, people, clock).count(question, answer)
        except NotCounted as error:
            raise CommandFailed(f"it cannot be weighed now: {error}; try again") from error
        if who.breaks_glass or question.kind is QuestionKind.CONFIRMATION:
            did = f"{'approve' if yes else 'reject'} {question.summary}"
            refused = None if counted.verdict in RECORDED else str(counted.verdict)
            audit(desk.audit, who, "answer_question", did, question=question.id, refused=refused)
        async with record.reading() as stored:
            now = await stored.questions.get(question.id)
    return Answered(who=who, counted=counted, question=now or question)


def _refuse_changed(question: Question, registry: ToolRegistry) -> None:
    """Refuse what is no more as it was asked, and leave it to the host to end it.

    What this command sees may be other settings or tools than those of the running host.
    """
    why = registry.grounds.changed(question)
    if why is not None and question.state is QuestionState.OPEN:
        raise Refused(
            f"it is no more what was asked, as far as this command sees: {why}; give it the same "
            "--config and --tools as `comal run`"
        )


def _said(answered: Answered, *, yes: bool) -> str:
    question, counted = answered.question, answered.counted
    how = "BREAK-GLASS: " if answered.who.breaks_glass else ""
    what = f"{how}{'yes' if yes else 'no'} of {answered.who.name} to {question.summary}"
    if counted.verdict is Verdict.VOTED:
        return f"{what} recorded: {counted.approvals} of {counted.needed} approvals"
    return f"{what} recorded: {question.state}; the running host does the rest"


def _as_dict(answered: Answered) -> dict[str, object]:
    question, counted = answered.question, answered.counted
    return {
        "id": question.id,
        "verdict": counted.verdict,
        "state": question.state,
        "actor": answered.who.principal,
        "name": answered.who.name,
        "breakGlass": answered.who.breaks_glass,
        "reason": answered.who.reason,
        "approvals": counted.approvals if counted.verdict is Verdict.VOTED else None,
        "needed": counted.needed,
    }
