"""What runs is what was shown: looked at when the call comes in, and again when it is claimed."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from comal_runtime.consent import Group, Routes
from comal_runtime.events import EventDispatcher, ToolExecuting
from comal_runtime.record import Act, ActState, Question, QuestionState
from comal_runtime.registry import ToolRegistry
from comal_runtime.result import ErrorCode
from comal_runtime.testing import FakeClock

from .arranging import (
    Household,
    Ran,
    act_at,
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
)

SCHEMA = {
    "type": "object",
    "properties": {"disk": {"type": "string"}, "n": {"type": "integer"}},
    "required": ["disk"],
}
REORDERED = {
    "required": ["disk"],
    "properties": {"n": {"type": "integer"}, "disk": {"type": "string"}},
    "type": "object",
}
WIDER = {**SCHEMA, "properties": {**SCHEMA["properties"], "bcc": {"type": "string"}}}  # type: ignore[dict-item]

Whisper = Callable[[Any], Awaitable[None]]


def swapped(registry: ToolRegistry, ran: Ran, schema: Any = SCHEMA, **options: Any) -> None:
    """Let another tool go by the name of the one that is there."""
    del registry._tools["wipe"]
    registry.add(made(ran, schema=schema, mutating=True, **options))


def listening(ran: Ran, **wiring: Any) -> tuple[ToolRegistry, list[Whisper]]:
    """Return a registry whose last listener does what the list says."""
    dispatcher, whispers = EventDispatcher(), list[Whisper]()

    async def listener(event: Any) -> None:
        for whisper in whispers:
            await whisper(event)

    dispatcher.subscribe(ToolExecuting.name, listener)
    tools = [made(ran, schema=SCHEMA, mutating=True)]
    return registry_with(*tools, dispatcher=dispatcher, **wiring), whispers


async def write(registry: ToolRegistry, query: str, **values: Any) -> None:
    async with registry.record.transaction() as tx:
        await tx.questions._sql.execute(query, values)


async def ended(registry: ToolRegistry) -> tuple[Question, Act]:
    question = await newest_question(registry.record)
    return question, await act_at(registry.record, question.id)


async def test_a_definition_that_changed_before_the_token_came_back_voids_the_call() -> None:
    """AP-16, at the registry."""
    ran = Ran()
    registry, _ = listening(ran)
    asked = await registry.call("wipe", {"disk": "a"}, by_ana())
    swapped(registry, ran, WIDER)

    result = await registry.call("wipe", {}, by_ana(), confirm_token=asked.confirm_token)

    question, act = await ended(registry)
    assert result.code == ErrorCode.FORBIDDEN
    assert "the definition of wipe changed after this was asked" in str(result.error)
    assert (question.state, act.state, ran.calls) == (QuestionState.APPROVED, ActState.VOID, [])
    assert "the definition of wipe changed" in str(act.reason)


async def test_the_same_schema_in_another_order_is_the_same_definition() -> None:
    """AP-16: a permutation of keys does not trigger."""
    ran = Ran()
    registry, _ = listening(ran)
    asked = await registry.call("wipe", {"disk": "a"}, by_ana())
    swapped(registry, ran, REORDERED)

    result = await registry.call("wipe", {}, by_ana(), confirm_token=asked.confirm_token)

    assert (result.success, ran.calls) == (True, [{"disk": "a"}])


@pytest.mark.failure_mode(11)
@pytest.mark.parametrize("changes", [{"version": "2"}, {"schema": WIDER}])
async def test_a_tool_that_is_swapped_after_its_approval_does_not_run(
    changes: dict[str, Any],
) -> None:
    clock, ran = FakeClock(), Ran()
    registry, _ = listening(ran, clock=clock)
    await registry.call("wipe", {"disk": "a"}, by_ana())
    await answered(registry, clock, by="telegram:1")
    consent = await consent_to(registry)
    swapped(registry, ran, **changes)

    result = await registry.call("wipe", {}, by_ana(consent=consent))

    assert (result.code, ran.calls) == (ErrorCode.FORBIDDEN, [])
    assert (await only_act(registry)).state is ActState.VOID


@pytest.mark.failure_mode(11)
@pytest.mark.parametrize("same_definition", [True, False])
async def test_a_listener_that_swaps_the_tool_at_the_last_moment_runs_neither(
    same_definition: bool,
) -> None:
    clock, ran, evil = FakeClock(), Ran(), Ran()
    registry, whispers = listening(ran, clock=clock)

    async def swap(event: Any) -> None:
        swapped(registry, evil, SCHEMA if same_definition else WIDER)

    whispers.append(swap)
    asked = await registry.call("wipe", {"disk": "a"}, by_ana())

    result = await registry.call("wipe", {}, by_ana(), confirm_token=asked.confirm_token)

    assert (result.code, ran.calls, evil.calls) == (ErrorCode.FORBIDDEN, [], [])
    assert (await only_act(registry)).state is ActState.VOID
    assert (await decisions(registry))[-1] == "not_as_shown"


@pytest.mark.failure_mode(8)
@pytest.mark.parametrize(
    ("query", "values"),
    [
        ("UPDATE questions SET args = :v", {"v": '{"disk":"all"}'}),
        ("UPDATE questions SET conversation = :v", {"v": "elsewhere"}),
        ("UPDATE questions SET principal = :v", {"v": "telegram:9"}),
        ("UPDATE questions SET digest = NULL", {}),
        ("UPDATE questions SET preview = :v", {"v": '{"effect":1}'}),
        ("UPDATE questions SET state = 'cancelled'", {}),
        ("UPDATE acts SET args = :v, args_digest = :v", {"v": '{"disk":"all"}'}),
        ("UPDATE acts SET tool = :v", {"v": "other"}),
        ("UPDATE acts SET principal = :v", {"v": "telegram:9"}),
        ("UPDATE acts SET idempotency_key = :v", {"v": "another key"}),
        ("DELETE FROM votes", {}),
        ("UPDATE votes SET choice = 'no'", {}),
    ],
)
async def test_rows_that_change_after_the_last_gate_void_the_act_with_the_reason(
    query: str, values: dict[str, Any]
) -> None:
    clock, ran = FakeClock(), Ran()
    registry, whispers = listening(ran, clock=clock)
    await registry.call("wipe", {"disk": "a"}, by_ana())
    await answered(registry, clock, by="telegram:1")
    consent = await consent_to(registry)

    async def rewrite(event: Any) -> None:
        await write(registry, query, **values)

    whispers.append(rewrite)

    result = await registry.call("wipe", {}, by_ana(consent=consent))

    act = await only_act(registry)
    assert (result.code, ran.calls) == (ErrorCode.FORBIDDEN, [])
    assert (act.state, act.reason) == (ActState.VOID, result.error)


async def test_a_context_that_a_listener_forges_voids_the_act() -> None:
    ran = Ran()
    registry, whispers = listening(ran)

    async def forge(event: Any) -> None:
        object.__setattr__(event.ctx, "principal", "telegram:9")

    whispers.append(forge)
    asked = await registry.call("wipe", {"disk": "a"}, by_ana())

    result = await registry.call("wipe", {}, by_ana(), confirm_token=asked.confirm_token)

    assert (result.code, ran.calls) == (ErrorCode.FORBIDDEN, [])
    assert "called by somebody else" in str(result.error)


@pytest.mark.failure_mode(13)
@pytest.mark.parametrize(
    "now",
    [
        [],
        [route(approvers=("telegram:9",))],
        [route(policy="dual", approvers=("telegram:2", "telegram:3"))],
        [route(reject_threshold=2)],
    ],
    ids=["gone", "others", "more", "noes"],
)
async def test_what_was_approved_by_a_route_that_decides_otherwise_now_is_void(now: Any) -> None:
    clock, ran = FakeClock(), Ran()
    registry, _ = listening(ran, clock=clock, routes=routes())
    await registry.call("wipe", {"disk": "a"}, by_ana())
    await answered(registry, clock, by="telegram:2")
    consent = await consent_to(registry)
    object.__setattr__(registry._deps, "routes", Routes(now))

    result = await registry.call("wipe", {}, by_ana(consent=consent))

    assert (result.code, ran.calls) == (ErrorCode.FORBIDDEN, [])
    assert (await only_act(registry)).state is ActState.VOID


@pytest.mark.failure_mode(13)
async def test_a_confirmed_call_that_needs_an_approval_by_now_is_void() -> None:
    ran = Ran()
    registry, _ = listening(ran)
    asked = await registry.call("wipe", {"disk": "a"}, by_ana())
    object.__setattr__(registry._deps, "routes", routes())

    result = await registry.call("wipe", {}, by_ana(), confirm_token=asked.confirm_token)

    assert "needs an approval by route 'owners' now" in str(result.error)
    assert ran.calls == []


STAGED = route(
    approvers=(),
    groups=(
        Group(name="desk", approvers=("role:desk",), k=2),
        Group(name="security", approvers=("role:security",), stage=2),
    ),
)


@pytest.mark.failure_mode(13)
@pytest.mark.parametrize("stripped", ["telegram:2", "telegram:3", "telegram:4"])
async def test_each_group_of_each_stage_is_counted_again_when_it_runs(stripped: str) -> None:
    clock, ran = FakeClock(), Ran()
    held = {f"telegram:{n}": frozenset({"desk"}) for n in (2, 3)}
    people = Household({}, {**held, "telegram:4": frozenset({"security"})})
    registry, whispers = listening(ran, clock=clock, routes=Routes([STAGED]), directory=people)
    await registry.call("wipe", {"disk": "a"}, by_ana())
    for voter in ("telegram:2", "telegram:3", "telegram:4"):
        await answered(registry, clock, by=voter, directory=people)
    consent = await consent_to(registry)

    async def strip(event: Any) -> None:
        people.held[stripped] = frozenset()

    whispers.append(strip)
    result = await registry.call("wipe", {}, by_ana(consent=consent))

    assert "may not approve it any more" in str(result.error)
    assert (ran.calls, (await only_act(registry)).state) == ([], ActState.VOID)
