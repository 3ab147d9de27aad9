"""What tools cost, and which of them fit."""

from typing import Any

import pytest

from comal_runtime.budget import (
    estimate_tokens,
    safe_tokens,
    tool_share,
    tool_tokens,
    within_budget,
)
from comal_runtime.tools import Tool

SMALL = "gpt-3.5-turbo"
"""A model whose tools have 1,228 tokens."""


def sized(name: str, description: str = "") -> Tool:
    return Tool(
        name=name,
        description=description,
        input_schema={"type": "object"},
        callback=lambda: None,
    )


TOOLS = [
    sized("big1", "d" * 4000),
    sized("small1", "d" * 40),
    sized("big2", "d" * 4000),
    sized("small2", "d" * 40),
]


@pytest.mark.runtime_line(58)
@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("ñandú", 2), ("😀", 1), ("漢字漢字", 3)],
)
def test_a_text_is_estimated_at_four_bytes_to_a_token_rounded_up(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


@pytest.mark.runtime_line(58)
@pytest.mark.original_fault("TE:text-cjk")
def test_what_must_fit_is_reckoned_at_two_bytes_to_a_token() -> None:
    assert safe_tokens("漢字漢字") == 6
    assert safe_tokens("abc") == 2


@pytest.mark.runtime_line(58)
def test_an_exact_counter_replaces_the_safe_bound() -> None:
    class Words:
        def count(self, text: str) -> int:
            return len(text.split())

    assert safe_tokens("one two three", Words()) == 3


@pytest.mark.runtime_line(58)
def test_a_tool_costs_its_name_description_and_schema_and_nothing_a_model_is_not_told() -> None:
    told: dict[str, Any] = {"name": "a", "description": "", "inputSchema": {"type": "object"}}

    assert tool_tokens(told) == 16
    assert tool_tokens({**told, "annotations": {"readOnlyHint": True}, "version": "1"}) == 16


@pytest.mark.original_fault("TE:tool-invalid-utf8")
@pytest.mark.parametrize("description", ["half \ud800 pair", {"a", "set"}, b"bytes"])
def test_a_tool_that_cannot_be_written_costs_something_all_the_same(description: object) -> None:
    bare = tool_tokens({"name": "a", "description": "", "inputSchema": {}})

    assert tool_tokens({"name": "a", "description": description, "inputSchema": {}}) > bare


@pytest.mark.runtime_line(58)
@pytest.mark.parametrize(("model", "share"), [(SMALL, 1228), ("gpt-4", 2457), ("o1", 60_000)])
def test_tools_have_three_tenths_of_the_window(model: str, share: int) -> None:
    assert tool_share(model) == share


@pytest.mark.runtime_line(58)
def test_what_does_not_fit_is_named_and_leaves_its_room_to_the_next() -> None:
    budget = within_budget(TOOLS, SMALL)

    assert budget.included == ("big1", "small1", "small2")
    assert budget.excluded == ("big2",)
    assert (budget.spent, budget.share) == (1070, 1228)
    assert [tool.name for tool in budget.tools] == list(budget.included)


@pytest.mark.runtime_line(58)
@pytest.mark.original_fault("TE:registry-within-budget-priority")
def test_priority_names_go_first_in_their_own_order_and_unknown_ones_are_passed_over() -> None:
    budget = within_budget(TOOLS, SMALL, ["small2", "ghost", "big2", "small2"])

    assert budget.included == ("small2", "big2", "small1")
    assert budget.excluded == ("big1",)


@pytest.mark.runtime_line(58)
def test_an_unknown_model_has_the_share_of_the_window_it_is_given() -> None:
    assert within_budget(TOOLS, "house-model-c", default=100_000).excluded == ()
