"""How many people it takes: votes are counted, each person once, by who may still vote."""

import asyncio

import pytest

from comal_runtime.consent import BadRoute, Verdict
from comal_runtime.consent.policies import Policy, unfit
from comal_runtime.consent.tally import Tally, tally
from comal_runtime.consent.terms import Terms
from comal_runtime.record import ActState, QuestionState
from comal_runtime.result import ErrorCode
from comal_runtime.testing import FakeClock

from ..stations.arranging import (
    Household,
    answered,
    by_ana,
    consent_to,
    newest_question,
    only_act,
    route,
    routes,
)
from .people import arranged

PEOPLE = {
    "telegram:1": "Ana",
    "telegram:2": "Bo",
    "web:bo": "Bo",
    "telegram:3": "Cy",
    "telegram:4": "Di",
}
APPROVERS = ("telegram:2", "telegram:3", "telegram:4")


class Asking:
    """Ana has asked for a call that needs several people."""

    def __init__(self, **policy: object) -> None:
        self.clock = FakeClock()
        self.people = Household(PEOPLE, {})
        under = routes(route(approvers=APPROVERS, **policy))
        self.registry, self.ran = arranged(self.clock, self.people, routes=under)

    async def __aenter__(self) -> "Asking":
        asked = await self.registry.call("wipe", {}, by_ana())
        assert asked.type == "pending"
        return self

    async def __aexit__(self, *fault: object) -> None:
        return None

    async def vote(self, who: str, *, yes: bool = True) -> Verdict:
        return await answered(self.registry, self.clock, by=who, yes=yes, directory=self.people)

    async def stands(self) -> tuple[QuestionState, Tally]:
        question = await newest_question(self.registry.record)
        async with self.registry.record.reading() as stored:
            votes = await stored.questions.votes(question.id)
        return question.state, tally(question, votes, self.people)


@pytest.mark.runtime_line(46)
@pytest.mark.original_fault("VF:resolve-dual-one-vote", "VF:resolve-quorum-one-vote")
@pytest.mark.parametrize(
    ("policy", "needed"),
    [({"policy": "dual"}, 2), ({"policy": "quorum", "k": 2}, 2), ({"policy": "quorum", "k": 3}, 3)],
)
async def test_so_many_people_as_the_policy_says_must_say_yes(
    policy: dict[str, object], needed: int
) -> None:
    async with Asking(**policy) as asking:
        verdicts = [await asking.vote(who) for who in APPROVERS[:needed]]

        assert verdicts == [Verdict.VOTED] * (needed - 1) + [Verdict.APPROVED]
        assert (await only_act(asking.registry)).state is ActState.APPROVED
        state, stands = await asking.stands()
        assert (state, stands.yes, stands.needed) == (QuestionState.APPROVED, needed, needed)


@pytest.mark.runtime_line(46)
@pytest.mark.parametrize("again", ["telegram:2", "web:bo"])
@pytest.mark.parametrize("yes", [True, False])
async def test_nobody_counts_twice_under_any_identity(again: str, yes: bool) -> None:
    async with Asking(policy="dual") as asking:
        await asking.vote("telegram:2")

        verdict = await asking.vote(again, yes=yes)

        state, stands = await asking.stands()
        assert verdict is Verdict.VOTED_BEFORE
        assert (state, stands.yes, stands.no) == (QuestionState.OPEN, 1, 0)


@pytest.mark.runtime_line(46)
async def test_two_who_turn_out_to_be_one_person_are_one() -> None:
    async with Asking(policy="dual") as asking:
        await asking.vote("telegram:2")
        asking.people.people["telegram:3"] = "Bo"

        verdict = await asking.vote("telegram:4")

        assert verdict is Verdict.APPROVED
        asking.people.people["telegram:4"] = "Bo"
        _, stands = await asking.stands()
        assert (stands.yes, stands.approved) == (1, False)


@pytest.mark.runtime_line(46)
async def test_a_vote_of_one_who_lost_the_right_does_not_count_at_the_next_vote() -> None:
    async with Asking(policy="dual") as asking:
        await asking.vote("telegram:2")
        asking.people.people["telegram:2"] = "Ana"

        verdict = await asking.vote("telegram:3")

        state, stands = await asking.stands()
        assert (verdict, state, stands.yes) == (Verdict.VOTED, QuestionState.OPEN, 1)


@pytest.mark.runtime_line(46)
async def test_one_no_ends_it_whoever_said_yes_before() -> None:
    async with Asking(policy="dual") as asking:
        await asking.vote("telegram:2")

        verdict = await asking.vote("telegram:3", yes=False)

        assert verdict is Verdict.REJECTED
        assert (await asking.stands())[0] is QuestionState.REJECTED


@pytest.mark.runtime_line(46)
async def test_a_reject_threshold_is_how_many_noes_end_it() -> None:
    async with Asking(policy="single", reject_threshold=2) as asking:
        first = await asking.vote("telegram:2", yes=False)
        second = await asking.vote("telegram:3", yes=False)

        assert (first, second) == (Verdict.VOTED, Verdict.REJECTED)


@pytest.mark.runtime_line(46)
async def test_one_yes_below_a_reject_threshold_still_grants() -> None:
    async with Asking(policy="single", reject_threshold=2) as asking:
        await asking.vote("telegram:2", yes=False)

        assert await asking.vote("telegram:3") is Verdict.APPROVED


@pytest.mark.runtime_line(46)
async def test_of_many_votes_at_once_exactly_one_decides() -> None:
    async with Asking(policy="quorum", k=3) as asking:
        voters = [*APPROVERS, "web:bo"] * 5

        verdicts = await asyncio.gather(*(asking.vote(who) for who in voters))

        assert verdicts.count(Verdict.APPROVED) == 1
        assert verdicts.count(Verdict.VOTED) == 2
        assert (await asking.stands())[1].yes == 3


@pytest.mark.runtime_line(46)
@pytest.mark.parametrize("lost", [None, "telegram:3"])
async def test_a_granted_call_runs_while_those_who_granted_it_are_still_enough(
    lost: str | None,
) -> None:
    async with Asking(policy="dual") as asking:
        for who in ("telegram:2", "telegram:3"):
            await asking.vote(who)
        if lost is not None:
            asking.people.people[lost] = "Bo"
        ctx = by_ana(consent=await consent_to(asking.registry))

        result = await asking.registry.call("wipe", {}, ctx)

        act = await only_act(asking.registry)
        assert (act.state is ActState.DONE) is (lost is None)
        assert (result.code == ErrorCode.FORBIDDEN) is (lost is not None)
        assert len(asking.ran.calls) == (0 if lost else 1)


async def test_a_vote_that_does_not_decide_is_followed_by_a_job_that_shows_it() -> None:
    async with Asking(policy="dual") as asking:
        question = await newest_question(asking.registry.record)

        await asking.vote("telegram:2")

        async with asking.registry.record.reading() as stored:
            jobs = await stored.jobs._sql.all("SELECT kind, key FROM jobs", {})
        assert [tuple(job) for job in jobs].count(("tell", question.id)) == 1


@pytest.mark.parametrize(
    ("policy", "field"),
    [
        ({"policy": "triple"}, "policy"),
        ({"policy": "quorum"}, "k"),
        ({"policy": "quorum", "k": 0}, "k"),
        ({"policy": "dual", "k": 2}, "k"),
        ({"policy": "auto"}, "rule"),
        ({"policy": "auto", "rule": ""}, "rule"),
        ({"policy": "single", "rule": "paid"}, "rule"),
        ({"policy": "single", "reject_threshold": 0}, "reject_threshold"),
        ({"policy": "single", "reject_threshold": float("nan")}, "reject_threshold"),
        ({"policy": "single", "reject_threshold": True}, "reject_threshold"),
        ({"policy": "quorum", "k": "3"}, "k"),
        ({"policy": "quorum", "k": 2.5}, "k"),
    ],
)
def test_a_policy_that_cannot_be_counted_is_refused_with_its_field(
    policy: dict[str, object], field: str
) -> None:
    given = {"k": None, "rule": None, "reject_threshold": 1, **policy}

    wrong = unfit(**given)

    assert wrong is not None
    assert wrong.field == field
    with pytest.raises(BadRoute, match=field):
        route(**policy)


def test_a_rule_decides_alone() -> None:
    with pytest.raises(BadRoute, match="approvers"):
        route(policy="auto", rule="paid")


@pytest.mark.parametrize(
    "terms",
    [
        Terms(),
        Terms(policy=Policy.QUORUM, k=3, reject_threshold=2, approvers=APPROVERS, name="r"),
        Terms(policy=Policy.AUTO, rule="paid", approvers=(), cards=("main:1",)),
    ],
)
def test_terms_are_read_as_they_were_kept(terms: Terms) -> None:
    assert Terms.read(terms.to_json()) == terms


def test_what_an_older_version_kept_is_one_persons_yes() -> None:
    old = '{"name": "r", "approvers": ["telegram:2"], "cards": [], "policy": "single"}'

    terms = Terms.read(old)

    assert (terms.needed, terms.reject_threshold, terms.approvers) == (1, 1, ("telegram:2",))
