"""Cards: what a question looks like in a chat, from the record alone."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from comal_renderers import Action, CardView, document_of, labels, spell_plain
from comal_renderers.i18n import text
from comal_runtime.consent.votes import Tally
from comal_runtime.record import Act, ActState, Question, QuestionKind, QuestionState
from comal_runtime.stations.lost import stored_result

REQUESTER: Final = "requester"
APPROVER: Final = "approver"

YES: Final = "y"
NO: Final = "n"
SHOW_ALL: Final = "s"

_LONGEST_OUTCOME: Final = 240  # characters of what an act answered; the conversation has the rest
_RUNNING: Final = (ActState.APPROVED, ActState.STARTED)
_ACT_WORDS: Final[Mapping[ActState, str]] = {
    ActState.APPROVED: "started",
    ActState.STARTED: "started",
    ActState.DONE: "executed",
    ActState.FAILED: "failed",
    ActState.UNKNOWN: "unknown",
    ActState.VOID: "void",
    ActState.DONE_LATE: "done_late",
    ActState.SETTLED_DONE: "executed",
    ActState.SETTLED_NOT_DONE: "void",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What a card tells: the question, its act, and how the people in it are called."""

    question: Question
    act: Act | None
    requester: str
    decided_by: str
    language: str
    now: float
    progress: str = ""
    tally: Tally | None = None

    @property
    def state(self) -> str:
        """Name what the card shows, so that it is edited only when that changes."""
        act = "" if self.act is None else f":{self.act.state}"
        counts = self.tally is not None and self.question.state is QuestionState.OPEN
        votes = f":{self.tally.yes}" if counts and self.tally and self.tally.yes else ""
        return f"{self.question.state}{votes}{act}{self.progress}"


def callback_data(card: str, choice: str) -> str:
    """Return what a button of a card carries: at most 32 bytes, meaning nothing by itself."""
    return f"q1:{card}:{choice}"


def card_view(facts: Facts, card: str, role: str) -> CardView:
    """Return the card of a question as it stands, for its requester or its approvers."""
    question, language = facts.question, facts.language
    words = labels(language)
    arguments: Mapping[str, Any] = json.loads(question.args)
    if question.tool is None:
        arguments = {"subject": question.subject}
    title = (question.tool or "verification").replace("_", " ").capitalize()
    is_open = question.state is QuestionState.OPEN
    return CardView(
        title=f"{title}?" if is_open else title,
        tool=question.tool or "—",
        arguments=arguments,
        masked=frozenset(json.loads(question.masked)),
        requester=facts.requester,
        ends_at=_clock(question.expires_at, facts.now),
        status=_standing(facts, role),
        choices=_choices(question, card, role, language) if is_open else (),
        outcome=None if is_open else outcome_line(facts),
        labels=words,
    )


def show_all_action(card: str, language: str) -> Action:
    """Return the one button of a card that cannot be shown whole."""
    return Action(
        label=labels(language).show_all, data=callback_data(card, SHOW_ALL), tone="neutral"
    )


def outcome_line(facts: Facts) -> str:
    """Say in one line how a question ended and what became of its act."""
    question, act = facts.question, facts.act
    line = text(
        f"outcome.{_outcome(facts)}",
        facts.language,
        name=facts.decided_by,
        decided=text(f"decided.{_decided(question)}", facts.language, name=facts.decided_by),
        time=_clock(question.decided_at or question.expires_at, facts.now),
        progress=facts.progress,
    )
    why = _reason(question, act)
    return f"{line} — {why}" if why else line


def _outcome(facts: Facts) -> str:
    question, act = facts.question, facts.act
    if question.state is not QuestionState.APPROVED or act is None:
        return str(question.state)
    if facts.progress and act.state is ActState.STARTED:
        return "running"
    return _ACT_WORDS[act.state]


def _decided(question: Question) -> str:
    return "confirmed" if question.kind is QuestionKind.CONFIRMATION else "approved"


def _reason(question: Question, act: Act | None) -> str | None:
    """Say what came of it: what the act answered, why it could not, or why people said no."""
    if act is None:
        return question.reason
    if act.result is None:
        return act.reason if act.state not in _RUNNING else None
    result = stored_result(act)
    if result.success and result.data is None and result.message is None:
        return None
    told = " ".join(part["text"] for part in spell_plain(document_of(result)).parts)
    line = "; ".join(filter(None, (piece.strip() for piece in told.splitlines())))
    return line if len(line) <= _LONGEST_OUTCOME else f"{line[:_LONGEST_OUTCOME]}…"


def _standing(facts: Facts, role: str) -> str | None:
    """Say how an open verification stands: that it waits, and how many have said yes."""
    if facts.question.kind is not QuestionKind.VERIFICATION:
        return None
    told = [text("card.waiting", facts.language)] if role == REQUESTER else []
    stands = facts.tally
    if stands is not None and (stands.needed or 0) > 1:
        told.append(text("card.approvals", facts.language, yes=stands.yes, needed=stands.needed))
    return " · ".join(told) or None


def _choices(question: Question, card: str, role: str, language: str) -> tuple[Action, ...]:
    words = labels(language)
    yes, no = callback_data(card, YES), callback_data(card, NO)
    if question.kind is QuestionKind.CONFIRMATION:
        return (
            Action(label=words.confirm, data=yes, tone="primary"),
            Action(label=words.cancel, data=no, tone="danger"),
        )
    if role == REQUESTER:
        return ()
    return (
        Action(label=words.approve, data=yes, tone="primary"),
        Action(label=words.reject, data=no, tone="danger"),
    )


def _clock(at: float, now: float) -> str:
    moment = datetime.fromtimestamp(at).astimezone()
    near = abs(at - now) < 20 * 3600
    return moment.strftime("%H:%M" if near else "%Y-%m-%d %H:%M")
