"""The account: all that is known of a question that has ended, as JSON, with secrets masked.

Times are epoch seconds. What was asked stands there as it was sealed.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from comal_renderers.concealing import Secrets, masked
from comal_runtime.consent.entitlement import was_requester
from comal_runtime.consent.masking import with_masks
from comal_runtime.consent.overriding import breaks_glass
from comal_runtime.consent.question import digest
from comal_runtime.consent.seal import asked_in
from comal_runtime.consent.terms import REQUESTER, Terms
from comal_runtime.record import Act, Question, Showing, Vote
from comal_runtime.redact import Json
from comal_runtime.tools import canonical_json

from ..hiding import hidden_in, told
from ..people import PeopleDirectory
from .paper import VERSION, Paper

_LONGEST_RESULT: Final = 20_000  # characters; of a longer one only its digest is told
_CALLBACK: Final = "callback_data"


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What the record says of a question that has ended; `previous` is the receipt before."""

    question: Question
    act: Act | None
    votes: Sequence[Vote]
    shown: Sequence[Showing]
    requester: str
    previous: Paper | None
    instance: str
    now: float

    @property
    def state(self) -> str:
        """Name what the account tells, so that only what is new is told again."""
        act = "" if self.act is None else f":{self.act.state}:{self.act.attempt}"
        return f"{self.question.state}{act}"


def account_of(facts: Facts, people: PeopleDirectory) -> dict[str, Any]:
    """Return the account of a question that has ended."""
    question, previous = facts.question, facts.previous
    secrets = hidden_in(question)
    return {
        "version": VERSION,
        "number": 1 if previous is None else int(previous.account["number"]) + 1,
        "previous": None if previous is None else previous.digest,
        "instance": facts.instance,
        "signedAt": facts.now,
        "asked": _asked(question, secrets),
        "seal": question.digest,
        "requester": facts.requester,
        "escalatedAt": question.escalated_at,
        "decided": {
            "state": str(question.state),
            "at": question.decided_at,
            "by": question.decided_by,
            "reason": question.reason,
            "supersededBy": question.superseded_by,
        },
        **_people(facts, people),
        "cards": [_card(one) for one in facts.shown],
        "act": None if facts.act is None else _act(facts.act, secrets),
    }


def _asked(question: Question, secrets: Secrets) -> dict[str, Any]:
    asked = asked_in(question)
    pointers = json.loads(question.masked)
    if pointers:
        asked["args"] = canonical_json(with_masks(json.loads(question.args), pointers))
        for name in ("preview", "summary", "subject"):
            if asked[name] is not None:
                asked[name] = masked(asked[name], secrets)
    return asked


def _people(facts: Facts, people: PeopleDirectory) -> dict[str, Any]:
    """Return who voted and who they were; an amended account says that as the first one did."""
    previous = facts.previous
    if previous is not None and len(previous.account["votes"]) == len(facts.votes):
        return {name: previous.account[name] for name in ("votes", "persons")}
    named = {*_named(facts.question), *(vote.identity for vote in facts.votes)}
    return {
        "votes": [_vote(vote, facts.question, people) for vote in facts.votes],
        "persons": {one: people.person(one) for one in sorted(named)},
    }


def _named(question: Question) -> Iterator[str]:
    """Yield the principals that a question or its terms name."""
    if question.principal is not None:
        yield question.principal
    terms = Terms.read(question.route)
    lists = [group.approvers or () for stage in terms.stages for group in stage]
    if terms.escalation is not None:
        lists.append(terms.escalation.approvers)
    for approvers in lists:
        yield from (one for one in approvers if one != REQUESTER and not one.startswith("role:"))


def _vote(vote: Vote, question: Question, people: PeopleDirectory) -> dict[str, Any]:
    return {
        "person": vote.person,
        "identity": vote.identity,
        "name": people.name(vote.identity),
        "roles": sorted(people.roles(vote.identity)),
        "choice": vote.choice,
        "reason": vote.reason,
        "at": vote.at,
        "breakGlass": breaks_glass(vote.identity),
        "isRequester": was_requester(question, vote.identity, people),
    }


def _card(shown: Showing) -> dict[str, Any]:
    buttons: list[str] = []
    body = _without_callbacks(json.loads(shown.body), buttons)
    text = body.get("text") if isinstance(body, Mapping) else None
    return {
        "role": shown.role,
        "channel": shown.channel,
        "chat": shown.chat,
        "thread": shown.thread,
        "message": shown.message,
        "edited": shown.edited,
        "acknowledgedAt": shown.at,
        "text": text if isinstance(text, str) else canonical_json(body),
        "buttons": buttons,
        "sentDigest": digest(shown.body),
    }


def _without_callbacks(value: Any, buttons: list[str]) -> Json:
    """Return a body without what its buttons carry, and collect what is written on them."""
    if isinstance(value, Mapping):
        if _CALLBACK in value:
            buttons.append(str(value.get("text", "")))
        return {
            name: _without_callbacks(inner, buttons)
            for name, inner in value.items()
            if name != _CALLBACK
        }
    if isinstance(value, list):
        return [_without_callbacks(inner, buttons) for inner in value]
    return value  # type: ignore[no-any-return]  # JSON that was read


def _act(act: Act, secrets: Secrets) -> dict[str, Any]:
    return {
        "key": act.key,
        "tool": act.tool,
        "argsDigest": act.args_digest,
        "principal": act.principal,
        "idempotencyKey": act.idempotency_key,
        "state": str(act.state),
        "attempt": act.attempt,
        "instance": act.instance,
        "startedAt": act.started_at,
        "endedAt": act.ended_at,
        "reason": act.reason,
        "result": None if act.result is None else _result(act.result, secrets),
        "resultDigest": None if act.result is None else digest(act.result),
    }


def _result(stored: str, secrets: Secrets) -> Json:
    """Return what the tool answered, without secrets; None for what is too long to be told."""
    if len(stored) > _LONGEST_RESULT:
        return None
    return told(json.loads(stored), secrets)
