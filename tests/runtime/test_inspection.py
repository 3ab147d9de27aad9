"""Inspection: the same tuple that carries a call out explains it, and executes nothing."""

import json
from typing import Any

import pytest

from comal_runtime.consent import Group, Route
from comal_runtime.context import ToolContext
from comal_runtime.events import EventDispatcher
from comal_runtime.inspection import InvocationPlan
from comal_runtime.pipeline import STATIONS
from comal_runtime.rate_limit import GcraRateLimiter

from .stations.arranging import (
    Ran,
    by_ana,
    decisions,
    in_code,
    made,
    registry_with,
    route,
    routes,
)


def plan_of(
    ctx: ToolContext, wiring: dict[str, Any] | None = None, **options: Any
) -> InvocationPlan:
    registry = registry_with(made(Ran(), **options), **(wiring or {}))
    plan = registry.inspect("wipe", ctx)
    assert plan is not None
    return plan


def presence(plan: InvocationPlan, station: str) -> str:
    return next(step.presence.value for step in plan.steps if step.kind == station)


def source(plan: InvocationPlan, station: str) -> str:
    return next(step.source for step in plan.steps if step.kind == station)


@pytest.mark.runtime_line(48)
def test_a_plan_has_the_stations_of_the_law_in_their_order() -> None:
    plan = plan_of(in_code())

    assert [(step.kind, step.role) for step in plan.steps] == [
        (station.name, station.role) for station in STATIONS
    ]


@pytest.mark.runtime_line(48)
async def test_inspecting_runs_asks_and_records_nothing() -> None:
    ran = Ran()
    registry = registry_with(made(ran, mutating=True))

    registry.inspect("wipe", by_ana())

    async with registry.record.reading() as stored:
        assert await stored.questions.recent(state=None, limit=1) == []
    assert ran.calls == []
    assert await decisions(registry) == []


@pytest.mark.runtime_line(49, 50)
@pytest.mark.original_fault(
    "IN:cli-confirm", "IN:mcp-scoped-missing", "IN:custom-allow-all-scoped", "IN:mcp-anonymous"
)
@pytest.mark.parametrize(
    ("ctx", "options", "wiring", "ends_at"),
    [
        (in_code(), {}, {}, None),
        (in_code(), {"scopes": ("root",)}, {}, "authorize"),
        (ToolContext(channel="telegram"), {}, {}, "authorize"),
        (ToolContext(principal="x", channel="unheard of"), {"mutating": True}, {}, "authorize"),
        (in_code(mode="plan"), {"confirm": True}, {}, "plan_mode"),
        (in_code(), {"confirm": True}, {}, "confirm"),
        (by_ana(), {"mutating": True}, {}, "confirm"),
        (in_code(), {"approval": "owners"}, {}, "confirm"),
        (in_code(), {"mutating": True}, {"routes": routes()}, "confirm"),
        (in_code(), {}, {"routes": routes(route(when="size > 1"))}, None),
        (by_ana(), {"mutating": True}, {"routes": routes(route(when="size > 1"))}, "confirm"),
        (in_code(), {}, {"routes": routes(route(tool="send_*"))}, None),
    ],
)
async def test_a_plan_says_where_the_call_would_certainly_end(
    ctx: ToolContext, options: dict[str, Any], wiring: dict[str, Any], ends_at: str | None
) -> None:
    plan = plan_of(ctx, wiring, **options)

    assert plan.ends_at == ends_at
    assert (presence(plan, "execute") == "Skipped") is (ends_at is not None)
    assert presence(plan, "audit") == "Active"


@pytest.mark.parametrize(
    ("given", "options", "said"),
    [
        ((route(),), {}, "route 'owners': approved by telegram:2"),
        (
            (
                route(
                    approvers=(),
                    groups=(
                        Group(approvers=("role:a", "a:1"), k=2),
                        Group(approvers=("a:2",)),
                        Group(approvers=("a:3",), stage=2),
                    ),
                ),
            ),
            {},
            "route 'owners': approved by 2 people of role:a or a:1 and a:2, then a:3",
        ),
        (
            (route(when="size > 1"), route(name="rest", approvers=("role:a", "role:b"))),
            {},
            "route 'owners' when size > 1: approved by telegram:2; "
            "else route 'rest': approved by role:a or role:b",
        ),
        (
            (route(name="wipe when size > 1", when="size > 1"),),
            {"mutating": True},
            "route 'wipe' when size > 1: approved by telegram:2; else the requester confirms",
        ),
        (
            (route(tool="send_*"),),
            {"approval": "owners"},
            "route 'owners', which the tool names: approved by telegram:2",
        ),
        (
            (route(),),
            {"approval": "bosses"},
            "route 'owners': approved by telegram:2",
        ),
        (
            (route(tool="send_*"),),
            {"approval": "bosses"},
            "refused: the tool needs route 'bosses', which is not configured",
        ),
        (
            (route(tool="send_*"),),
            {"mutating": True},
            "the requester confirms; no route is about this tool, so nobody but the requester "
            "is asked",
        ),
        ((route(tool="send_*"),), {}, "no route, nor the tool, nor the channel asks"),
    ],
)
def test_a_plan_names_who_would_be_asked(
    given: tuple[Route, ...], options: dict[str, Any], said: str
) -> None:
    plan = plan_of(by_ana(), {"routes": routes(*given)}, **options)

    assert source(plan, "confirm") == said


@pytest.mark.runtime_line(49)
def test_what_is_not_wired_is_dormant() -> None:
    bare = plan_of(in_code())
    full = plan_of(in_code(), {"limiter": GcraRateLimiter(1, 1), "dispatcher": EventDispatcher()})

    assert [presence(bare, one) for one in ("rate_limit", "emit_executing")] == ["Dormant"] * 2
    assert presence(full, "rate_limit") == "Active"
    assert presence(full, "emit_executing") == "Conditional"


@pytest.mark.runtime_line(49)
def test_without_an_actor_the_principal_is_nobody() -> None:
    told = plan_of(ToolContext(channel="web")).to_dict()

    assert told["context"]["principal"] is None
    assert told["endsAt"] == "authorize"


@pytest.mark.runtime_line(48, 50)
def test_a_plan_as_json_has_its_keys_and_says_what_the_audit_covers() -> None:
    told = json.loads(json.dumps(plan_of(in_code()).to_dict()))

    assert list(told) == [
        "schemaVersion",
        "operation",
        "channel",
        "context",
        "assumptions",
        "wiring",
        "endsAt",
        "steps",
    ]
    assert set(told["steps"][0]) == {
        "kind",
        "role",
        "presence",
        "blocking",
        "mutates",
        "wraps",
        "source",
    }
    assert "cancelled" in told["steps"][-1]["source"]


@pytest.mark.runtime_line(48)
@pytest.mark.parametrize(
    ("options", "blocking"),
    [({}, False), ({"confirm": True}, True), ({"approval": "owners"}, True)],
)
async def test_confirm_blocks_where_it_asks_and_guards_block_always(
    options: dict[str, Any], blocking: bool
) -> None:
    steps = {step.kind: step for step in plan_of(in_code(), **options).steps}

    assert steps["confirm"].blocking is blocking
    assert all(steps[name].blocking for name in ("resolve", "validate", "authorize", "rate_limit"))
    assert not any(steps[name].blocking for name in ("clamp", "contain_exception", "audit"))


@pytest.mark.runtime_line(48)
@pytest.mark.parametrize("mutating", [True, False])
async def test_only_a_mutating_tool_mutates_and_only_where_it_executes(mutating: bool) -> None:
    steps = plan_of(in_code(), mutating=mutating).steps

    assert [step.kind for step in steps if step.mutates] == (["execute"] if mutating else [])
    assert {step.kind: step.wraps for step in steps if step.wraps} == {
        "contain_exception": "execute"
    }


def test_an_unknown_tool_has_no_plan() -> None:
    assert registry_with().inspect("wipe", in_code()) is None
