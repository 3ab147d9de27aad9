"""JSON that cannot be changed, and its copies."""

import copy
import json
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from comal_runtime.json_values import frozen, plain

GIVEN = {"a": [1, {"b": None}], "c": ("x",)}
SAME = {"a": [1, {"b": None}], "c": ["x"]}

CHANGES: list[Callable[[Any], object]] = [
    lambda value: value.update(x=1),
    lambda value: value.pop("a"),
    lambda value: value.popitem(),
    lambda value: value.clear(),
    lambda value: value.setdefault("x", 1),
    lambda value: value.__ior__({"x": 1}),
    lambda value: value.__setitem__("x", 1),
    lambda value: value.__delitem__("a"),
    lambda value: value["a"].append(1),
    lambda value: value["a"].extend([1]),
    lambda value: value["a"].insert(0, 1),
    lambda value: value["a"].pop(),
    lambda value: value["a"].remove(1),
    lambda value: value["a"].reverse(),
    lambda value: value["a"].sort(),
    lambda value: value["a"].clear(),
    lambda value: value["a"].__setitem__(0, 2),
    lambda value: value["a"].__delitem__(0),
    lambda value: value["a"].__iadd__([1]),
    lambda value: value["a"].__imul__(2),
    lambda value: value["a"][1].update(b=1),
]


@pytest.mark.parametrize("change", CHANGES)
def test_nothing_in_a_frozen_value_can_be_changed(change: Callable[[Any], object]) -> None:
    value = frozen(GIVEN)

    with pytest.raises(TypeError, match="change a copy"):
        change(value)

    assert value == SAME


def test_a_frozen_value_is_written_as_json_like_any_other() -> None:
    assert json.dumps(frozen(GIVEN)) == json.dumps(SAME)


@pytest.mark.parametrize(
    "copied", [plain, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))]
)
def test_a_copy_of_a_frozen_value_is_plain_at_every_depth(copied: Callable[[Any], Any]) -> None:
    value = copied(frozen(GIVEN))

    value["a"][1]["b"] = 5
    value["a"].append(2)

    assert value == {"a": [1, {"b": 5}, 2], "c": ["x"]}
    assert {type(value), type(value["a"][1])} == {dict}
    assert type(value["a"]) is list


def test_freezing_copies_so_that_the_original_stays_its_owners() -> None:
    given: dict[str, Any] = {"a": []}
    value = frozen(given)

    given["a"].append(1)

    assert value == {"a": []}
