"""Which policy a request gets: what its route demands, or a stronger one its caller asks for."""

from dataclasses import dataclass, replace

from ..policies import Policy, Terms
from ..route import Directory, Route


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
    if policy is None or policy == least.policy:
        return demanded if demanded is None else _satisfiable(demanded, requester, directory)
    if policy == Policy.AUTO:
        return Refused("policy 'auto' is a route's to say, never a caller's.")
    if policy == Policy.QUORUM:
        return Refused("policy 'quorum' needs a route that says how many people it takes.")
    if policy not in list(Policy):
        return Refused(f"policy {policy!r} is unknown; use single or dual.")
    wanted = replace(least, policy=Policy(policy), k=None, rule=None)
    if least.needed is None:
        return Refused(f"its route lets the rule {least.rule!r} decide; leave policy out.")
    if (wanted.needed or 0) < least.needed:
        people = f"{least.needed} {'person' if least.needed == 1 else 'people'}"
        return Refused(f"policy {policy!r} is weaker than its route, which demands {people}.")
    return _satisfiable(wanted, requester, directory)


def _satisfiable(terms: Terms, requester: str | None, directory: Directory) -> Terms | Refused:
    """Refuse terms that too few people could meet, as far as who they are is known."""
    if terms.needed is None or terms.approvers is None:
        return terms
    if any(approver.startswith("role:") for approver in terms.approvers):
        return terms
    people = {directory.person(approver) for approver in terms.approvers}
    people -= {directory.person(requester)} if requester is not None else set()
    if len(people) >= terms.needed:
        return terms
    return Refused(
        f"policy {terms.policy.value!r} needs {terms.needed} other people; "
        f"{len(people)} may answer."
    )
