"""What JSON Schema says of equality, multiples and names, whatever the library says."""

from typing import Any

import pytest

from .compiling import one, told


def test_many_different_items_are_told_apart_in_time(compiled: Any) -> None:
    subject = compiled({"properties": {"x": {"uniqueItems": True, "maxItems": 1}}})

    found = told(subject, {"x": [{"a": n} for n in range(20_000)]})

    assert found == ["x: Too many items (max: 1)"]


@pytest.mark.parametrize(
    ("one_item", "other", "differ"),
    [
        (1, 1.0, False),
        (1, True, True),
        (0, False, True),
        ([1], [1.0], False),
        ("1", 1, True),
        ({"a": 1, "b": [True]}, {"b": [True], "a": 1.0}, False),
        ({"a": 1}, {"a": True}, True),
        ([], {}, True),
        (["array"], [], True),
        (None, False, True),
        (0.0, -0.0, False),
    ],
)
def test_items_are_equal_as_json_says(
    compiled: Any, one_item: object, other: object, differ: bool
) -> None:
    subject = compiled(one(uniqueItems=True))

    assert (subject.faults({"x": [one_item, other]}) == ()) is differ


@pytest.mark.parametrize(
    ("step", "value", "fits"),
    [
        (0.01, 19.99, True),
        (0.1, 0.3, True),
        (0.3, 1, False),
        (0.5, 10**400, True),
        (0.3, 10**22, False),
        (3, 1e300, True),  # the number that a float of this size is, not the one written
        (2.5, 7.5, True),
        (1e-7, 2.2, True),
        (3, True, True),  # no number
        (3, "4", True),
        (5e-324, 1.0, True),
    ],
)
@pytest.mark.original_fault("SV:multipleof-ignored")
def test_multiples_are_counted_exactly(
    compiled: Any, step: float, value: object, fits: bool
) -> None:
    assert (compiled(one(multipleOf=step)).faults({"x": value}) == ()) is fits
