"""Outcomes: how a question stands and how it ended, in one line each."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from comal_renderers import document_of, spell_plain
from comal_renderers.concealing import concealed
from comal_renderers.i18n import text
from comal_runtime.consent.editing import Change, changes_between
from comal_runtime.consent.overriding import breaks_glass
from comal_runtime.consent.settling import SERVICE
from comal_runtime.consent.terms import REQUESTER as THE_REQUESTER
from comal_runtime.consent.terms import Group, Terms
from comal_runtime.record import Act, ActState, Question, QuestionKind, QuestionState
from comal_runtime.stations.lost import stored_result

from .facts import REQUESTER, Facts

_LONGEST_OUTCOME: Final = 240  # characters of what an act answered; the conversation has the rest
_LONGEST_VALUE: Final = 60  # characters of a value that was changed; the card has it whole
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


def outcome_line(facts: Facts) -> str:
    """Say in one line how a question ended, what became of its act, and why."""
    line, why = outcome(facts), _reason(facts)
    return f"{line} — {why}" if why else line


def outcome(facts: Facts) -> str:
    """Say in one line how a question ended and what became of its act, but not why."""
    question = facts.question
    return text(
        f"outcome.{_outcome(facts)}",
        facts.language,
        name=facts.decided_by,
        decided=text(f"decided.{_decided(question)}", facts.language, name=facts.decided_by),
        time=clock(question.decided_at or question.expires_at, facts.now),
        progress=facts.progress,
        settled=facts.settled_by,
        left=facts.left_by,
    )


def standing(facts: Facts, role: str) -> str | None:
    """Say how an open verification stands: that it waits, how many said yes, and who is next."""
    if facts.question.kind is not QuestionKind.VERIFICATION:
        return None
    told = [text("card.waiting", facts.language)] if _only_waits(facts, role) else []
    return " · ".join([*told, *_still(facts)]) or None


def asked_because(facts: Facts) -> str | None:
    """Say by which route others are asked about a call, or None where none is."""
    question = facts.question
    name = None if question.tool is None else Terms.read(question.route).name
    return text("card.by_route", facts.language, name=name) if name else None


def edits(facts: Facts) -> str | None:
    """Say who changed what of the call this question is about, or None."""
    if facts.before is None:
        return None
    changes = edited(changes_between(facts.before, facts.question))
    return text("card.edited", facts.language, name=facts.editor, changes=changes)


def edited(changes: tuple[Change, ...]) -> str:
    """Say what an edit changed: `amount: 120 → 50`."""
    return "; ".join(f"{name}: {_short(old)} → {_short(new)}" for name, old, new in changes)


def clock(at: float, now: float) -> str:
    """Return a time of day, with its date where that is not today's."""
    moment = datetime.fromtimestamp(at).astimezone()
    near = abs(at - now) < 20 * 3600
    return moment.strftime("%H:%M" if near else "%Y-%m-%d %H:%M")


def _short(value: Any) -> str:
    shown = json.dumps(value, ensure_ascii=False)
    return shown if len(shown) <= _LONGEST_VALUE else f"{shown[:_LONGEST_VALUE]}…"


def _outcome(facts: Facts) -> str:
    question, act = facts.question, facts.act
    if facts.asks_changes:
        return "changes"
    if question.state is QuestionState.SUPERSEDED and _is_edited(facts):
        return "edited"
    if question.state is not QuestionState.APPROVED or act is None:
        return str(question.state)
    if facts.progress and act.state is ActState.STARTED:
        return "running"
    return _settled(act) or _ACT_WORDS[act.state]


def _settled(act: Act) -> str | None:
    """Name how an act is told of whose outcome was unknown and that somebody looked at."""
    if act.state is ActState.UNKNOWN:
        return None if act.left_by is None else "left"
    if act.settled_by is None:
        return None
    by = "service" if act.settled_by == SERVICE else "person"
    return f"{act.state}_by_{by}"


def overrules(facts: Facts) -> str | None:
    """Say that whoever decided was not entitled to, and why they did, or None."""
    question = facts.question
    if not breaks_glass(question.decided_by):
        return None
    return text("card.break_glass", facts.language, why=question.reason or "—")


def repeats(facts: Facts) -> str | None:
    """Say that a question would do again what may have been done, or None."""
    if facts.question.repeats is None:
        return None
    return text("card.may_still_run" if facts.first_may_run else "card.repeats", facts.language)


def shortage(facts: Facts) -> str | None:
    """Say that too few people are left who may approve, or None."""
    return text("card.too_few", facts.language) if facts.too_few else None


def _is_edited(facts: Facts) -> bool:
    return facts.after is not None and facts.after.supersedes == facts.question.id


def _decided(question: Question) -> str:
    return "confirmed" if question.kind is QuestionKind.CONFIRMATION else "approved"


def _reason(facts: Facts) -> str | None:
    """Say what came of it: what the act answered, why it could not, or why people said no."""
    act = facts.act
    if act is None and facts.after is not None and _is_edited(facts):
        return edited(changes_between(facts.question, facts.after))
    return facts.question.reason if act is None else _answered(act)


def _answered(act: Act) -> str | None:
    if act.result is None:
        return act.reason if act.state not in _RUNNING else None
    result = stored_result(act)
    if result.success and result.data is None and result.message is None:
        return None
    told = concealed(result).error if not result.success else None
    if told is None:
        told = " ".join(part["text"] for part in spell_plain(document_of(result)).parts)
    line = "; ".join(filter(None, (piece.strip() for piece in told.splitlines())))
    return line if len(line) <= _LONGEST_OUTCOME else f"{line[:_LONGEST_OUTCOME]}…"


def _only_waits(facts: Facts, role: str) -> bool:
    """Tell whether the reader of a card is the requester, whom nobody asks yet."""
    stands = facts.tally
    at_hand = () if stands is None else stands.at_hand
    return role == REQUESTER and not any(map(_is_requester, at_hand))


def _still(facts: Facts) -> list[str]:
    """Say who is still needed, group by group, and who is asked after them."""
    stands, language = facts.tally, facts.language
    if stands is None or (stands.needed or 0) < 2:
        return []
    stages = Terms.read(facts.question.route).stages
    if len(stages) == 1 and len(stages[0]) == 1:
        return [text("card.approvals", language, yes=stands.yes, needed=stands.needed)]
    told = [
        text("card.group", language, name=_called(group, facts), yes=yes, needed=group.k)
        for group, yes in stands.open_groups
    ]
    later = stages[stages.index(stands.at_hand) + 1 :] if stands.at_hand in stages else ()
    if later:
        names = ", ".join(_called(group, facts) for groups in later for group in groups)
        told.append(text("card.then", language, names=names))
    return told


def _called(group: Group, facts: Facts) -> str:
    if _is_requester(group):
        return facts.requester
    return group.name or text("card.approvers", facts.language)


def _is_requester(group: Group) -> bool:
    return THE_REQUESTER in (group.approvers or ())
