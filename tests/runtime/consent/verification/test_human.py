"""People decide, listeners hear of it, and what is made again is found."""

import pytest

from comal_runtime.consent import Strangers, Verdict
from comal_runtime.consent.verification import (
    HumanVerifier,
    Opening,
    VerificationOutcome,
    VerificationRequest,
    VerificationTool,
)
from comal_runtime.context import ToolContext
from comal_runtime.record import QuestionState, memory_record
from comal_runtime.result import ErrorCode, ToolResult
from comal_runtime.testing import FakeClock

from ...stations.arranging import Ran, by_ana, key, made, newest_question, registry_with
from ..people import as_bo
from .arranging import questions, requested


class TestListenersThatFail:
    """The stored question and its card are what tells people; a listener is told besides."""

    @pytest.mark.original_fault("VF:request-listener-throws")
    async def test_leave_the_request_open_and_its_card_coming_and_are_named(self) -> None:
        registry, _, _ = await requested()
        dispatcher = registry.dispatcher
        assert dispatcher is not None

        @dispatcher.on("verification.requested")
        def notify_by_mail(event: object) -> None:
            raise ConnectionError("no mail")

        result = await registry.call("request_verification", {"subject": "x"}, as_bo())

        assert result.type == "pending"
        assert "notify_by_mail" in str(result.message)
        assert len(result.meta["listeners_failed"]) == 1
        assert "no mail" not in result.to_json()
        async with registry.record.reading() as stored:
            jobs = await stored.jobs._sql.all("SELECT kind, key FROM jobs", {})
        assert ("show_question", result.data["request_id"]) in [tuple(job) for job in jobs]

    @pytest.mark.runtime_line(47)
    @pytest.mark.original_fault("VF:request-no-dispatcher")
    async def test_are_not_needed_at_all(self) -> None:
        record = memory_record(hosted=True)
        tools = VerificationTool(HumanVerifier(record, FakeClock(), Strangers()), record)

        result = await tools.handle_request(ToolContext.cli(principal="ana"), "x")

        assert result.type == "pending"
        assert "listeners_failed" not in result.meta
        async with record.reading() as stored:
            assert await stored.jobs.count() == 1


class TestATurnThatIsResumed:
    """A call that is made again finds what it asked."""

    async def test_opens_no_second_request(self) -> None:
        registry, heard, _ = await requested()
        ctx = as_bo(origin="model", call_key=key())

        results = [
            await registry.call("request_verification", {"subject": "x"}, ctx) for _ in range(2)
        ]

        assert [one.type for one in results] == ["pending", "pending"]
        assert [one.subject for one in await questions(registry)].count("x") == 1
        assert len(heard) == 2

    async def test_is_told_how_its_request_ended(self) -> None:
        registry, _, _ = await requested()
        ctx = as_bo(call_key=key())
        asked = await registry.call("request_verification", {"subject": "x"}, ctx)
        no = {"request_id": asked.data["request_id"], "decision": "reject"}
        ana = ToolContext.web("web:ana", ())
        await registry.call("resolve_verification", {**no, "principal": "web:ana"}, ana)

        again = await registry.call("request_verification", {"subject": "x"}, ctx)

        assert again.type == "generic"
        assert again.meta["verification_status"] == "failed"


@pytest.mark.runtime_line(46, 47)
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


@pytest.mark.runtime_line(45, 47)
async def test_without_a_registry_a_model_neither_resolves_nor_chooses_an_id() -> None:
    record = memory_record()
    tools = VerificationTool(HumanVerifier(record, FakeClock(), Strangers()), record)
    model = ToolContext(principal="bo", origin="model")

    asked = await tools.handle_request(model, "x", request_id="mine")
    resolved = await tools.handle_resolve(model, "mine", "grant", "bo")

    assert (asked.code, resolved.code) == (ErrorCode.FORBIDDEN, ErrorCode.FORBIDDEN)


@pytest.mark.runtime_line(46, 47)
@pytest.mark.parametrize("nobody", ["", " ", "\n"])
async def test_nobody_is_no_person_however_it_is_asked(nobody: str) -> None:
    record = memory_record()
    verifier = HumanVerifier(record, FakeClock(), Strangers())
    opened = await verifier.open(Opening(subject="x"), ToolContext.cli(principal="ana"))
    assert opened is not None

    resolved = await verifier.grant(opened.question.id, nobody)

    assert resolved.verdict is Verdict.NOT_ENTITLED
    assert resolved.result.outcome is VerificationOutcome.PENDING


async def test_a_confirmation_is_no_verification() -> None:
    registry = registry_with(made(Ran(), mutating=True))
    await registry.call("wipe", {}, by_ana())
    question = await newest_question(registry.record)
    verifier = HumanVerifier(registry.record, FakeClock(), Strangers())

    resolved = await verifier.grant(question.id, "telegram:1")

    assert resolved.verdict is Verdict.UNKNOWN
    assert (await newest_question(registry.record)).state is QuestionState.OPEN
