"""What one predicate surely takes from another."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from comal_runtime.consent.covering import implies
from comal_runtime.consent.predicate import (
    Argument,
    Comparison,
    Every,
    Literal,
    Predicate,
    Some,
    holds,
    read,
)

LITERALS = st.sampled_from([0, 1, 2, 1.0, 1.5, True, False, None, "a", "b"]).map(Literal)
ARGUMENTS = st.sampled_from([("x",), ("y",), ("o", "z")]).map(Argument)
SIGNS = st.sampled_from(["==", "!=", "<", "<=", ">", ">="])
COMPARISONS = st.builds(Comparison, ARGUMENTS, SIGNS, LITERALS) | st.builds(
    Comparison, LITERALS, SIGNS, ARGUMENTS
)
PREDICATES = st.recursive(
    COMPARISONS,
    lambda inner: (
        st.builds(lambda parts: Every(tuple(parts)), st.lists(inner, min_size=1, max_size=2))
        | st.builds(lambda parts: Some(tuple(parts)), st.lists(inner, min_size=1, max_size=2))
    ),
    max_leaves=4,
)
VALUES: st.SearchStrategy[Any] = st.sampled_from(
    [-1, 0, 1, 1.25, 1.5, 2, 3, True, False, None, "a", "b", "c", [], {}, float("nan")]
)
CALLS = st.fixed_dictionaries(
    {}, optional={"x": VALUES, "y": VALUES, "o": VALUES | st.fixed_dictionaries({"z": VALUES})}
)


@pytest.mark.parametrize(
    ("narrow", "wide"),
    [
        ("amount > 100", "amount > 10"),
        ("amount > 100", "amount >= 100"),
        ("amount > 100", "amount > 100.0"),
        ("100 < amount", "amount > 10"),
        ("amount == 50", "amount > 10"),
        ("amount in [50, 60]", "amount > 10"),
        ("amount in [50]", "amount in [40, 50]"),
        ("amount > 100", "amount != 5"),
        ("amount not in [1, 2]", "amount != 1"),
        ("amount > 100 and currency == 'EUR'", "amount > 10"),
        ("currency == 'EUR' and amount > 100", "amount > 10"),
        ("amount > 100", "amount > 10 or currency == 'EUR'"),
        ("amount > 100 or amount > 50", "amount > 10"),
        ("not amount <= 100", "amount > 10"),
        ("order.total > 100", "order.total > 10"),
        ("len(to) > 9", "len(to) > 3"),
        ("10 < amount < 20", "amount > 5"),
        ("name > 'm'", "name > 'c'"),
    ],
)
def test_what_can_be_proved_is_covered(narrow: str, wide: str) -> None:
    assert implies(read(narrow), read(wide))


@pytest.mark.parametrize(
    ("narrow", "wide"),
    [
        ("amount > 10", "amount > 100"),
        ("amount >= 100", "amount > 100"),
        ("amount > 100", "total > 10"),
        ("amount > 100", "amount < 200"),
        ("amount > 100", "amount > 'a'"),
        ("amount == 5", "amount != True"),
        ("amount == True", "amount == 1"),
        ("amount > 10 or currency == 'EUR'", "amount > 10"),
        ("amount > 10", "amount > 10 and currency == 'EUR'"),
        ("amount > low", "amount > 10"),
        ("amount != 1", "amount > 10"),
        ("len(to) > 3", "to > 3"),
    ],
)
def test_what_cannot_be_proved_is_not_covered(narrow: str, wide: str) -> None:
    assert not implies(read(narrow), read(wide))


@settings(max_examples=1000)
@given(narrow=PREDICATES, wide=PREDICATES, args=CALLS)
def test_no_call_that_may_fit_the_covered_one_slips_past_the_other(
    narrow: Predicate, wide: Predicate, args: dict[str, object]
) -> None:
    surely = implies(narrow, wide) and holds(narrow, args) is not False

    assert not surely or holds(wide, args) is not False
