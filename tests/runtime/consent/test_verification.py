"""The verification tools: asking and answering, by whom it may be."""

from typing import Any

import pytest

from comal_runtime.consent import Strangers
from comal_runtime.consent.verification import (
    HumanVerifier,
    VerificationOutcome,
    VerificationRequest,
    VerificationTool,
)
from comal_runtime.context import ToolContext
from comal_runtime.events import EventDispatcher
from comal_runtime.record import QuestionState, memory_record
from comal_runtime.registry import ToolRegistry
from comal_runtime.result import ErrorCode, ToolResult
from comal_runtime.testing import FakeClock

from ..stations.arranging import (
    by_ana,
    newest_question,
    registry_with,
)
from .people import as_bo, consent_for, household, resolving


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
