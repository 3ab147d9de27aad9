"""Authorize, foretold: what the gate would say now, and by which rule."""

import pytest

from comal_runtime.context import ToolContext
from comal_runtime.inspection import InvocationPlan
from comal_runtime.policy import PolicyGate
from comal_runtime.rules import TableRule, TableRules

from .arranging import Ran, by_ana, in_code, made, registry_with

RULES = (
    TableRule(id="frozen", effect="deny", tools=("wipe",)),
    TableRule(id="open", effect="allow", tools=("send",)),
)


def plan_of(name: str, ctx: ToolContext, rules: tuple[TableRule, ...] = RULES) -> InvocationPlan:
    registry = registry_with(
        made(Ran(), name, scopes=("disk",) if name == "scoped" else ()),
        policy=PolicyGate(TableRules(rules)),
    )
    plan = registry.inspect(name, ctx)
    assert plan is not None
    return plan


@pytest.mark.runtime_line(50)
@pytest.mark.original_fault("IN:mcp-scoped-missing", "IN:mcp-anonymous")
@pytest.mark.parametrize(
    ("name", "ctx", "told"),
    [
        ("wipe", by_ana(), "Denied by policy rule #frozen for tool 'wipe'"),
        ("scoped", by_ana(), "Missing required scope for tool 'scoped'"),
        ("send", ToolContext(channel="mcp"), "channel 'mcp' requires an authenticated principal"),
    ],
)
def test_a_call_that_would_be_denied_ends_there_whether_or_not_there_are_rules(
    name: str, ctx: ToolContext, told: str
) -> None:
    plan = plan_of(name, ctx)

    assert plan.ends_at == "authorize"
    assert plan.steps[3].source.startswith(told)


def test_the_rule_that_lets_a_call_through_is_named() -> None:
    ruled, unruled = plan_of("send", in_code()), plan_of("notes", in_code())

    assert ruled.steps[3].source == "rules may decide; now: allowed by policy rule #open"
    assert unruled.steps[3].source == "rules may decide; now: allowed"
    assert ruled.steps[3].presence == "Conditional"


@pytest.mark.runtime_line(16)
async def test_a_channel_that_allows_all_blocks_nothing_and_still_wants_the_scope() -> None:
    gate = PolicyGate()
    gate.set_channel_policy("cli", allow_all=True, block_mutating=True)
    tools = (made(Ran(), mutating=True), made(Ran(), "scoped", scopes=("disk",)))
    registry = registry_with(*tools, policy=gate)

    changing = await registry.call("wipe", {}, in_code())
    scoped = await registry.call("scoped", {}, in_code())

    assert changing.success
    assert "Missing required scope" in str(scoped.error)
