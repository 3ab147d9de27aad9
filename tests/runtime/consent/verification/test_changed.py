"""An answer to what is no more what was asked: it ends, counts for nobody, and listeners hear."""

from typing import Any

from comal_runtime.consent import Route, Routes, Verdict
from comal_runtime.consent.verification import (
    HumanVerifier,
    RuleVerifier,
    VerificationOutcome,
    VerificationTool,
    request_of,
)
from comal_runtime.events import EventDispatcher
from comal_runtime.record import QuestionState
from comal_runtime.registry import ToolRegistry
from comal_runtime.testing import FakeClock

from ...stations.arranging import newest_question, registry_with
from ..people import as_bo, household

AUTO = Routes([Route(name="r", tool="request_*", policy="auto", rule="paid")])


def arranged(
    routes: Routes | None = None, **rules: Any
) -> tuple[ToolRegistry, HumanVerifier, list[Any]]:
    clock, heard, dispatcher = FakeClock(), list[Any](), EventDispatcher()
    dispatcher.subscribe("verification.*", heard.append)
    registry = registry_with(clock=clock, directory=household(), dispatcher=dispatcher)
    human = HumanVerifier(
        registry.record,
        clock,
        household(),
        dispatcher,
        verifiers=rules,
        changed=registry.grounds.changed,
    )
    VerificationTool(human, registry.record, routes=routes or Routes()).register(registry)
    return registry, human, heard


async def rewritten(registry: ToolRegistry) -> str:
    """Change what the newest question asks behind everybody's back; its id."""
    async with registry.record.transaction() as tx:
        await tx.questions._sql.execute("UPDATE questions SET subject = :v", {"v": "the house"})
    return (await newest_question(registry.record)).id


async def test_listeners_hear_of_an_altered_question_as_of_one_that_ran_out() -> None:
    registry, human, heard = arranged()
    await registry.call("request_verification", {"subject": "the shed"}, as_bo())
    asked = await rewritten(registry)

    resolved = await human.grant(asked, "telegram:1")

    question = await newest_question(registry.record)
    assert (resolved.verdict, question.state) == (Verdict.CHANGED, QuestionState.SUPERSEDED)
    assert heard[-1].name == "verification.expired"
    assert heard[-1].result.outcome is VerificationOutcome.FAILED
    assert heard[-1].result.reason == "what is stored is not what was asked"


async def test_a_rule_grants_nothing_that_is_not_what_it_was_asked_about() -> None:
    holds = [False, True]
    rule = RuleVerifier("paid", lambda request: holds.pop(0))
    registry, human, _ = arranged(AUTO, paid=rule)
    await registry.call("request_verification", {"subject": "the shed"}, as_bo())
    await rewritten(registry)
    question = await newest_question(registry.record)

    result = await human.verify(request_of(question))

    assert result.outcome is VerificationOutcome.FAILED
    assert (await newest_question(registry.record)).state is QuestionState.SUPERSEDED
