"""`comal approvals`: what people were asked, read from the record without changing it."""

import asyncio
import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from comal_bot.people import PeopleDirectory
from comal_bot.settings import load_settings
from comal_bot.tooling import directory
from comal_runtime.consent.policies import Terms
from comal_runtime.record import Question, QuestionKind, QuestionState
from comal_runtime.record.questions import Questions
from comal_runtime.record.sqlite import SqliteSql
from comal_runtime.redact import redact, redact_text

from .complaints import complain
from .opening import opened
from .printing import print_cut, print_json, print_text

_MOST: Final = 500
_NOBODY: Final = "nobody"
_INDENT: Final = 10  # a short id and two blanks
_KINDS: Final = {
    QuestionKind.CONFIRMATION: "confirmation",
    QuestionKind.VERIFICATION: "approval",
}
_UNITS: Final = ((86400, "d"), (3600, "h"), (60, "m"))


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


def show_questions(config: Path | None, data: Path | None, *, every: bool, as_json: bool) -> None:
    """Print the open questions, or all of them.

    Raises:
        CommandFailed: There is no record to read.
    """
    settings = load_settings(config, data=data)
    path, people = settings.data.path, directory(settings)
    now = time.time()
    found = asyncio.run(_read(path, None if every else QuestionState.OPEN))
    shown = [_waiting(one, now) for one in found if every or one.expires_at > now]
    if as_json:
        print_json([one.to_dict() for one in shown])
    elif shown:
        for one in shown:
            _print(one, people)
    else:
        complain("nobody is asked anything" if not every else "nobody was ever asked anything")
    if len(found) == _MOST:
        complain(f"only the newest {_MOST} questions were read")


async def _read(path: Path, state: QuestionState | None) -> list[Question]:
    with opened(path) as connection:
        return await Questions(SqliteSql(connection)).recent(state=state, limit=_MOST)


def _waiting(question: Question, now: float) -> Waiting:
    return Waiting(
        id=question.id,
        kind=_KINDS[question.kind],
        state=question.state,
        summary=_summary(question),
        requester=question.principal or _NOBODY,
        age=now - question.created_at,
        left=question.expires_at - now,
        answered_by=_answered_by(question),
        needed=Terms.read(question.route).needed,
    )


def _summary(question: Question) -> str:
    """Say what is asked, with what is secret masked."""
    if question.tool is None:
        return redact_text(question.subject or question.summary)
    args = redact(json.loads(question.args))
    assert isinstance(args, dict)
    shown = (f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in args.items())
    return f"{question.tool}({', '.join(shown)})"


def _answered_by(question: Question) -> tuple[str, ...]:
    terms = Terms.read(question.route)
    if terms.rule is not None:
        return (f"rule:{terms.rule}",)
    if terms.approvers is not None:
        return terms.approvers
    if question.kind is QuestionKind.CONFIRMATION:
        return (question.principal or _NOBODY,)
    return ("anybody else",)


def _print(one: Waiting, people: PeopleDirectory) -> None:
    """Print a question: how it stands, what it is about, who may answer."""

    def named(principal: str) -> str:
        return people.name(principal) or principal

    stands = one.state
    if one.state == QuestionState.OPEN:
        stands = f"ends in {_spoken(one.left)}" if one.left > 0 else "overdue"
    asked = f"{one.kind} asked by {named(one.requester)} {_spoken(one.age)} ago, {stands}"
    print_text(f"{one.id[:8]}  {asked}")
    print_cut(one.summary, indent=_INDENT)
    may_answer = ", ".join(map(named, one.answered_by))
    several = f"; {one.needed} must say yes" if (one.needed or 0) > 1 else ""
    print_text(f"may answer: {may_answer}{several}", indent=_INDENT)


def _spoken(seconds: float) -> str:
    """Say a duration in its largest whole unit."""
    for size, unit in _UNITS:
        if seconds >= size:
            return f"{int(seconds // size)}{unit}"
    return f"{max(0, int(seconds))}s"
