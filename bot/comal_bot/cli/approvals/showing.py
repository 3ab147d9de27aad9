"""`comal approvals show`: all that the record knows of one question."""

import asyncio
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from comal_bot.hiding import hidden_in, told
from comal_bot.people import PeopleDirectory
from comal_bot.settings import load_settings
from comal_bot.tooling import directory
from comal_renderers.concealing import Secrets
from comal_renderers.visible import visible
from comal_runtime.consent.masking import with_masks
from comal_runtime.consent.seal import is_intact
from comal_runtime.consent.tally import Tally, tally
from comal_runtime.consent.terms import Group, Terms
from comal_runtime.record import (
    Act,
    Card,
    Question,
    QuestionKind,
    QuestionState,
    Repositories,
    StoredReceipt,
    Vote,
)
from comal_runtime.record.sqlite import SqliteSql
from comal_runtime.redact import Json, redact, redact_text

from ..beginning import one_question
from ..opening import opened
from ..printing import print_json, print_text
from .listing import KINDS, asked_in, spoken

_INDENT: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A question with all that belongs to it."""

    question: Question
    votes: Sequence[Vote]
    cards: Sequence[Card]
    act: Act | None
    receipts: Sequence[StoredReceipt]
    stands: Tally


def show_question(given: str, config: Path | None, data: Path | None, *, as_json: bool) -> None:
    """Print a question whole, secrets masked. Whoever may read the record's file may do so.

    Raises:
        CommandFailed: There is no record to read, or no such question.
    """
    settings = load_settings(config, data=data)
    people = directory(settings)
    known = asyncio.run(_read(settings.data.path, people, given))
    if as_json:
        print_json(_as_dict(known, people))
        return
    for indent, line in _lines(known, people):
        print_text(line, indent=indent)


async def _read(path: Path, people: PeopleDirectory, given: str) -> Known:
    with opened(path) as connection:
        connection.execute("BEGIN")  # all of one moment
        stored = Repositories(SqliteSql(connection), lambda: None)
        await people.refresh(stored)
        question = await one_question(stored, given)
        votes = await stored.questions.votes(question.id)
        return Known(
            question=question,
            votes=votes,
            cards=await stored.cards.of(question.id),
            act=await stored.acts.get(question.id),
            receipts=await stored.receipts.of(question.id),
            stands=tally(question, votes, people),
        )


def call_of(question: Question) -> Json:
    """Return the arguments of a question whole, but for what a card hides or looks secret."""
    return redact(with_masks(json.loads(question.args), json.loads(question.masked)))


def _as_dict(known: Known, people: PeopleDirectory) -> dict[str, Any]:
    question, stands = known.question, known.stands
    return {
        "id": question.id,
        "kind": KINDS[question.kind],
        "state": question.state,
        "tool": question.tool,
        "arguments": call_of(question),
        "argsDigest": question.args_digest,
        "definitionDigest": question.definition_digest,
        "subject": None if question.subject is None else redact_text(question.subject),
        "preview": _preview(question),
        "intact": is_intact(question),
        "requester": _who(question.principal, people),
        "channel": question.channel,
        "conversation": question.conversation,
        "createdAt": question.created_at,
        "expiresAt": question.expires_at,
        "remindAt": question.remind_at,
        "escalateAt": question.escalate_at,
        "escalatedAt": question.escalated_at,
        "supersedes": question.supersedes,
        "supersededBy": question.superseded_by,
        "editedBy": _who(question.edited_by, people),
        "repeats": question.repeats,
        "terms": None if question.route is None else json.loads(question.route),
        "approvals": stands.yes,
        "approvalsNeeded": stands.needed,
        "waitsFor": [_group(group, question, said) for group, said in stands.open_groups],
        "votes": [_vote(vote, people) for vote in known.votes],
        "decidedAt": question.decided_at,
        "decidedBy": _who(question.decided_by, people),
        "reason": question.reason,
        "cards": [_card(card) for card in known.cards],
        "act": None if known.act is None else _act(known.act, hidden_in(question)),
        "receipts": [{"number": one.number, "digest": one.digest} for one in known.receipts],
    }


def _who(principal: str | None, people: PeopleDirectory) -> dict[str, str | None] | None:
    if principal is None:
        return None
    return {"principal": principal, "name": people.name(principal)}


def _group(group: Group, question: Question, said: int) -> dict[str, object]:
    asked = asked_in(group, question)
    approvers = None if asked is None else list(asked)
    return {
        "name": group.name or None,
        "stage": group.stage,
        "approvers": approvers,
        "said": said,
        "needed": group.k,
    }


def _vote(vote: Vote, people: PeopleDirectory) -> dict[str, object]:
    return {
        "person": vote.person,
        "identity": vote.identity,
        "name": people.name(vote.identity),
        "choice": vote.choice,
        "reason": vote.reason,
        "at": vote.at,
    }


def _card(card: Card) -> dict[str, object]:
    return {
        "role": card.role,
        "channel": card.channel,
        "chat": card.chat,
        "thread": card.thread or None,
        "message": card.message,
        "shows": card.shown,
    }


def _act(act: Act, secrets: Secrets) -> dict[str, object]:
    return {
        "state": act.state,
        "attempt": act.attempt,
        "instance": act.instance,
        "executeBy": act.execute_by,
        "startedAt": act.started_at,
        "endedAt": act.ended_at,
        "reason": act.reason,
        "idempotencyKey": act.idempotency_key,
        "result": None if act.result is None else told(json.loads(act.result), secrets),
    }


def _preview(question: Question) -> Json:
    if question.preview is None:
        return None
    return told(json.loads(question.preview), hidden_in(question))


def _lines(known: Known, people: PeopleDirectory) -> Iterator[tuple[int, str]]:
    """Yield the lines that a person reads, each with how far it is set in."""
    question, now = known.question, time.time()
    yield 0, f"{question.id}  {KINDS[question.kind]}, {question.state}"
    if not is_intact(question):
        yield 0, "ALTERED: what is stored is not what people were asked; no answer to it counts"
    yield from _asked(question, people, now)
    if question.kind is QuestionKind.VERIFICATION:
        yield from _terms(known, people)
    for vote in known.votes:
        why = f": {visible(vote.reason)}" if vote.reason else ""
        yield 0, f"vote {vote.choice} of {_named(vote.identity, people)}, {_at(vote.at)}{why}"
    if question.state is not QuestionState.OPEN:
        by = "" if question.decided_by is None else f" by {_named(question.decided_by, people)}"
        why = f": {visible(question.reason)}" if question.reason else ""
        yield 0, f"{question.state}{by}, {_at(question.decided_at)}{why}"
    for card in known.cards:
        thread = f":{card.thread}" if card.thread else ""
        where = f"{card.channel}:{card.chat}{thread}"
        yield 0, f"card for the {card.role} in {where}, message {card.message or '(none yet)'}"
    yield from _acted(known)


def _asked(question: Question, people: PeopleDirectory, now: float) -> Iterator[tuple[int, str]]:
    if question.tool is None:
        yield 0, f"about {visible(redact_text(question.subject or ''))}"
    else:
        yield 0, f"call of {question.tool}"
        args = call_of(question)
        for name, value in (args if isinstance(args, dict) else {}).items():
            yield _INDENT, visible(f"{name}: {json.dumps(value, ensure_ascii=False)}")
    if question.preview is not None:
        yield 0, visible(f"foretold: {json.dumps(_preview(question), ensure_ascii=False)}")
    asked_by = _named(question.principal, people)
    yield 0, f"asked by {asked_by} {spoken(now - question.created_at)} ago"
    if question.state is QuestionState.OPEN:
        left = question.expires_at - now
        yield 0, f"ends in {spoken(left)}" if left > 0 else "overdue"


def _terms(known: Known, people: PeopleDirectory) -> Iterator[tuple[int, str]]:
    terms, stands = Terms.read(known.question.route), known.stands
    name = f" by route {terms.name!r}" if terms.name else ""
    if terms.rule is not None:
        yield 0, f"decided{name} by rule {terms.rule!r}"
        return
    yield 0, f"decided{name}: {stands.yes} of {stands.needed} have said yes"
    if known.question.state is not QuestionState.OPEN:
        return
    for group, said in stands.open_groups:
        approvers = asked_in(group, known.question) or ("anybody else",)
        asked = ", ".join(_named(one, people) for one in approvers)
        label = f"{group.name}: " if group.name else ""
        yield _INDENT, f"waits for {label}{said} of {group.k} from {asked} (stage {group.stage})"


def _acted(known: Known) -> Iterator[tuple[int, str]]:
    act = known.act
    if act is not None:
        why = f": {act.reason}" if act.reason else ""
        yield 0, f"act {act.state}, attempt {act.attempt}, ended {_at(act.ended_at)}{why}"
        if act.result is not None:
            result = told(json.loads(act.result), hidden_in(known.question))
            yield _INDENT, visible(json.dumps(result, ensure_ascii=False))
    for receipt in known.receipts:
        yield 0, f"receipt {receipt.number}: {receipt.digest}"


def _named(principal: str | None, people: PeopleDirectory) -> str:
    if principal is None:
        return "nobody"
    name = people.name(principal)
    return principal if name is None else f"{name} ({principal})"


def _at(moment: float | None) -> str:
    if moment is None:
        return "(not yet)"
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(moment))
