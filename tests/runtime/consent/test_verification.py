"""Verification: other people's yes, and nobody else's."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from comal_runtime.consent import Strangers, Verdict
from comal_runtime.consent.question import digest_of
from comal_runtime.consent.verification import (
    HumanVerifier,
    VerificationOutcome,
    VerificationRequest,
    VerificationTool,
)
from comal_runtime.context import Consent, ToolContext
from comal_runtime.events import EventDispatcher
from comal_runtime.record import ActState, QuestionState, memory_record
from comal_runtime.registry import ToolRegistry
from comal_runtime.result import ErrorCode, ToolResult
from comal_runtime.testing import FakeClock

from ..stations.arranging import (
    Household,
    Ran,
    answered,
    by_ana,
    consent_to,
    decisions,
    made,
    newest_question,
    only_act,
    registry_with,
    route,
    routes,
    verifying,
)

PEOPLE = {"telegram:1": "Ana", "web:ana": "Ana", "telegram:2": "Bo", "web:bo": "Bo"}


def household() -> Household:
    return Household(PEOPLE, {"Bo": frozenset({"finance"})})


def arranged(clock: FakeClock, directory: Household, **wiring: Any) -> tuple[ToolRegistry, Ran]:
    ran = Ran()
    wiring.setdefault("routes", routes(route(approvers=("role:finance",))))
    registry = registry_with(made(ran, mutating=True), clock=clock, directory=directory, **wiring)
    verifying(registry, clock, directory)
    return registry, ran


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


def as_bo(**changes: Any) -> ToolContext:
    return ToolContext(principal="web:bo", channel="web", scopes=(), **changes)


def resolving(asked: str, **changes: object) -> Mapping[str, object]:
    return {"request_id": asked, "decision": "grant", "principal": "web:bo", **changes}


class TestTheTools:
    """Asking and answering through the registry."""

    @staticmethod
    async def requested(
        clock: FakeClock, **options: Any
    ) -> tuple[ToolRegistry, EventDispatcher, list[Any], str]:
        heard: list[Any] = []
        dispatcher = EventDispatcher()
        dispatcher.subscribe("verification.*", heard.append)
        registry = registry_with(clock=clock, directory=household())
        verifier = HumanVerifier(registry.record, clock, household(), dispatcher)
        VerificationTool(verifier, registry.record, **options).register(registry)
        web = ToolContext.web("web:ana", ())
        asked = await registry.call("request_verification", {"subject": "the invoice"}, web)
        assert asked.type == "pending"
        return registry, dispatcher, heard, asked.data["request_id"]

    async def test_a_subject_is_verified_in_two_calls_and_opens_no_act(self) -> None:
        registry, _, heard, request_id = await self.requested(FakeClock())

        result = await registry.call("resolve_verification", resolving(request_id), as_bo())

        assert result.success
        assert result.data["verdict"] == "approved"
        assert [event.name for event in heard] == [
            "verification.requested",
            "verification.granted",
        ]
        assert heard[1].get_request().subject == "the invoice"
        async with registry.record.reading() as stored:
            assert await stored.acts._sql.all("SELECT 1 FROM acts", {}) == []

    @pytest.mark.parametrize(
        ("changes", "code", "says"),
        [
            ({"request_id": "nowhere"}, ErrorCode.NOT_FOUND, "No such verification"),
            ({"subject": "another"}, ErrorCode.VALIDATION_ERROR, "another subject"),
            ({"principal": "web:ana"}, ErrorCode.FORBIDDEN, "somebody else"),
            ({"decision": "yes"}, ErrorCode.VALIDATION_ERROR, "grant"),
        ],
    )
    async def test_a_wrong_answer_says_what_is_wrong_and_decides_nothing(
        self, changes: dict[str, object], code: ErrorCode, says: str
    ) -> None:
        registry, _, heard, request_id = await self.requested(FakeClock())

        result = await registry.call(
            "resolve_verification", resolving(request_id, **changes), as_bo()
        )

        assert result.code == code
        assert says in str(result.error)
        assert (await newest_question(registry.record)).state is QuestionState.OPEN
        assert len(heard) == 1

    async def test_what_was_decided_stays_decided_and_says_so(self) -> None:
        registry, _, heard, request_id = await self.requested(FakeClock())
        no = resolving(request_id, decision="reject", reason="fishy")
        await registry.call("resolve_verification", no, as_bo())

        result = await registry.call("resolve_verification", resolving(request_id), as_bo())

        question = await newest_question(registry.record)
        assert "decided already" in str(result.error)
        assert (question.state, question.reason) == (QuestionState.REJECTED, "fishy")
        assert [event.name for event in heard][1:] == ["verification.rejected"]

    @pytest.mark.parametrize("swept", [False, True])
    async def test_what_has_expired_says_so(self, swept: bool) -> None:
        clock = FakeClock()
        registry, _, heard, request_id = await self.requested(clock)
        clock.advance(24 * 3600)
        if swept:
            await registry.sweep()

        result = await registry.call("resolve_verification", resolving(request_id), as_bo())

        assert result.code == ErrorCode.EXPIRED
        assert len(heard) == 1

    async def test_nobody_resolves_their_own_request_under_any_identity(self) -> None:
        registry, _, _, request_id = await self.requested(FakeClock())
        ctx = by_ana(consent=consent_for(request_id, "telegram:1"))

        result = await registry.call(
            "resolve_verification", resolving(request_id, principal="telegram:1"), ctx
        )

        assert result.code == ErrorCode.FORBIDDEN
        assert "yourself" in str(result.error)

    async def test_a_model_never_resolves(self) -> None:
        registry, _, _, request_id = await self.requested(FakeClock())

        result = await registry.call(
            "resolve_verification", resolving(request_id), as_bo(origin="model")
        )

        assert result.code == ErrorCode.FORBIDDEN
        assert (await newest_question(registry.record)).state is QuestionState.OPEN

    async def test_a_model_may_ask_and_is_not_told_the_id(self) -> None:
        registry, _, _, _ = await self.requested(FakeClock())
        ctx = as_bo(origin="model")

        result = await registry.call("request_verification", {"subject": "x"}, ctx)

        assert result.type == "pending"
        assert set(result.data) == {"subject", "policy"}

    async def test_resolve_scopes_restrict_resolving_and_not_asking(self) -> None:
        registry, _, _, request_id = await self.requested(
            FakeClock(), resolve_scopes=("verification:resolve",)
        )

        result = await registry.call("resolve_verification", resolving(request_id), as_bo())

        assert result.code == ErrorCode.FORBIDDEN
        assert "verification:resolve" in str(result.error)

    @pytest.mark.parametrize(
        ("args", "says"),
        [
            ({"subject": " "}, "subject"),
            ({"subject": "x", "requested_by": "telegram:9"}, "somebody else"),
            ({"subject": "x", "request_id": " "}, "request_id"),
            ({"subject": "x", "policy": "auto"}, "policy"),
        ],
    )
    async def test_a_request_that_claims_too_much_is_refused(
        self, args: dict[str, object], says: str
    ) -> None:
        registry, _, heard, _ = await self.requested(FakeClock())

        result = await registry.call("request_verification", args, as_bo())

        assert not result.success
        assert says in str(result.error)
        assert len(heard) == 1

    async def test_an_id_that_exists_is_taken(self) -> None:
        registry, _, _, request_id = await self.requested(FakeClock())

        result = await registry.call(
            "request_verification", {"subject": "x", "request_id": request_id}, as_bo()
        )

        assert "is taken" in str(result.error)


def consent_for(request_id: str, principal: str, decision: str = "grant") -> Consent:
    return Consent(
        question_id=request_id,
        tool="resolve_verification",
        args_digest=digest_of({"request_id": request_id, "decision": decision}),
        principal=principal,
    )


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

    async def test_resolving_without_a_consent_asks_first(self) -> None:
        registry, _, request_id = await self.pending()

        args = resolving(request_id, principal="telegram:2")
        result = await registry.call("resolve_verification", args, bo_on_telegram())

        assert result.type == "confirmation"

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


async def test_without_a_registry_the_same_round_trip_works() -> None:
    record, clock = memory_record(), FakeClock()
    verifier = HumanVerifier(record, clock, Strangers())
    tools = VerificationTool(verifier, record)
    asked = await tools.handle_request(ToolContext.cli(principal="ana"), "x")
    request = VerificationRequest.for_resolution(asked.data["request_id"])
    before = await verifier.verify(request)

    bo = ToolContext.cli(principal="bo")
    wrong = await tools.handle_resolve(bo, request.request_id, "maybe", "bo")
    right = await tools.handle_resolve(bo, request.request_id, "grant", "bo")

    after = await verifier.verify(request)
    assert before.outcome is VerificationOutcome.PENDING
    assert wrong.code == ErrorCode.VALIDATION_ERROR
    assert isinstance(right, ToolResult)
    assert right.success
    assert (after.outcome, after.principal) == (VerificationOutcome.PASSED, "bo")


async def test_a_policy_weaker_than_people_cannot_be_chosen_without_a_registry() -> None:
    record = memory_record()
    tools = VerificationTool(HumanVerifier(record, FakeClock(), Strangers()), record)

    result = await tools.handle_request(ToolContext.cli(principal="ana"), "x", policy="auto")

    assert result.code == ErrorCode.VALIDATION_ERROR
