"""Which people together are enough."""

from itertools import combinations, islice

from hypothesis import given, settings
from hypothesis import strategies as st

from comal_bot.approvers import are_enough, asked_by, everybody, sets, without
from comal_bot.people import PeopleDirectory, Person
from comal_runtime.consent import Escalation, Group, Terms

PEOPLE = PeopleDirectory(
    [
        Person(name="Ana", identities=("telegram:1", "os:ana"), roles=frozenset({"owner"})),
        Person(name="Bo", identities=("telegram:2",), roles=frozenset({"finance"})),
        Person(name="Cy", identities=("telegram:3",), roles=frozenset({"finance", "owner"})),
        Person(name="Di", identities=("telegram:4",)),
    ],
    {},
)
ANYBODY = st.sampled_from(
    ["role:owner", "role:finance", "telegram:1", "os:ana", "telegram:4", "a:9"]
)
GROUPS = st.builds(
    lambda approvers, k, stage: Group(approvers=tuple(approvers), k=k, stage=stage),
    st.lists(ANYBODY, min_size=1, max_size=3),
    st.integers(1, 2),
    st.integers(1, 2),
)


def terms(*groups: Group, **more: object) -> Terms:
    return Terms(groups=groups, approvers=(), **more)


def found(of: Terms) -> list[frozenset[str]]:
    return [one for one in sets(asked_by(of, PEOPLE)) if one is not None]


def test_each_set_has_one_of_every_group() -> None:
    of = terms(Group(approvers=("role:finance",)), Group(approvers=("role:owner",), stage=2))

    assert sorted(map(sorted, found(of))) == [
        ["telegram:1", "telegram:2"],
        ["telegram:1", "telegram:3"],
        ["telegram:2", "telegram:3"],
    ]


@settings(max_examples=200, deadline=None)
@given(groups=st.lists(GROUPS, min_size=1, max_size=3))
def test_the_sets_are_all_that_are_enough_and_none_could_be_smaller(groups: list[Group]) -> None:
    stages = asked_by(terms(*groups), PEOPLE)
    seats = sum(one.k for one in groups)

    shown = [one for one in sets(stages) if one is not None]

    every = everybody(stages)
    wanted = {
        frozenset(some)
        for some in combinations(sorted(every), seats)
        if are_enough(without(stages, every - set(some)))
    }
    assert set(shown) == wanted
    assert len(shown) == len(wanted)
    assert are_enough(stages) is bool(wanted)


def test_more_sets_than_anybody_could_read_come_one_by_one() -> None:
    many = tuple(f"telegram:{number}" for number in range(60))
    of = terms(Group(approvers=many, k=30))

    first = [*islice(sets(asked_by(of, PEOPLE)), 5)]

    assert len({one for one in first if one is not None}) == 5


def test_whom_a_question_is_escalated_to_is_asked_after_that_only() -> None:
    late = Escalation(after=60.0, approvers=("telegram:4",))
    of = terms(Group(approvers=("telegram:2",)), escalation=late)

    assert everybody(asked_by(of, PEOPLE)) == {"telegram:2"}
    assert everybody(asked_by(of, PEOPLE, escalated=True)) == {"telegram:2", "telegram:4"}
