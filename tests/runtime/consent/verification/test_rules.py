"""Rules: what a program verifies by itself, for routes that say `auto`."""

import asyncio
from types import ModuleType
from typing import Any

import pytest

from comal_runtime.consent import Route, Routes
from comal_runtime.consent.verification import (
    HumanVerifier,
    RuleVerifier,
    VerificationOutcome,
    VerificationRequest,
    VerificationResult,
    VerificationTool,
    Verifier,
    ask_rule,
    evidence_rule,
    rules_of,
)
from comal_runtime.events import EventDispatcher
from comal_runtime.record import QuestionState
from comal_runtime.registry import ToolRegistry
from comal_runtime.testing import FakeClock

from ...stations.arranging import newest_question, registry_with
from ..people import as_bo, household, resolving

REQUEST = VerificationRequest(request_id="r", subject="the invoice")


class Auditor:
    """A service outside, which answers whatever a test says."""

    def __init__(self, outcome: VerificationOutcome) -> None:
        self.outcome = outcome
        self.asked: list[VerificationRequest] = []

    async def verify(self, request: VerificationRequest) -> VerificationResult:
        self.asked.append(request)
        return VerificationResult(outcome=self.outcome, verifier="auditor", reason="as it says")


async def paid(request: VerificationRequest) -> bool:
    return request.subject == "the invoice"


@pytest.mark.runtime_line(46, 47)
async def test_a_rule_that_returns_true_has_verified() -> None:
    result = await RuleVerifier("paid", paid).verify(REQUEST)

    assert (result.outcome, result.verifier) == (VerificationOutcome.PASSED, "paid")


@pytest.mark.runtime_line(46)
@pytest.mark.parametrize("said", [False, None, 1, "True", [True]])
async def test_a_rule_that_returns_anything_but_true_grants_nothing(said: Any) -> None:
    rules = {"paid": RuleVerifier("paid", lambda request: said)}

    assert not (await ask_rule(rules, "paid", REQUEST)).is_satisfied


@pytest.mark.runtime_line(46)
async def test_a_rule_that_raises_is_missing_or_gives_no_result_grants_nothing() -> None:
    def broken(request: VerificationRequest) -> bool:
        raise ConnectionError("the bank's password is 1234")

    class Silent:
        async def verify(self, request: VerificationRequest) -> Any:
            return True

    rules: dict[str, Verifier] = {"broken": RuleVerifier("broken", broken), "silent": Silent()}

    results = [await ask_rule(rules, name, REQUEST) for name in ("broken", "missing", "silent")]

    assert [one.outcome for one in results] == [VerificationOutcome.PENDING] * 3
    assert "1234" not in str(results)


def test_the_rules_of_a_module_are_those_it_marks() -> None:
    module = ModuleType("my_tools")
    module.paid = evidence_rule("paid")(paid)  # type: ignore[attr-defined]  # a made-up module
    module.other = len  # type: ignore[attr-defined]

    assert list(rules_of(module)) == ["paid"]
    assert list(rules_of(module.paid)) == ["paid"]


def test_the_rules_of_an_object_are_its_marked_methods_and_no_property_is_read() -> None:
    class Bank:
        @property
        def balance(self) -> int:
            raise ConnectionError("the bank is closed")

        @evidence_rule("paid")
        def is_paid(self, request: VerificationRequest) -> bool:
            return True

        @staticmethod
        @evidence_rule("open")
        def is_open(request: VerificationRequest) -> bool:
            return True

    assert sorted(rules_of(Bank())) == ["open", "paid"]


class TestARequestUnderAnAutoRoute:
    """Nobody is asked; the rule decides when the request is opened, or when it is looked at."""

    @staticmethod
    def arranged(verifier: Verifier) -> tuple[ToolRegistry, HumanVerifier, list[str]]:
        clock, heard, dispatcher = FakeClock(), [], EventDispatcher()
        dispatcher.subscribe("verification.*", lambda event: heard.append(event.name))
        registry = registry_with(clock=clock, directory=household(), dispatcher=dispatcher)
        human = HumanVerifier(
            registry.record, clock, household(), dispatcher, verifiers={"paid": verifier}
        )
        under = Routes([Route(name="r", tool="request_*", policy="auto", rule="paid")])
        VerificationTool(human, registry.record, routes=under).register(registry)
        return registry, human, heard

    @pytest.mark.original_fault("VF:request-policy-auto")
    @pytest.mark.parametrize("outcome", [VerificationOutcome.PASSED, VerificationOutcome.WAIVED])
    async def test_is_granted_at_once_by_a_rule_that_holds(
        self, outcome: VerificationOutcome
    ) -> None:
        auditor = Auditor(outcome)
        registry, _, heard = self.arranged(auditor)

        result = await registry.call("request_verification", {"subject": "x"}, as_bo())

        question = await newest_question(registry.record)
        assert (result.type, result.data["policy"]) == ("generic", "auto")
        assert (question.state, question.decided_by) == (QuestionState.APPROVED, "rule:paid")
        assert heard == ["verification.requested", "verification.granted"]
        assert auditor.asked[0].subject == "x"

    async def test_is_rejected_by_a_verifier_that_says_so(self) -> None:
        registry, _, heard = self.arranged(Auditor(VerificationOutcome.FAILED))

        result = await registry.call("request_verification", {"subject": "x"}, as_bo())

        assert result.meta["verification_status"] == "failed"
        assert (await newest_question(registry.record)).state is QuestionState.REJECTED
        assert heard[-1] == "verification.rejected"

    async def test_waits_for_a_rule_that_does_not_hold_yet_and_asks_nobody(self) -> None:
        auditor = Auditor(VerificationOutcome.PENDING)
        registry, human, heard = self.arranged(auditor)
        asked = await registry.call("request_verification", {"subject": "x"}, as_bo())
        request = VerificationRequest.for_resolution(asked.data["request_id"])
        before = await human.verify(request)
        auditor.outcome = VerificationOutcome.PASSED

        after = await human.verify(request)

        async with registry.record.reading() as stored:
            shown = await stored.jobs._sql.all(
                "SELECT 1 FROM jobs WHERE kind = 'show_question'", {}
            )
        assert asked.type == "pending"
        assert (before.outcome, after.outcome) == (
            VerificationOutcome.PENDING,
            VerificationOutcome.PASSED,
        )
        assert shown == []
        assert heard == ["verification.requested", "verification.granted"]

    @pytest.mark.runtime_line(46)
    async def test_is_never_granted_by_a_person(self) -> None:
        registry, _, _ = self.arranged(Auditor(VerificationOutcome.PENDING))
        asked = await registry.call("request_verification", {"subject": "x"}, as_bo())
        args = resolving(asked.data["request_id"], principal="telegram:9")
        stranger = as_bo().__class__(principal="telegram:9", channel="web")

        result = await registry.call("resolve_verification", args, stranger)

        assert not result.success
        assert (await newest_question(registry.record)).state is QuestionState.OPEN


class Ending(BaseException):
    """What no `except Exception` catches."""


@pytest.mark.runtime_line(46)
@pytest.mark.parametrize("fault", [SystemExit, asyncio.CancelledError, Ending])
async def test_a_rule_that_would_end_its_host_grants_nothing_and_ends_nothing(
    fault: type[BaseException],
) -> None:
    class Ends:
        async def verify(self, request: VerificationRequest) -> VerificationResult:
            raise fault

    request = VerificationRequest(request_id="r", subject="s")

    said = await ask_rule({"ends": Ends()}, "ends", request)

    assert (said.outcome, said.reason) == (VerificationOutcome.PENDING, "rule 'ends' failed")
