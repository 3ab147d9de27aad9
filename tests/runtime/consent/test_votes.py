"""Other people's yes decides about a routed call, and nobody else's."""

import asyncio

import pytest

from comal_runtime.consent import Verdict
from comal_runtime.record import ActState, QuestionState
from comal_runtime.result import ErrorCode
from comal_runtime.testing import FakeClock

from ..stations.arranging import (
    Ran,
    answered,
    by_ana,
    consent_to,
    decisions,
    made,
    newest_question,
    only_act,
    registry_with,
)
from .people import arranged, household


class TestARoutedCall:
    """A call that falls under a route."""

    async def test_waits_for_the_approvers_and_asks_the_requester_nothing(self) -> None:
        registry, ran = arranged(FakeClock(), household())

        result = await registry.call("wipe", {}, by_ana())

        assert result.type == "pending"
        assert result.confirm_token is None
        assert ran.calls == []
        assert await decisions(registry) == ["asked_pending"]

    async def test_runs_as_the_requester_after_an_approvers_yes(self) -> None:
        clock, people = FakeClock(), household()
        registry, ran = arranged(clock, people)
        await registry.call("wipe", {}, by_ana())

        verdict = await answered(registry, clock, by="telegram:2", directory=people)
        result = await registry.call("wipe", {}, by_ana(consent=await consent_to(registry)))

        act = await only_act(registry)
        assert verdict is Verdict.APPROVED
        assert (result.data, result.meta["principal"]) == ("done", "telegram:1")
        assert (act.state, act.principal) == (ActState.DONE, "telegram:1")
        assert len(ran.calls) == 1

    async def test_is_rejected_by_an_approvers_no(self) -> None:
        clock, people = FakeClock(), household()
        registry, ran = arranged(clock, people)
        await registry.call("wipe", {}, by_ana())

        verdict = await answered(registry, clock, by="telegram:2", yes=False, directory=people)
        result = await registry.call("wipe", {}, by_ana(consent=await consent_to(registry)))

        assert verdict is Verdict.REJECTED
        assert result.code == ErrorCode.FORBIDDEN
        assert ran.calls == []

    @pytest.mark.parametrize(
        ("voter", "verdict"),
        [
            ("telegram:1", Verdict.OWN_REQUEST),
            ("web:ana", Verdict.OWN_REQUEST),
            ("telegram:3", Verdict.NOT_ENTITLED),
        ],
    )
    async def test_is_not_decided_by_its_requester_or_a_bystander(
        self, voter: str, verdict: Verdict
    ) -> None:
        clock, people = FakeClock(), household()
        registry, _ = arranged(clock, people)
        await registry.call("wipe", {}, by_ana())

        assert await answered(registry, clock, by=voter, directory=people) is verdict

        question = await newest_question(registry.record)
        assert question.state is QuestionState.OPEN
        async with registry.record.reading() as stored:
            assert await stored.questions.votes(question.id) == []

    async def test_is_decided_once_whoever_answers_at_the_same_time(self) -> None:
        clock, people = FakeClock(), household()
        registry, _ = arranged(clock, people)
        await registry.call("wipe", {}, by_ana())
        voters = ["telegram:2", "web:bo"] * 10

        verdicts = await asyncio.gather(
            *(answered(registry, clock, by=voter, directory=people) for voter in voters)
        )

        assert verdicts.count(Verdict.APPROVED) == 1
        assert verdicts.count(Verdict.DECIDED_BEFORE) == 19
        async with registry.record.reading() as stored:
            assert (
                len(await stored.questions.votes((await newest_question(registry.record)).id)) == 1
            )

    @pytest.mark.parametrize("swept", [False, True])
    async def test_that_has_expired_is_not_decided_and_says_so(self, swept: bool) -> None:
        clock, people = FakeClock(), household()
        registry, _ = arranged(clock, people)
        await registry.call("wipe", {}, by_ana())
        clock.advance(24 * 3600)
        if swept:
            await registry.sweep()

        assert await answered(registry, clock, by="telegram:2", directory=people) is Verdict.EXPIRED

    @pytest.mark.parametrize("change", ["lost the role", "turned out to be the requester"])
    async def test_is_void_when_its_approver_may_not_approve_any_more(self, change: str) -> None:
        clock, people = FakeClock(), household()
        registry, ran = arranged(clock, people)
        await registry.call("wipe", {}, by_ana())
        await answered(registry, clock, by="telegram:2", directory=people)
        if change == "lost the role":
            people.held.clear()
        else:
            people.people["telegram:1"] = "Bo"

        result = await registry.call("wipe", {}, by_ana(consent=await consent_to(registry)))

        assert result.code == ErrorCode.FORBIDDEN
        assert (await only_act(registry)).state is ActState.VOID
        assert ran.calls == []

    async def test_by_a_model_gets_neither_id_nor_token(self) -> None:
        registry, _ = arranged(FakeClock(), household())

        result = await registry.call("wipe", {}, by_ana(origin="model"))

        assert set(result.data) == {"action_summary", "expires_at"}
        assert (await newest_question(registry.record)).id not in result.to_json()

    async def test_under_a_route_that_is_not_configured_is_refused(self) -> None:
        ran = Ran()
        registry = registry_with(made(ran, mutating=True, approval="owners"))

        result = await registry.call("wipe", {}, by_ana())

        assert result.code == ErrorCode.FORBIDDEN
        assert "owners" in str(result.error)
        assert ran.calls == []
