"""Reach: whether an open question can still find as many people as it needs."""

from collections.abc import Sequence

from comal_runtime.consent import Terms
from comal_runtime.consent.policies import Policy
from comal_runtime.record import Question, QuestionKind, QuestionState, Vote

from .approvers import are_enough, asked_by, everybody, without
from .people import PeopleDirectory


def too_few(question: Question, votes: Sequence[Vote], people: PeopleDirectory) -> bool:
    """Tell whether the people left who may approve a question cannot make up its count.

    Those whom it will be escalated to are among them; who asked it or said no is not.
    """
    terms = Terms.read(question.route)
    asks_others = question.kind is QuestionKind.VERIFICATION and terms.policy is not Policy.AUTO
    if not asks_others or question.state is not QuestionState.OPEN:
        return False
    if any(group.approvers is None for stage in terms.stages for group in stage):
        return False  # anybody else may answer, and nobody can count them
    escalates = question.escalated_at is not None or question.escalate_at is not None
    stages = asked_by(terms, people, escalated=escalates)
    barred = {people.person(one.identity) for one in votes if one.choice != "yes"}
    asked, since = question.principal, question.created_at
    if asked is not None:
        barred |= {one for one in everybody(stages) if people.ever_one(asked, one, since)}
    return not are_enough(without(stages, barred))
