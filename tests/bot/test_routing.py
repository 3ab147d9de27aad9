"""Routes at start-up: one that could not do what it is for is refused, by name."""

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import pytest

from comal_bot.app import Comal
from comal_bot.people import PeopleDirectory
from comal_bot.routing import Kind, RouteFault, refuse_faulty, route_faults, rules_in
from comal_bot.settings import DataSettings, Settings
from comal_bot.tooling import directory
from comal_runtime.consent import BadRoute
from comal_runtime.consent.verification import evidence_rule
from comal_runtime.tools import Tool

from ..runtime.stations.arranging import Ran, made

ANA, BO = "telegram:42", "telegram:43"
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "amount": {"type": "number"},
        "api_key": {"type": "string"},
        "currency": {"const": "EUR"},
    },
}


def settings(*routes: dict[str, Any], **route: Any) -> Settings:
    return Settings.model_validate(
        {
            "people": [
                {"name": "Ana", "identities": [ANA, "telegram:52"], "roles": ["owner"]},
                {"name": "Bo", "identities": [BO], "roles": ["finance"]},
            ],
            "roles": {"owner": {"scopes": ["*"]}, "finance": {"scopes": ["orders:read"]}},
            "routes": routes or [{"tool": "refund", "approvers": [ANA], **route}],
        }
    )


def faults(given: Settings, *tools: Tool) -> list[RouteFault]:
    return [*route_faults(given.routing(), tools, directory(given))]


def kinds(given: Settings, *tools: Tool) -> list[tuple[str, Kind]]:
    return [(one.route, one.kind) for one in faults(given, *tools)]


def refund(**options: Any) -> Tool:
    return made(Ran(), "refund", mutating=True, **options)


@pytest.mark.runtime_line(46)
@pytest.mark.parametrize(
    ("route", "scopes"),
    [
        ({}, ("refunds",)),
        ({"approvers": ["telegram:52"]}, ("refunds",)),
        ({"approvers": ["person:Ana"]}, ("refunds",)),
        ({"approvers": [ANA, BO], "policy": "dual"}, ("refunds",)),
        (
            {"approvers": [], "groups": [{"approvers": [BO]}, {"approvers": [ANA]}]},
            ("refunds",),
        ),
    ],
)
def test_a_route_that_its_only_requester_would_have_to_answer_is_refused(
    route: dict[str, Any], scopes: tuple[str, ...]
) -> None:
    found = faults(settings(**route), refund(scopes=scopes))

    assert [one.kind for one in found] == [Kind.SELF_SATISFIABLE]
    assert "can never be answered for 'refund': only Ana may ask for it" in str(found[0])


@pytest.mark.parametrize(
    ("route", "scopes"),
    [
        ({}, ()),
        ({}, ("orders:read",)),
        ({"approvers": [ANA, BO]}, ("refunds",)),
        ({"approvers": ["role:finance"]}, ("refunds",)),
        ({"tool": "other"}, ("refunds",)),
        ({"approvers": [], "policy": "auto", "rule": "small"}, ("refunds",)),
        ({"escalate": {"after": "1h", "approvers": [BO]}}, ("refunds",)),
    ],
)
def test_a_route_that_somebody_else_can_answer_is_kept(
    route: dict[str, Any], scopes: tuple[str, ...]
) -> None:
    assert faults(settings(**route), refund(scopes=scopes)) == []


def test_a_route_about_a_tool_that_nobody_may_call_is_kept() -> None:
    nobody = settings().model_copy(update={"roles": {}})

    assert faults(nobody, refund(scopes=("refunds",))) == []


def test_a_route_that_a_tool_names_is_looked_at_too() -> None:
    tool = made(Ran(), "wipe", mutating=True, scopes=("disk",), approval="refund")

    assert [one.tool for one in faults(settings(), tool)] == ["wipe"]


def test_two_rules_of_one_name_are_refused() -> None:
    modules = [ModuleType("one"), ModuleType("two")]
    for module in modules:
        module.paid = evidence_rule("paid")(lambda request: True)  # type: ignore[attr-defined]

    with pytest.raises(BadRoute, match="'paid' is there twice"):
        rules_in(modules, {})


@pytest.mark.runtime_line(46)
@pytest.mark.parametrize(
    ("route", "said"),
    [
        ({"policy": "dual", "approvers": [BO]}, "needs 2 to say yes, and only Bo may"),
        ({"approvers": ["role:absent"]}, "needs 1 to say yes, and nobody may"),
        ({"reject_threshold": 2}, "ends after 2 noes, and only Ana may say no"),
        (
            {
                "approvers": [],
                "groups": [{"approvers": [ANA, BO], "k": 2}, {"approvers": [ANA, BO], "stage": 2}],
            },
            "needs 3 to say yes, and only Ana, Bo may, each of them in one group only",
        ),
        (
            {
                "approvers": [],
                "groups": [{"approvers": [ANA]}, {"name": "money", "approvers": [BO], "k": 2}],
            },
            "needs 3 to say yes, and only Ana, Bo may; too few are in the group 'money'",
        ),
        (
            {
                "approvers": [],
                "groups": [{"approvers": ["role:owner"]}, {"approvers": ["person:Ana"]}],
            },
            "needs 2 to say yes, and only Ana may, each of them in one group only",
        ),
    ],
)
def test_a_route_that_asks_for_more_people_than_there_are_is_refused(
    route: dict[str, Any], said: str
) -> None:
    found = faults(settings(**route))

    assert [one.kind for one in found] == [Kind.UNSATISFIABLE]
    assert found[0].text.startswith(said)


def test_one_person_under_two_identities_is_one_and_the_route_is_refused_for_it() -> None:
    found = faults(settings(policy="dual", approvers=[ANA, "telegram:52"]))

    assert [one.kind for one in found] == [Kind.SELF_SATISFIABLE]
    assert "'telegram:42' and 'telegram:52' are Ana, who counts once" in found[0].text


@pytest.mark.parametrize(
    "route",
    [
        {"policy": "dual", "approvers": [ANA, BO]},
        {"policy": "dual", "approvers": ["role:finance", "telegram:99"]},
        {"policy": "auto", "rule": "small", "approvers": []},
        {"policy": "dual", "escalate": {"after": "1h", "approvers": [BO]}},
        {"approvers": [], "groups": [{"approvers": [ANA, BO]}, {"approvers": [ANA]}]},
    ],
)
def test_a_route_that_there_are_people_for_is_served(route: dict[str, Any]) -> None:
    assert faults(settings(**route)) == []


def test_the_first_owner_is_counted_on_before_there_is_one() -> None:
    given = settings(approvers=["role:owner"]).model_copy(update={"people": ()})
    two = settings(approvers=["role:owner"], policy="dual").model_copy(update={"people": ()})

    assert faults(given) == []
    assert kinds(two) == [("refund", Kind.UNSATISFIABLE)]


def test_a_route_that_no_call_reaches_is_refused_with_the_one_above_it() -> None:
    above = {"name": "all", "tool": "refund_*", "when": "amount > 10", "approvers": [BO]}
    below = {"name": "big", "tool": "refund_order", "when": "amount > 100", "approvers": [BO]}

    [found] = faults(settings(above, below))

    assert (found.route, found.kind) == ("big", Kind.SHADOWED)
    assert "route 'all' stands above it" in found.text
    assert faults(settings(below, above)) == []


def test_a_route_that_a_tool_names_is_reached_whatever_stands_above_it() -> None:
    above = {"name": "all", "tool": "refund_*", "approvers": [BO]}
    below = {"name": "big", "tool": "refund_order", "approvers": [BO]}

    assert faults(settings(above, below), made(Ran(), "wipe", approval="big")) == []


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("amuont", "'amuont', which no tool it is about has; they have amount, api_key, currency"),
        ("api_key", "'api_key', which is secret in 'refund'"),
        ("currency", "'currency', which has one value only in 'refund'"),
    ],
)
def test_approvers_may_edit_only_what_the_tool_takes_and_shows(name: str, said: str) -> None:
    tool = refund(schema=SCHEMA)

    found = faults(settings(editable={name: {}}), tool)

    assert [one.kind for one in found] == [Kind.EDITABLE]
    assert said in found[0].text
    assert faults(settings(editable={"amount": {"maximum": 5}}), tool) == []


def test_everything_is_refused_at_once() -> None:
    given = settings(
        {"name": "one", "tool": "*", "approvers": [BO], "policy": "dual"},
        {"name": "two", "tool": "refund", "approvers": [BO]},
    )

    with pytest.raises(BadRoute) as refused:
        refuse_faulty(given.routing(), (), directory(given))

    assert len(str(refused.value).splitlines()) == 2


async def test_a_host_does_not_start_with_such_a_route(tmp_path: Any) -> None:
    data = DataSettings(url=f"sqlite:///{tmp_path}/comal.db")
    given = settings(policy="dual").model_copy(update={"data": data})

    with pytest.raises(BadRoute, match="needs 2 to say yes, and only Ana may"):
        async with Comal(given):
            pass


def test_people_are_those_of_the_directory() -> None:
    given = settings(policy="dual")
    nobody = PeopleDirectory([], {})

    assert [one.text for one in route_faults(given.routing(), (), nobody)] == [
        "needs 2 to say yes, and only telegram:42 may; name more people"
    ]
