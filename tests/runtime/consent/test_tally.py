"""Counting with groups and stages: each person once, in one group, stage after stage."""

from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from comal_runtime.consent import Answer, Escalation, Group, Terms, Verdict
from comal_runtime.consent.entitlement import Barred, barred
from comal_runtime.consent.question import subject_question
from comal_runtime.consent.seats import fill, seats_of
from comal_runtime.consent.tally import Tally, tally
from comal_runtime.consent.votes import answer
from comal_runtime.context import ToolContext
from comal_runtime.record import Question, QuestionState, Vote, memory_record

from ..stations.arranging import Household

ANA, BO, CY, DI = "telegram:1", "telegram:2", "telegram:3", "telegram:4"
EVERYBODY = (ANA, BO, CY, DI)
NOBODY = Household({}, {})


def asked(*groups: Group, by: str = "telegram:9", **terms: object) -> Question:
    under = Terms(groups=groups, approvers=(), **terms)
    ctx = ToolContext(principal=by)
    return subject_question("q", "the till", ctx, now=0.0, ttl=60.0, route=under.to_json())


def group(*approvers: str, k: int = 1, stage: int = 1, name: str = "") -> Group:
    return Group(approvers=approvers, k=k, stage=stage, name=name)


def said(person: str, choice: str = "yes") -> Vote:
    return Vote(question="q", person=person, identity=person, choice=choice, reason=None, at=0.0)


def counted(question: Question, *votes: Vote | str, people: Household = NOBODY) -> Tally:
    return tally(question, [said(one) if isinstance(one, str) else one for one in votes], people)


GROUPS = st.builds(
    group,
    st.sampled_from(EVERYBODY),
    st.sampled_from(EVERYBODY),
    k=st.integers(1, 2),
    stage=st.integers(1, 3),
)


def could_sit(seats: list[tuple[str, ...]], people: tuple[str, ...]) -> bool:
    """The model of a matching: try every order of people on these seats."""
    return any(
        all(person in seat for person, seat in zip(order, seats, strict=True))
        for order in permutations(people, len(seats))
    )


def modelled(groups: list[Group], people: tuple[str, ...]) -> int:
    """How many seats count: those of full stages, and the most of the one that is not."""
    before: list[tuple[str, ...]] = []
    for stage in sorted({one.stage for one in groups}):
        seats = [one.approvers or () for one in groups if one.stage == stage for _ in range(one.k)]
        if not could_sit(before + seats, people):
            ways: list[list[Any]] = [[]]
            for seat in seats:
                ways += [[*way, seat] for way in ways]
            return len(before) + max(len(way) for way in ways if could_sit(before + way, people))
        before += seats
    return len(before)


@pytest.mark.runtime_line(46)
@settings(max_examples=300, deadline=None)
@given(
    groups=st.lists(GROUPS, min_size=1, max_size=3),
    people=st.lists(st.sampled_from(EVERYBODY), unique=True),
)
def test_votes_count_as_in_a_model_that_tries_every_order(
    groups: list[Group], people: list[str]
) -> None:
    stands = counted(asked(*groups), *people)

    needed = sum(one.k for one in groups)
    assert (stands.yes, stands.needed) == (modelled(groups, tuple(people)), needed)
    assert stands.approved is (stands.yes == needed)
    missing = sum(one.k - has for one, has in stands.open_groups)
    assert missing == sum(one.k for one in stands.begun) - stands.yes


@given(
    seats=st.lists(st.frozensets(st.sampled_from("abcd"), max_size=3), max_size=5),
)
def test_as_many_seats_are_taken_as_can_be_and_nobody_takes_two(seats: list[frozenset]) -> None:
    taken = fill(seats)

    sitting = [one for one in taken if one is not None]
    assert len(set(sitting)) == len(sitting)
    assert all(who in seat for who, seat in zip(taken, seats, strict=True) if who is not None)
    ways: list[list[Any]] = [[]]
    for seat in seats:
        ways += [[*way, seat] for way in ways]
    assert len(sitting) == max(len(way) for way in ways if could_sit(way, tuple("abcd")))


def test_a_group_that_is_far_too_small_needs_no_more_seats_than_show_it() -> None:
    assert len(seats_of(10**9, {"a", "b"})) == 3


def test_one_who_belongs_to_two_groups_counts_in_one() -> None:
    question = asked(group(ANA, BO, name="money"), group(ANA, name="guards"))

    assert counted(question, ANA).yes == 1
    assert not counted(question, ANA).approved
    assert counted(question, ANA, BO).approved


def test_who_sits_where_does_not_hang_on_the_order_of_their_votes() -> None:
    question = asked(group(ANA, BO), group(ANA, stage=2))

    assert counted(question, ANA, BO).approved
    assert counted(question, BO, ANA).approved


def test_a_later_stage_begins_once_the_one_before_is_full() -> None:
    first, second = group(ANA, BO, k=2, name="money"), group(CY, stage=2, name="guards")
    question = asked(first, second)

    before, after = counted(question, ANA, CY), counted(question, ANA, BO)

    assert (before.yes, before.at_hand, before.open_groups) == (1, (first,), ((first, 1),))
    assert (after.yes, after.at_hand, after.begun) == (2, (second,), (first, second))


def test_groups_of_one_stage_must_all_agree() -> None:
    question = asked(group(ANA), group(BO))

    assert [one.approvers for one, _ in counted(question, ANA).open_groups] == [(BO,)]
    assert counted(question, BO, ANA).approved


def test_one_who_turns_out_to_have_said_both_said_no() -> None:
    people = Household({ANA: "Ana", BO: "Ana"}, {})
    question = asked(group(ANA, BO, CY), reject_threshold=2)

    stands = counted(question, ANA, said(BO, "no"), people=people)

    assert (stands.yes, stands.no) == (0, 1)


@pytest.mark.parametrize(("noes", "expected"), [((ANA,), False), ((ANA, BO), True)])
def test_so_many_people_as_the_threshold_says_end_it_over_all_groups(
    noes: tuple[str, ...], expected: bool
) -> None:
    question = asked(group(ANA), group(BO), reject_threshold=2)

    assert counted(question, *(said(one, "no") for one in noes)).rejected is expected


@pytest.mark.failure_mode(15)
def test_a_question_that_nobody_answers_is_never_approved_however_late() -> None:
    late = Escalation(after=1.0, approvers=(CY,))
    waiting = asked(group(ANA), escalation=late)

    assert not counted(waiting).approved
    assert not counted(escalated(waiting)).approved


def escalated(question: Question) -> Question:
    return replace(question, escalated_at=30.0)


def test_those_asked_later_count_once_they_are_asked_and_not_before() -> None:
    question = asked(group(ANA), escalation=Escalation(after=1.0, approvers=(CY,)))

    assert barred(question, CY, NOBODY, 40.0) is Barred.NOT_ENTITLED
    assert not counted(question, CY).approved
    assert barred(escalated(question), CY, NOBODY, 40.0) is None
    assert counted(escalated(question), CY).approved


def test_nobody_stands_in_for_the_requester_who_must_agree() -> None:
    late = Escalation(after=1.0, approvers=(CY, DI))
    question = escalated(asked(group(ANA), by=BO, escalation=late, requester_agrees=True))

    assert not counted(question, ANA, CY, DI).approved
    assert not counted(question, BO).approved
    assert counted(question, ANA, BO).approved


async def test_who_is_asked_later_is_told_so_and_who_was_asked_may_still_say_no() -> None:
    question = asked(group(ANA, BO), group(CY, stage=2), reject_threshold=1)
    record = memory_record()
    async with record.transaction() as tx:
        await tx.questions.open(question)

        async def answered(who: str, *, yes: bool) -> Verdict:
            verdict, _ = await answer(tx, "q", Answer(voter=who, yes=yes, at=1.0), NOBODY)
            return verdict

        assert await answered(CY, yes=True) is Verdict.NOT_YET
        assert await answered(CY, yes=False) is Verdict.NOT_YET
        assert await answered(ANA, yes=True) is Verdict.VOTED
        assert await answered(BO, yes=False) is Verdict.REJECTED
        ended = await tx.questions.get("q")
    await record.aclose()
    assert ended is not None
    assert ended.state is QuestionState.REJECTED


async def test_whoever_belongs_to_two_stages_does_not_lock_the_question() -> None:
    question = asked(group(ANA, BO), group(ANA, stage=2))
    record = memory_record()
    async with record.transaction() as tx:
        await tx.questions.open(question)

        first, _ = await answer(tx, "q", Answer(voter=ANA, yes=True, at=1.0), NOBODY)
        second, _ = await answer(tx, "q", Answer(voter=BO, yes=True, at=2.0), NOBODY)
    await record.aclose()

    assert (first, second) == (Verdict.VOTED, Verdict.APPROVED)


@pytest.mark.failure_mode(3)
@pytest.mark.parametrize("who", ["telegram:77", "role:finance", "", " ", "requester"])
def test_somebody_whom_no_group_names_may_not_answer(who: str) -> None:
    question = asked(group(ANA, "role:finance"), group(CY, stage=2))

    assert barred(question, who, NOBODY, 1.0) is Barred.NOT_ENTITLED
    assert counted(question, who, CY).yes == 0


@pytest.mark.failure_mode(3)
def test_a_list_of_approvers_that_is_empty_means_nobody_and_not_everybody() -> None:
    unnamed, in_a_group = asked(), asked(group())

    for question in (unnamed, in_a_group):
        assert barred(question, ANA, NOBODY, 1.0) is Barred.NOT_ENTITLED
        assert not counted(question, ANA, BO).approved


def test_cards_hang_where_their_groups_say_else_where_the_route_does_each_once() -> None:
    own = Group(approvers=(ANA,), cards=("main:-1", "main:-2"))
    plain, other = group(BO), Group(approvers=(CY,), cards=("main:-2",))
    terms = Terms(groups=(own, plain, other), cards=("main:-9",))

    assert terms.cards_of(terms.groups) == ("main:-1", "main:-2", "main:-9")
    assert terms.cards_of((plain,)) == ("main:-9",)
