"""Entitlement: who may answer a question, as far as one person alone can be judged."""

from collections.abc import Sequence
from enum import StrEnum

from ..record import Question, QuestionKind
from .directory import Directory, is_among
from .overriding import breaks_glass, os_user
from .policies import Policy
from .terms import REQUESTER, Group, Terms


class Barred(StrEnum):
    """Why somebody may not answer a question."""

    NOT_ENTITLED = "not_entitled"
    OWN_REQUEST = "own_request"


def barred(question: Question, voter: str, directory: Directory, at: float) -> Barred | None:
    """Return why `voter` may not answer a question at `at`, or None if they may.

    The confirmation of a call is its requester's alone; a verification never is, unless a group
    of its terms asks them as well.
    """
    if breaks_glass(voter):
        return _barred_at_machine(question, voter, directory)
    confirms = question.kind is QuestionKind.CONFIRMATION
    if confirms and voter == question.principal and voter.strip():
        return None  # the very account that asked; whatever it is linked to gives it nothing
    if not voter.strip() or not directory.counts(voter, at):
        return Barred.NOT_ENTITLED
    if confirms:
        return None if is_requester(question, voter, directory) else Barred.NOT_ENTITLED
    terms = Terms.read(question.route)
    if terms.policy is Policy.AUTO:
        return Barred.NOT_ENTITLED
    if any(belongs(group, question, voter, directory) for stage in terms.stages for group in stage):
        return None
    return Barred.OWN_REQUEST if was_requester(question, voter, directory) else Barred.NOT_ENTITLED


def _barred_at_machine(question: Question, voter: str, directory: Directory) -> Barred | None:
    """Tell why not even breaking the glass decides: it stands in for approvers and nobody else.

    Nobody approves their own call that way, nor takes the place of a requester or of a rule.
    """
    if was_requester(question, os_user(voter), directory):
        return Barred.OWN_REQUEST
    by_people = Terms.read(question.route).policy is not Policy.AUTO
    asks_others = question.kind is QuestionKind.VERIFICATION
    return None if asks_others and by_people else Barred.NOT_ENTITLED


def belongs(group: Group, question: Question, voter: str, directory: Directory) -> bool:
    """Tell whether `voter` is one of a group; the requester only where it says `requester`."""
    if was_requester(question, voter, directory):
        asked = group.approvers is not None and REQUESTER in group.approvers
        return asked and is_requester(question, voter, directory)
    named = asked_of(group, question)
    return named is None or is_among(named, voter, directory)


def asked_of(group: Group, question: Question) -> Sequence[str] | None:
    """Return whom a group names now, with those a question was escalated to; None for anybody."""
    if group.approvers is None:
        return None
    if REQUESTER in group.approvers:
        return [one for one in group.approvers if one != REQUESTER]  # nobody stands in for them
    if question.escalated_at is None:
        return group.approvers
    escalation = Terms.read(question.route).escalation
    return group.approvers if escalation is None else (*group.approvers, *escalation.approvers)


def is_requester(question: Question, principal: str, directory: Directory) -> bool:
    """Tell whether a principal is the one who asked, now."""
    asked_by = question.principal
    return asked_by is not None and directory.person(asked_by) == directory.person(principal)


def was_requester(question: Question, principal: str, directory: Directory) -> bool:
    """Tell whether a principal is, or was during the question's life, the one who asked."""
    asked_by = question.principal
    return asked_by is not None and directory.ever_one(asked_by, principal, question.created_at)
