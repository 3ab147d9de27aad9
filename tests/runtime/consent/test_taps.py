"""On a channel that confirms, an approver's tap is the consent; without one the call asks."""

import pytest

from comal_runtime.context import Consent, ToolContext
from comal_runtime.record import QuestionState
from comal_runtime.registry import ToolRegistry
from comal_runtime.result import ErrorCode
from comal_runtime.testing import FakeClock

from ..stations.arranging import (
    Ran,
    answered,
    by_ana,
    consent_to,
    newest_question,
)
from .people import arranged, consent_for, household, resolving


def bo_on_telegram(consent: Consent | None = None) -> ToolContext:
    return ToolContext(
        principal="telegram:2", channel="telegram", conversation="telegram:1", consent=consent
    )


class TestOnAChannelThatConfirms:
    """On Telegram a tap's Consent is the consent; without one the call asks."""

    @staticmethod
    async def pending() -> tuple[ToolRegistry, Ran, str]:
        registry, ran = arranged(FakeClock(), household())
        asked = await registry.call("wipe", {}, by_ana())
        return registry, ran, asked.data["request_id"]

    @pytest.mark.runtime_line(42)
    async def test_resolving_without_a_consent_asks_first(self) -> None:
        registry, _, request_id = await self.pending()

        args = resolving(request_id, principal="telegram:2")
        result = await registry.call("resolve_verification", args, bo_on_telegram())

        assert result.type == "confirmation"

    @pytest.mark.runtime_line(42)
    async def test_an_approvers_tap_is_the_consent_and_its_vote(self) -> None:
        registry, _, request_id = await self.pending()
        ctx = bo_on_telegram(consent_for(request_id, "telegram:2"))

        args = resolving(request_id, principal="telegram:2")
        first = await registry.call("resolve_verification", args, ctx)
        second = await registry.call("resolve_verification", args, ctx)

        async with registry.record.reading() as stored:
            votes = await stored.questions.votes(request_id)
        assert first.data["verdict"] == "approved"
        assert "decided already" in str(second.error)
        assert [(one.person, one.choice) for one in votes] == [("Bo", "yes")]

    @pytest.mark.parametrize(
        "consent",
        [
            consent_for("another", "telegram:2"),
            consent_for("{id}", "telegram:3"),
            consent_for("{id}", "telegram:2", decision="reject"),
        ],
        ids=["question", "principal", "decision"],
    )
    async def test_a_consent_to_something_else_decides_nothing(self, consent: Consent) -> None:
        registry, _, request_id = await self.pending()
        if consent.question_id == "{id}":
            decision = "grant" if consent.principal == "telegram:3" else "reject"
            consent = consent_for(request_id, consent.principal, decision)

        args = resolving(request_id, principal="telegram:2")
        result = await registry.call("resolve_verification", args, bo_on_telegram(consent))

        assert result.code == ErrorCode.FORBIDDEN
        assert (await newest_question(registry.record)).state is QuestionState.OPEN

    async def test_a_confirmed_request_opens_one_verification_however_often_it_is_redeemed(
        self,
    ) -> None:
        registry, _ = arranged(FakeClock(), household())
        asked = await registry.call("request_verification", {"subject": "x"}, by_ana())

        results = [
            await registry.call(
                "request_verification", {}, by_ana(), confirm_token=asked.confirm_token
            )
            for _ in range(2)
        ]

        async with registry.record.reading() as stored:
            every = await stored.questions.recent(state=None, limit=9)
        assert [one.success for one in results] == [True, False]
        assert [one.subject for one in every].count("x") == 1

    async def test_a_request_confirmed_by_a_tap_runs_with_its_consent(self) -> None:
        clock = FakeClock()
        registry, _ = arranged(clock, household())
        await registry.call("request_verification", {"subject": "x"}, by_ana())
        await answered(registry, clock, by="telegram:1")

        ctx = by_ana(consent=await consent_to(registry))
        result = await registry.call("request_verification", {}, ctx)

        assert result.type == "pending"
        assert result.data["subject"] == "x"
