"""`comal approvals list`: the questions that wait, read from the record without changing it."""

import asyncio
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import typer

from comal_bot.people import PeopleDirectory
from comal_bot.settings import load_settings
from comal_bot.tooling import directory
from comal_renderers.visible import visible
from comal_runtime.consent.entitlement import asked_of, barred
from comal_runtime.consent.masking import with_masks
from comal_runtime.consent.terms import REQUESTER, Group, Terms
from comal_runtime.record import Question, QuestionKind, QuestionState, Repositories, Vote
from comal_runtime.record.sqlite import SqliteSql
from comal_runtime.redact import redact, redact_text

from ..acting import person_named
from ..complaints import complain
from ..opening import opened
from ..printing import print_cut, print_json, print_text

_MOST: Final = 500
_NOBODY: Final = "nobody"
_INDENT: Final = 10  # a short id and two blanks
KINDS: Final = {
    QuestionKind.CONFIRMATION: "confirmation",
    QuestionKind.VERIFICATION: "approval",
}
_UNITS: Final = ((86400, "d"), (3600, "h"), (60, "m"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which questions: open ones, `every` one, those of a `state`, those that wait for `person`."""

    every: bool = False
    state: QuestionState | None = None
    person: str | None = None

    @property
    def only(self) -> QuestionState | None:
        """The one state to read; None for every."""
        if self.state is not None:
            return self.state
        return None if self.every else QuestionState.OPEN

    @property
    def overdue(self) -> bool:
        """Whether questions that are open but past their time are meant too."""
        return self.every or self.state is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A question as it may be shown; times in seconds, `left` below 0 once it is over."""

    id: str
    kind: str
    state: str
    summary: str
    requester: str
    age: float
    left: float
    answered_by: tuple[str, ...]
    needed: int | None = 1

    def to_dict(self) -> dict[str, object]:
        """Return the question as JSON-shaped data."""
        return {
            "id": self.id,
            "kind": self.kind,
            "state": self.state,
            "summary": self.summary,
            "requester": self.requester,
            "ageSeconds": round(self.age),
            "expiresInSeconds": round(self.left),
            "mayAnswer": list(self.answered_by),
            "approvalsNeeded": self.needed,
        }


def show_questions(
    config: Path | None, data: Path | None, wanted: Wanted, *, as_json: bool
) -> None:
    """Print the questions wanted. Whoever may read the record's file may do so.

    Raises:
        CommandFailed: There is no record to read.
        Refused: There is nobody of the name wanted.
    """
    settings = load_settings(config, data=data)
    path, people, now = settings.data.path, directory(settings), time.time()
    found = asyncio.run(_read(path, people, wanted, now))
    shown = [_waiting(one, now) for one in found if wanted.overdue or one.expires_at > now]
    if as_json:
        print_json([one.to_dict() for one in shown])
    elif shown:
        for one in shown:
            _print(one, people)
    else:
        complain("nobody was ever asked anything" if wanted.every else "nobody is asked anything")
    if len(found) == _MOST:
        complain(f"only the newest {_MOST} questions were read")


def state_named(given: str | None) -> QuestionState | None:
    """Return the state of this name.

    Raises:
        typer.BadParameter: There is none.
    """
    if given is None:
        return None
    try:
        return QuestionState(given)
    except ValueError as error:
        known = ", ".join(QuestionState)
        raise typer.BadParameter(f"--state is {given!r}; allowed: {known}") from error


async def _read(path: Path, people: PeopleDirectory, wanted: Wanted, now: float) -> list[Question]:
    with opened(path) as connection:
        stored = Repositories(SqliteSql(connection), lambda: None)
        await people.refresh(stored)
        found = await stored.questions.recent(state=wanted.only, limit=_MOST)
        if wanted.person is None:
            return found
        identities = person_named(people, wanted.person).identities
        return [
            one
            for one in found
            if _waits_for(one, await stored.questions.votes(one.id), identities, people, now)
        ]


def _waits_for(
    question: Question,
    votes: Sequence[Vote],
    identities: Sequence[str],
    people: PeopleDirectory,
    now: float,
) -> bool:
    """Tell whether somebody may answer a question, through any identity, and has not yet."""
    persons = {people.person(identity) for identity in identities}
    if any(vote.person in persons for vote in votes):
        return False
    return any(barred(question, one, people, now) is None for one in identities)


def _waiting(question: Question, now: float) -> Waiting:
    return Waiting(
        id=question.id,
        kind=KINDS[question.kind],
        state=question.state,
        summary=summary(question),
        requester=question.principal or _NOBODY,
        age=now - question.created_at,
        left=question.expires_at - now,
        answered_by=_answered_by(question),
        needed=Terms.read(question.route).needed,
    )


def summary(question: Question) -> str:
    """Say what is asked, with what is secret masked."""
    if question.tool is None:
        return redact_text(question.subject or question.summary)
    given = with_masks(json.loads(question.args), json.loads(question.masked))
    args = redact(given)
    assert isinstance(args, dict)
    shown = (f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in args.items())
    return f"{question.tool}({', '.join(shown)})"


def asked_in(group: Group, question: Question) -> Sequence[str] | None:
    """Return whom a group asks now, as the terms name them; None for anybody else."""
    if REQUESTER in (group.approvers or ()):
        return group.approvers
    return asked_of(group, question)


def _answered_by(question: Question) -> tuple[str, ...]:
    terms = Terms.read(question.route)
    if terms.rule is not None:
        return (f"rule:{terms.rule}",)
    if question.kind is QuestionKind.CONFIRMATION:
        return (question.principal or _NOBODY,)
    asked = [asked_in(group, question) for stage in terms.stages for group in stage]
    if None in asked:
        return ("anybody else",)
    return tuple(dict.fromkeys(one for approvers in asked for one in approvers or ()))


def _print(one: Waiting, people: PeopleDirectory) -> None:
    """Print a question: how it stands, what it is about, who may answer."""

    def named(principal: str) -> str:
        return people.name(principal) or principal

    stands = one.state
    if one.state == QuestionState.OPEN:
        stands = f"ends in {spoken(one.left)}" if one.left > 0 else "overdue"
    asked = f"{one.kind} asked by {named(one.requester)} {spoken(one.age)} ago, {stands}"
    print_text(f"{one.id[:8]}  {asked}")
    print_cut(visible(one.summary), indent=_INDENT)
    may_answer = ", ".join(map(named, one.answered_by))
    several = f"; {one.needed} must say yes" if (one.needed or 0) > 1 else ""
    print_text(f"may answer: {may_answer}{several}", indent=_INDENT)


def spoken(seconds: float) -> str:
    """Say a duration in its largest whole unit."""
    for size, unit in _UNITS:
        if seconds >= size:
            return f"{int(seconds // size)}{unit}"
    return f"{max(0, int(seconds))}s"
