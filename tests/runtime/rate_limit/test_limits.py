"""Which budgets a call is charged to."""

import pytest

from comal_runtime.context import ToolContext
from comal_runtime.rate_limit import DEFAULT_LIMIT, UNLIMITED, Charge, Limit, Limits, caller_of

from ..stations.arranging import Ran, by_ana, made

FEW = Limit(amount=5, per=3600)
SOME = Limit(amount=20, per=60)
ALL = Limit(amount=200, per=3600)


@pytest.mark.runtime_line(20)
def test_the_key_is_channel_principal_and_tool_and_a_change_costs_five() -> None:
    reading = Limits().charges(by_ana(), made(Ran(), "notes"))
    changing = Limits().charges(by_ana(), made(Ran(), mutating=True))

    assert reading == (Charge(key="telegram:telegram:1:notes", cost=1, limit=DEFAULT_LIMIT),)
    assert changing == (Charge(key="telegram:telegram:1:wipe", cost=5, limit=DEFAULT_LIMIT),)


@pytest.mark.runtime_line(20)
@pytest.mark.original_fault("RC:rate-limit-custom-denied")
@pytest.mark.parametrize(
    ("channel", "tool", "limit"),
    [
        ("web", "notes", DEFAULT_LIMIT),
        ("telegram", "notes", SOME),
        ("telegram", "refund_order", FEW),
        ("web", "refund_order", FEW),
        ("telegram", "refund_all", ALL),
    ],
)
def test_a_tools_limit_goes_before_a_channels_and_that_before_the_default(
    channel: str, tool: str, limit: Limit
) -> None:
    limits = Limits(channels={"telegram": SOME}, tools={"refund_all": ALL, "refund_*": FEW})

    assert limits.for_use(channel, tool) == limit


@pytest.mark.original_fault("RC:rate-limit-custom-denied")
def test_what_a_caller_spends_in_all_is_one_budget_over_tools_and_channels() -> None:
    limits = Limits(principal=ALL)
    tools = [made(Ran(), "notes"), made(Ran(), "wipe", mutating=True)]
    contexts = [by_ana(), ToolContext.web("telegram:1", ())]

    totals = {limits.charges(ctx, tool)[1].key for ctx in contexts for tool in tools}

    assert totals == {"*:telegram:1:*"}


@pytest.mark.parametrize(
    ("limits", "keys"),
    [
        (Limits(default=UNLIMITED), []),
        (Limits(default=UNLIMITED, principal=ALL), ["*:telegram:1:*"]),
        (Limits(default=UNLIMITED, tools={"wi*": FEW}), ["telegram:telegram:1:wipe"]),
    ],
)
def test_a_budget_without_a_limit_is_not_charged(limits: Limits, keys: list[str]) -> None:
    assert [one.key for one in limits.charges(by_ana(), made(Ran()))] == keys


@pytest.mark.original_fault("RC:rate-limit-key-anonymous")
@pytest.mark.parametrize("principal", [None, "", " \t"])
def test_strangers_have_a_budget_for_each_address_else_for_each_conversation(
    principal: str | None,
) -> None:
    contexts = [
        ToolContext(principal=principal, channel="web", ip="10.0.0.1", conversation="c1"),
        ToolContext(principal=principal, channel="web", ip="10.0.0.1", conversation="c2"),
        ToolContext(principal=principal, channel="web", ip="10.0.0.2"),
        ToolContext(principal=principal, channel="telegram", conversation="c3"),
        ToolContext(principal=principal, channel="cli"),
    ]

    assert [caller_of(ctx) for ctx in contexts] == [
        "anonymous@10.0.0.1",
        "anonymous@10.0.0.1",
        "anonymous@10.0.0.2",
        "anonymous@c3",
        "anonymous@cli",
    ]


def test_a_callers_name_cannot_break_the_line_that_tells_the_key() -> None:
    ctx = ToolContext(principal="eve\nallowed: yes", channel="we\nb")

    [charge] = Limits().charges(ctx, made(Ran()))

    assert charge.key.splitlines() == [charge.key]


def test_the_limits_cannot_be_changed_behind_the_registrys_back() -> None:
    given = {"wipe": FEW}
    limits = Limits(tools=given)
    given["wipe"] = ALL

    assert limits.for_use("web", "wipe") == FEW
    with pytest.raises(TypeError):
        limits.tools["wipe"] = ALL  # type: ignore[index]


@pytest.mark.parametrize(
    ("amount", "per"), [(-1, 60), (1, 0), (float("nan"), 1), (1, float("inf"))]
)
def test_a_limit_that_makes_no_sense_cannot_be_made(amount: float, per: float) -> None:
    with pytest.raises(ValueError, match="rate limit"):
        Limit(amount=amount, per=per)
