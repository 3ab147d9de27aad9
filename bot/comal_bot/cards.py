"""Cards: what a question looks like in a chat, from the record alone."""

import json
from collections.abc import Mapping
from typing import Any

from comal_renderers import CardView, Effect, labels
from comal_runtime.record import Act, Card, Question, QuestionState
from comal_runtime.stations.foretelling import EFFECT, UNKNOWN
from comal_runtime.stations.lost import stored_result

from .buttons import buttons
from .facts import Facts
from .outcomes import (
    asked_because,
    clock,
    edits,
    outcome_line,
    overrules,
    repeats,
    shortage,
    standing,
)


def card_view(facts: Facts, card: Card) -> CardView:
    """Return a card of a question as the question stands, for its requester or its approvers."""
    question = facts.question
    arguments: Mapping[str, Any] = json.loads(question.args)
    if question.tool is None:
        arguments = {"subject": question.subject}
    title = (question.tool or "verification").replace("_", " ").capitalize()
    is_open = question.state is QuestionState.OPEN
    return CardView(
        title=f"{title}?" if is_open else title,
        tool=question.tool or "",
        arguments=arguments,
        masked=frozenset(json.loads(question.masked)),
        requester=facts.requester,
        why=asked_because(facts),
        ends_at=clock(question.expires_at, facts.now),
        effect=effect_of(question, facts.act),
        status=standing(facts, card.role),
        notes=tuple(
            filter(None, (edits(facts), overrules(facts), repeats(facts), shortage(facts)))
        ),
        choices=buttons(facts, card),
        outcome=None if is_open else outcome_line(facts),
        labels=labels(facts.language),
    )


def effect_of(question: Question, act: Act | None) -> Effect | None:
    """Return what the tool foretold and what its act reported; None where neither said anything."""
    told = {} if question.preview is None else json.loads(question.preview)
    ended = None if act is None or act.result is None else stored_result(act)
    observed = None if ended is None else ended.meta.get(EFFECT)
    if not told and observed is None:
        return None
    return Effect(foretold=told.get(EFFECT), unknown=told.get(UNKNOWN), observed=observed)
