"""Which policy a request gets: what its route demands, or a stronger one its caller asks for."""

from collections.abc import Collection
from dataclasses import dataclass, replace

from ..directory import Directory
from ..policies import Policy
from ..route import Route
from ..seats import fill, seats_of
from ..terms import Group, Terms


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a caller does not get the policy it asks for."""

    why: str


def chosen(
    route: Route | None, policy: str | None, requester: str | None, directory: Directory
) -> Terms | Refused | None:
    """Return the terms of a request; None where any one other person decides.

    The caller never chooses `auto`, nor what is weaker than its route or could not be satisfied.
    """
    demanded = None if route is None else route.terms
    least = Terms() if demanded is None else demanded
    if policy is None or (policy == least.policy and not least.groups):
        return demanded if demanded is None else _satisfiable(demanded, requester, directory)
    refused = _not_for_callers(policy, least)
    if refused is not None:
        return refused
    wanted = replace(least, policy=Policy(policy), k=None, rule=None)
    if (wanted.needed or 0) < (least.needed or 0):
        people = f"{least.needed} {'person' if least.needed == 1 else 'people'}"
        return Refused(f"policy {policy!r} is weaker than its route, which demands {people}.")
    return _satisfiable(wanted, requester, directory)


def _not_for_callers(policy: str, least: Terms) -> Refused | None:
    if policy == Policy.AUTO:
        return Refused("policy 'auto' is a route's to say, never a caller's.")
    if policy == Policy.QUORUM:
        return Refused("policy 'quorum' needs a route that says how many people it takes.")
    if policy not in list(Policy):
        return Refused(f"policy {policy!r} is unknown; use single or dual.")
    if least.needed is None:
        return Refused(f"its route lets the rule {least.rule!r} decide; leave policy out.")
    if least.groups:
        return Refused("its route says which groups must agree; leave policy out.")
    return None


def _satisfiable(terms: Terms, requester: str | None, directory: Directory) -> Terms | Refused:
    """Refuse terms that too few people could meet, as far as who they are is known."""
    groups = [group for stage in terms.stages for group in stage]
    known = [_people(group, terms, directory) for group in groups]
    seats: list[Collection[str]] = []
    for group, people in zip(groups, known, strict=True):
        if people is not None:
            asker = set() if requester is None else {directory.person(requester)}
            seats += seats_of(group.k, people - asker)
    seated = fill(seats)
    if None not in seated:
        return terms
    whose = "its route" if terms.groups else f"policy {terms.policy.value!r}"
    others = {person for seat in seats for person in seat}
    return Refused(f"{whose} needs {terms.needed} other people; {len(others)} may answer.")


def _people(group: Group, terms: Terms, directory: Directory) -> set[str] | None:
    """Return who a group may ever be; None where that is not known, as with a role."""
    more = () if terms.escalation is None else terms.escalation.approvers
    named = None if group.approvers is None else (*group.approvers, *more)
    if named is None or any(one.startswith("role:") for one in named):
        return None
    return {directory.person(one) for one in named}
