"""Who may sit where: the people whom a question's terms ask, group by group."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from comal_runtime.consent import Group, Terms
from comal_runtime.consent.seats import fill, seats_of

from .people import PeopleDirectory


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A group and the people it asks, each under the directory's one name for them."""

    group: Group
    people: frozenset[str]


Stages = tuple[tuple[Asked, ...], ...]
"""The groups that must agree, stage by stage."""


def asked_by(terms: Terms, people: PeopleDirectory, *, escalated: bool = False) -> Stages:
    """Return whom terms ask; `escalated`, whom they ask after a while as well."""
    more: tuple[str, ...] = ()
    if escalated and terms.escalation is not None:
        more = terms.escalation.approvers
    return tuple(
        tuple(
            Asked(group=group, people=meant((*(group.approvers or ()), *more), people))
            for group in stage
        )
        for stage in terms.stages
    )


def meant(approvers: Sequence[str], people: PeopleDirectory) -> frozenset[str]:
    """Return the people that approvers are; a principal whom nobody knows is a person too."""
    found: set[str] = set()
    for one in approvers:
        kind, _, name = one.partition(":")
        if kind == "role":
            held = (one for one in people.known() if name in one.roles and one.identities)
            found.update(people.person(one.identities[0]) for one in held)
        else:
            found.add(people.person(one))
    return frozenset(found)


def without(stages: Stages, barred: Collection[str]) -> Stages:
    """Return the same groups without some people."""
    return tuple(
        tuple(replace(one, people=one.people - set(barred)) for one in stage) for stage in stages
    )


def everybody(stages: Stages) -> frozenset[str]:
    """Return all who are asked."""
    return frozenset(person for stage in stages for one in stage for person in one.people)


def are_enough(stages: Stages) -> bool:
    """Tell whether the people could fill every seat, nobody more than one."""
    return None not in fill(
        [seat for stage in stages for one in stage for seat in seats_of(one.group.k, one.people)]
    )


def sets(stages: Stages) -> Iterator[frozenset[str] | None]:
    """Yield each set of people whose yes is enough and none of whom could be left out.

    None stands for one more look that found nothing new, so that a reader can stop.
    """
    groups = sorted((one for stage in stages for one in stage), key=lambda one: len(one.people))
    seen: set[frozenset[str]] = set()

    def choose(at: int, taken: frozenset[str]) -> Iterator[frozenset[str] | None]:
        if at == len(groups):
            yield None if taken in seen else taken
            seen.add(taken)
            return
        found = False
        for some in combinations(sorted(groups[at].people - taken), groups[at].group.k):
            found = True
            yield from choose(at + 1, taken | set(some))
        if not found:
            yield None

    return choose(0, frozenset())
