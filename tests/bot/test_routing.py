"""Routes at start-up: one that nobody could ever answer is refused, by name."""

from types import ModuleType
from typing import Any

import pytest

from comal_bot.routing import refuse_unanswerable, rules_in
from comal_bot.settings import Settings
from comal_bot.settings.checks import before_serving
from comal_runtime.consent import BadRoute
from comal_runtime.consent.verification import evidence_rule

from ..runtime.stations.arranging import Ran, made

ANA, BO = "telegram:42", "telegram:43"


def settings(**route: Any) -> Settings:
    return Settings.model_validate(
        {
            "people": [
                {"name": "Ana", "identities": [ANA, "telegram:52"], "roles": ["owner"]},
                {"name": "Bo", "identities": [BO], "roles": ["finance"]},
            ],
            "roles": {"owner": {"scopes": ["*"]}, "finance": {"scopes": ["orders:read"]}},
            "routes": [{"tool": "refund", "approvers": [ANA], **route}],
        }
    )


@pytest.mark.runtime_line(46)
@pytest.mark.parametrize(
    ("route", "scopes"),
    [
        ({}, ("refunds",)),
        ({"approvers": ["telegram:52"]}, ("refunds",)),
        ({"approvers": [ANA, BO], "policy": "dual"}, ("refunds",)),
    ],
)
def test_a_route_that_its_only_requester_would_have_to_answer_is_refused(
    route: dict[str, Any], scopes: tuple[str, ...]
) -> None:
    tool = made(Ran(), "refund", mutating=True, scopes=scopes)

    with pytest.raises(BadRoute, match=r"'refund'.*only Ana may ask"):
        refuse_unanswerable(settings(**route), [tool])


@pytest.mark.parametrize(
    ("route", "scopes"),
    [
        ({}, ()),
        ({}, ("orders:read",)),
        ({"approvers": [ANA, BO]}, ("refunds",)),
        ({"approvers": ["role:finance"]}, ("refunds",)),
        ({"tool": "other"}, ("refunds",)),
        ({"approvers": [], "policy": "auto", "rule": "small"}, ("refunds",)),
    ],
)
def test_a_route_that_somebody_else_can_answer_is_kept(
    route: dict[str, Any], scopes: tuple[str, ...]
) -> None:
    refuse_unanswerable(settings(**route), [made(Ran(), "refund", mutating=True, scopes=scopes)])


def test_a_route_about_a_tool_that_nobody_may_call_is_kept() -> None:
    nobody = settings().model_copy(update={"roles": {}})

    refuse_unanswerable(nobody, [made(Ran(), "refund", mutating=True, scopes=("refunds",))])


def test_a_route_that_a_tool_names_is_looked_at_too() -> None:
    tool = made(Ran(), "wipe", mutating=True, scopes=("disk",), approval="refund")

    with pytest.raises(BadRoute, match="'wipe'"):
        refuse_unanswerable(settings(), [tool])


def test_two_rules_of_one_name_are_refused() -> None:
    modules = [ModuleType("one"), ModuleType("two")]
    for module in modules:
        module.paid = evidence_rule("paid")(lambda request: True)  # type: ignore[attr-defined]

    with pytest.raises(BadRoute, match="'paid' is there twice"):
        rules_in(modules, {})


@pytest.mark.runtime_line(46)
@pytest.mark.parametrize(
    ("route", "field", "said"),
    [
        ({"policy": "dual"}, "approvers", "needs 2 to say yes, and of the people in the settings"),
        ({"approvers": ["role:absent"]}, "approvers", "needs 1 to say yes"),
        ({"reject_threshold": 2}, "reject_threshold", "is 2, and of the people in the settings"),
    ],
)
def test_a_route_that_asks_for_more_people_than_there_are_is_not_served(
    route: dict[str, Any], field: str, said: str
) -> None:
    problems = [one for one in before_serving(settings(**route)) if one.path[0] == "routes"]

    assert [one.path for one in problems] == [("routes", 0, field)]
    assert problems[0].text.startswith(said)


@pytest.mark.parametrize(
    "route",
    [
        {"policy": "dual", "approvers": [ANA, BO]},
        {"policy": "dual", "approvers": ["role:finance", "telegram:99"]},
        {"policy": "auto", "rule": "small", "approvers": []},
    ],
)
def test_a_route_that_there_are_people_for_is_served(route: dict[str, Any]) -> None:
    problems = [one for one in before_serving(settings(**route)) if one.path[0] == "routes"]

    assert problems == []
