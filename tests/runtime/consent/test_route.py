"""Routes: which calls ask other people, and who these are."""

import pytest

from comal_runtime.consent import BadRoute, Route, Routes
from comal_runtime.consent.route import entitled

from ..stations.arranging import Household, route

FAMILY = Household(
    {"telegram:1": "Ana", "web:ana": "Ana", "telegram:2": "Bo", "telegram:3": "Cy"},
    {"Bo": frozenset({"finance"})},
)


def asks(when: str, **args: object) -> bool:
    return route(when=when).matches("wipe", args)


@pytest.mark.parametrize(
    ("when", "args", "expected"),
    [
        ("amount > 100", {"amount": 100}, False),
        ("amount > 100", {"amount": 100.5}, True),
        ("amount >= -5", {"amount": -6}, False),
        ("0 < amount < 10", {"amount": 10}, False),
        ("0 < amount < 10", {"amount": 9}, True),
        ("currency != 'EUR'", {"currency": "EUR"}, False),
        ("currency == 'USD' and amount > 5", {"currency": "USD", "amount": 6}, True),
        ("currency == 'USD' and amount > 5", {"currency": "EUR", "amount": 6}, False),
        ("currency == 'USD' or amount > 5", {"currency": "EUR", "amount": 5}, False),
        ("not amount > 5", {"amount": 6}, False),
        ("low < high", {"low": 1, "high": 2}, True),
        ("express == True", {"express": False}, False),
    ],
)
def test_a_predicate_holds_as_it_reads(when: str, args: dict[str, object], expected: bool) -> None:
    assert asks(when, **args) is expected


@pytest.mark.parametrize(
    ("when", "args"),
    [
        ("amount > 100", {}),
        ("not amount > 100", {}),
        ("amount > 100", {"amount": None}),
        ("amount > 100", {"amount": "7"}),
        ("amount > 100", {"amount": [1]}),
        ("not amount > 100", {"amount": "7"}),
        ("amount > 100", {"amount": float("nan")}),
        ("not amount <= 100", {"amount": float("nan")}),
        ("low < high", {"low": 1}),
        ("__class__ == 1", {}),
    ],
)
def test_what_is_missing_or_cannot_be_compared_is_asked_about(
    when: str, args: dict[str, object]
) -> None:
    assert asks(when, **args)


@pytest.mark.parametrize(
    "when",
    [
        "__import__('os').system('true')",
        "amount.__class__ == 1",
        "args['amount'] > 1",
        "(lambda: 1)() == 1",
        "[x for x in (1,)] == 1",
        "(amount := 0) == 0",
        "f'{amount}' == '1'",
        "amount > 2 ** 999999",
        "amount in (1, 2)",
        "amount",
        "not amount",
        "True",
        "amount > 1 if x else 0",
        "amount >",
        "",
        "amount > 1; import os",
        "amount > 1\nimport os",
        "amount > 1\x00",
        "not " * 5000 + "a > 1",
        "await x > 1",
    ],
)
def test_a_predicate_that_is_more_than_comparisons_is_refused_with_its_route(when: str) -> None:
    with pytest.raises(BadRoute, match="owners"):
        route(when=when)


@pytest.mark.parametrize("changes", [{"approvers": ()}, {"policy": "auto"}])
def test_a_route_that_nobody_or_anybody_could_satisfy_is_refused(changes: dict) -> None:
    with pytest.raises(BadRoute, match="owners"):
        route(**changes)


def test_the_first_route_that_matches_is_the_calls_route() -> None:
    small = route(name="small", tool="refund_*", when="amount < 10")
    large = route(name="large", tool="refund_*")
    routes = Routes([small, large])

    assert routes.for_call("refund_order", {"amount": 5}) is small
    assert routes.for_call("refund_order", {"amount": 50}) is large
    assert routes.for_call("Refund_order", {"amount": 50}) is None


def test_the_routes_about_a_tool_end_with_the_first_that_no_call_gets_past() -> None:
    small = route(name="small", tool="refund_*", when="amount < 10")
    other = route(name="other", tool="send_*")
    large = route(name="large", tool="refund_*")
    never = route(name="never", tool="refund_order")
    routes = Routes([small, other, large, never])

    assert routes.about("refund_order") == (small, large)
    assert routes.about("send_mail") == (other,)
    assert routes.about("wipe") == ()


@pytest.mark.parametrize(
    ("voter", "approvers", "expected"),
    [
        ("telegram:2", ("telegram:2",), True),
        ("telegram:2", ("role:finance",), True),
        ("telegram:3", ("role:finance",), False),
        ("telegram:3", ("telegram:2",), False),
        ("telegram:1", ("telegram:1", "role:finance"), False),
        ("web:ana", ("web:ana",), False),
        ("web:ana", ("telegram:1",), False),
        ("telegram:4", ("telegram:2",), False),
        ("role:finance", ("role:finance",), False),
    ],
)
def test_only_an_approver_who_is_not_the_requester_under_any_identity_is_entitled(
    voter: str, approvers: tuple[str, ...], expected: bool
) -> None:
    snapshot = Route(name="r", tool="*", approvers=approvers).snapshot()

    assert entitled(snapshot, voter, "telegram:1", FAMILY) is expected


@pytest.mark.parametrize("ttl", [0, -1, float("nan"), float("inf")])
def test_a_route_whose_questions_would_never_or_at_once_expire_is_refused(ttl: float) -> None:
    with pytest.raises(BadRoute, match="ttl is"):
        Route(name="r", tool="t", approvers=("telegram:2",), ttl=ttl)
