"""Rules in a table: the first that fits decides, for whom and where it says."""

from typing import Any

import pytest

from comal_runtime.context import ToolContext
from comal_runtime.errors import BadDeclaration
from comal_runtime.policy import PolicyGate
from comal_runtime.result import ErrorCode
from comal_runtime.rules import TableRule, TableRules
from comal_runtime.tools import Tool

from .stations.arranging import Household, Ran, decisions, made, registry_with


def rule(name: str = "r", effect: str = "deny", **fields: Any) -> TableRule:
    return TableRule(id=name, effect=effect, **fields)


def tool(name: str = "refund", **options: Any) -> Tool:
    return made(Ran(), name, **options)


def caller(principal: str | None = "telegram:1", channel: str = "telegram") -> ToolContext:
    return ToolContext(principal=principal, channel=channel)


def decider(rules: TableRules, ctx: ToolContext, about: Tool) -> str | int | None:
    found = rules.find(ctx, about)
    return None if found is None else found.id


@pytest.mark.runtime_line(16)
def test_the_first_rule_that_fits_decides() -> None:
    rules = TableRules(
        [
            rule("friday", tools=("wipe",)),
            rule("refunds", "allow", tools=("refund_*", "payout")),
            rule("rest", channels=("tele*",)),
        ]
    )

    found = [
        decider(rules, caller(channel=channel), tool(name))
        for channel, name in (
            ("web", "wipe"),
            ("web", "refund_order"),
            ("web", "payout"),
            ("telegram", "payout"),
            ("telegram", "notes"),
            ("web", "notes"),
        )
    ]

    assert found == ["friday", "refunds", "refunds", "refunds", "rest", None]


def test_a_rule_for_changes_says_nothing_of_reads() -> None:
    rules = TableRules([rule("frozen", mutating_only=True)])

    found = [decider(rules, caller(), tool(mutating=mutating)) for mutating in (True, False, True)]

    assert found == ["frozen", None, "frozen"]


@pytest.mark.parametrize(
    ("principal", "fits"),
    [
        ("telegram:1", True),
        ("web:ana", True),
        ("telegram:2", True),
        ("telegram:3", False),
        ("role:finance", False),
        (None, False),
    ],
)
def test_a_rule_fits_a_persons_every_identity_and_whoever_holds_its_role(
    principal: str | None, fits: bool
) -> None:
    people = Household({"web:ana": "telegram:1"}, {"telegram:2": frozenset({"finance"})})
    rules = TableRules([rule(principals=("telegram:1", "role:finance"))], people)

    assert (rules.find(caller(principal), tool()) is not None) is fits


@pytest.mark.runtime_line(17)
async def test_a_denial_by_a_rule_names_the_rule_its_reason_the_tool_and_the_channel() -> None:
    rules = TableRules([rule("friday", tools=("wip*",), description="Not on Fridays.")])
    registry = registry_with(tool("wipe"), policy=PolicyGate(rules))

    result = await registry.call("wipe", {}, caller())

    assert result.code == ErrorCode.FORBIDDEN
    assert result.error == (
        "Denied by policy rule #friday for tool 'wipe' on channel 'telegram' "
        "(principal: telegram:1): Not on Fridays."
    )


@pytest.mark.runtime_line(16)
async def test_an_allow_rule_with_scopes_asks_for_one_of_them() -> None:
    rules = TableRules([rule("vip", "allow", scopes=("vip", "boss"))])
    gate = PolicyGate(rules)
    scoped = ToolContext(principal="u", channel="web", scopes=("boss",))

    denied = gate.authorize(caller(channel="web"), tool())

    assert denied.reason == (
        "Policy rule #vip for tool 'refund' on channel 'web' requires one of these scopes: "
        "vip, boss — context has: (none)."
    )
    assert gate.authorize(scoped, tool()).allowed


async def test_rules_that_cannot_be_read_deny_and_that_is_audited() -> None:
    class Away:
        def find(self, ctx: ToolContext, tool: Tool) -> None:
            raise OSError

    registry = registry_with(tool("wipe"), policy=PolicyGate(Away()))

    result = await registry.call("wipe", {}, caller())

    assert result.code == ErrorCode.FORBIDDEN
    assert await decisions(registry) == ["rules_failed"]


@pytest.mark.parametrize(
    ("above", "below"),
    [
        ({}, {"tools": ("wipe",)}),
        ({"tools": ("refund_*",)}, {"tools": ("refund_order", "refund_a*")}),
        ({"tools": ("a", "b")}, {"tools": ("b",)}),
        ({"channels": ("web", "tele*")}, {"channels": ("telegram",)}),
        ({}, {"principals": ("telegram:1",)}),
        ({"principals": ("a:1", "a:2")}, {"principals": ("a:2",)}),
        ({"mutating_only": True}, {"mutating_only": True}),
    ],
)
def test_a_rule_below_one_that_fits_all_it_fits_is_shadowed(
    above: dict[str, Any], below: dict[str, Any]
) -> None:
    rules = TableRules([rule("above", **above), rule("below", "allow", **below)])

    [found] = rules.shadowed()

    assert (found.rule.id, found.by.id) == ("below", "above")


@pytest.mark.parametrize(
    ("above", "below"),
    [
        ({"tools": ("wipe",)}, {}),
        ({"tools": ("refund_?",)}, {"tools": ("refund_*",)}),
        ({"tools": ("*_a",)}, {"tools": ("refund_a*",)}),
        ({"channels": ("web",)}, {"channels": ("web", "telegram")}),
        ({"principals": ("a:1",)}, {}),
        ({"principals": ("a:1",)}, {"principals": ("a:1", "a:2")}),
        ({"mutating_only": True}, {}),
    ],
)
def test_a_rule_that_may_still_decide_is_not_called_shadowed(
    above: dict[str, Any], below: dict[str, Any]
) -> None:
    assert TableRules([rule("above", **above), rule("below", **below)]).shadowed() == []


def test_a_rule_about_no_tool_there_is_is_idle() -> None:
    rules = TableRules(
        [
            rule("typo", tools=("refnud",)),
            rule("reads", tools=("notes",), mutating_only=True),
            rule("used", tools=("ref*",)),
        ]
    )

    assert [one.id for one in rules.idle([tool("refund"), tool("notes")])] == ["typo", "reads"]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"effect": "deny", "scopes": ("a",)}, "scopes would say nothing"),
        ({"tools": ()}, "no tool"),
        ({"channels": ()}, "no channel"),
        ({"tools": "wipe"}, "tools must be a list"),
        ({"principals": "telegram:1"}, "principals must be a list"),
    ],
)
def test_a_rule_that_makes_no_sense_cannot_be_made(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(BadDeclaration, match=said):
        rule(**fields)


def test_an_effect_that_is_misspelt_makes_no_table() -> None:
    with pytest.raises(BadDeclaration, match="'Deny'"):
        TableRules([rule(effect="Deny")])


def test_two_rules_do_not_share_an_id() -> None:
    with pytest.raises(BadDeclaration, match="share an id"):
        TableRules([rule("a"), rule("a", "allow")])


def test_a_flood_of_channel_names_is_answered_and_not_remembered() -> None:
    rules = TableRules([rule("rest", channels=("x*",))])

    found = [decider(rules, caller(channel=f"x{n}"), tool()) for n in range(10_500)]

    assert set(found) == {"rest"}
    assert len(rules._compiled) == 10_000
