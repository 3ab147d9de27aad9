"""Predicates: when they hold, when that cannot be told, and what they may not hold."""

import pytest

from comal_runtime.consent import BadRoute

from ..stations.arranging import route


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
        ("order.total > 5", {"order": {"total": 6}}, True),
        ("order.total > 5", {"order": {"total": 5}}, False),
        ("currency in ['EUR', 'USD']", {"currency": "GBP"}, False),
        ("currency in ['EUR', 'USD']", {"currency": "USD"}, True),
        ("currency not in ('EUR', 'USD')", {"currency": "GBP"}, True),
        ("not currency in {'EUR'}", {"currency": "EUR"}, False),
        ("len(to) > 2", {"to": ["a", "b"]}, False),
        ("len(to) > 2", {"to": "abc"}, True),
        ("len(order.items) >= 1", {"order": {"items": {}}}, False),
        ("not (0 < amount < 10)", {"amount": 0}, True),
        ("not (amount > 1 and other > 1)", {"amount": 2, "other": 2}, False),
        ("other > 5 and amount > 100", {"amount": 5}, False),
        ("amount > 100 or currency == 'EUR'", {"amount": 5, "currency": "USD"}, False),
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
        ("order.total > 5", {"order": 7}),
        ("order.total > 5", {"order": {}}),
        ("len(to) > 2", {"to": 7}),
        ("amount > 100", {"amount": True}),
        ("amount == 1", {"amount": True}),
        ("amount != 1", {"amount": True}),
        ("express == True", {"express": 1}),
        ("amount in [1, 2]", {"amount": False}),
        ("amount not in [0, 2]", {"amount": False}),
        ("currency in ['EUR']", {}),
        ("amount > 100 or other > 1", {"amount": 5}),
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
        "amount in limits",
        "amount in ()",
        "amount in ([1], 2)",
        "'a' in 'abc'",
        "amount is None",
        "len(amount, 2) > 1",
        "max(amount) > 1",
        "amount == b'1'",
        "amount == 1j",
        "amount == ...",
        "'amount' == 'x'",
        "1 > 2",
        "items[0] > 1",
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
