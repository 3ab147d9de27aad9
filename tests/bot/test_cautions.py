"""What is said at start-up about settings that allow more, or do less, than they seem to."""

import logging
from typing import Any

import pytest

from comal_bot.cautions import caution, cautions
from comal_bot.people import PeopleDirectory
from comal_bot.settings import Settings
from comal_runtime.tools import Tool, ToolOptions

NOBODY = PeopleDirectory([], {})


def tool(name: str, *, mutating: bool = False, takes: tuple[str, ...] = ()) -> Tool:
    return Tool(
        name=name,
        description="Do it.",
        input_schema={"type": "object", "properties": {name: {} for name in takes}},
        callback=lambda: None,
        options=ToolOptions(mutating=mutating),
    )


TOOLS = (tool("notes"), tool("refund", mutating=True, takes=("amount",)))


def said(**settings: Any) -> list[tuple[str, dict[str, str]]]:
    found = cautions(Settings.model_validate(settings), TOOLS, NOBODY)
    return [(one.event, dict(one.about)) for one in found]


def deny(name: str, **fields: Any) -> dict[str, Any]:
    return {"id": name, "effect": "deny", **fields}


def test_of_settings_as_they_come_there_is_nothing_to_say() -> None:
    assert said() == []


@pytest.mark.parametrize(
    ("channel", "policy", "event"),
    [
        (
            "web",
            {
                "require_confirmation_for_mutating": False,
                "i_accept_unconfirmed_changes": True,
            },
            "policy.unconfirmed_changes",
        ),
        ("telegram", {"require_auth": False}, "policy.anonymous_callers"),
        ("mcp", {"allow_all": True}, "policy.allows_all"),
    ],
)
def test_a_channel_that_is_less_guarded_than_it_comes_is_named(
    channel: str, policy: dict[str, bool], event: str
) -> None:
    assert said(policy={channel: policy}) == [(event, {"channel": channel})]


def test_a_channel_that_is_more_guarded_than_it_comes_is_not() -> None:
    assert said(policy={"telegram": {"block_mutating": True}, "cli": {"allow_all": False}}) == []


def test_rules_that_never_decide_are_named() -> None:
    rules = [deny("all", tools=["*"]), deny("late", tools=["refund"]), deny("typo", tools=["x"])]

    assert said(rules=rules) == [
        ("policy.rule_shadowed", {"rule": "late", "by": "all"}),
        ("policy.rule_shadowed", {"rule": "typo", "by": "all"}),
        ("policy.rule_idle", {"rule": "typo"}),
    ]


def test_limits_that_limit_nothing_or_let_nothing_through_are_named() -> None:
    tools = {"refnud": "5/1h", "refund": "4/1h"}

    assert said(limits={"tools": tools}) == [
        ("limits.idle", {"pattern": "refnud"}),
        ("limits.too_small", {"tool": "refund", "limit": "4 per 3600 s"}),
    ]


def test_each_is_logged_with_what_follows_from_it(caplog: pytest.LogCaptureFixture) -> None:
    settings = Settings.model_validate({"rules": [deny("typo", tools=["x"])]})

    with caplog.at_level(logging.WARNING):
        caution(settings, TOOLS, NOBODY)

    [record] = caplog.records
    assert record.message == "policy.rule_idle"
    assert record.__dict__["rule"] == "typo"
    assert "never decides" in record.__dict__["effect"]


def route(tool: str, **fields: Any) -> dict[str, Any]:
    return {"tool": tool, "approvers": ["telegram:44"], **fields}


def test_a_route_that_fits_no_tool_guards_nothing_and_the_near_one_is_named() -> None:
    [(event, about)] = said(routes=[route("refnud"), route("notes")])

    assert event == "route.idle"
    assert (about["tools"], about["near"]) == ("refnud", "refund")


def test_a_route_that_looks_at_an_argument_no_tool_has_is_named_with_it() -> None:
    [(event, about)] = said(routes=[route("refund", when="amuont > 1 or 5 < amount")])

    assert event == "route.argument_unknown"
    assert (about["argument"], about["near"]) == ("amuont", "amount")


def test_a_pattern_needs_one_fitting_tool_that_has_the_argument() -> None:
    assert said(routes=[route("*", when="amount > 1")]) == []
