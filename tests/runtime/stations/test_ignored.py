"""What a tool does not take is neither shown to people nor stored: what they see is what runs."""

from dataclasses import dataclass
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict
from typing_extensions import TypedDict

from comal_runtime import ErrorCode, ToolRegistry, ToolResult, ToolScanner, tool

from .arranging import by_ana, in_code

PAID: list[tuple[str, int]] = []


@tool(mutating=True)
async def pay(to: str, amount: int = 1) -> str:
    PAID.append((to, amount))
    return f"paid {amount} to {to}"


@tool
async def find(text: str, limit: int = 10) -> str:
    return f"{text} {limit}"


class Item(TypedDict):
    sku: str


@dataclass
class Address:
    street: str


class Order(BaseModel):
    sku: str


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")

    sku: str


@tool
async def place(
    item: Item | None = None,
    to: Address | None = None,
    order: Order | None = None,
    more: Open | None = None,
) -> str:
    return str(more)


def registry_of(*tools: object) -> ToolRegistry:
    registry = ToolRegistry()
    ToolScanner(registry).scan(list(tools))
    return registry


@pytest.mark.runtime_line(28)
@pytest.mark.parametrize("name", ["amout", "confirm", "a\nb"])
async def test_an_argument_no_parameter_takes_is_not_on_the_card_nor_in_the_question(
    name: str,
) -> None:
    PAID.clear()
    registry = registry_of(pay)

    asked = await registry.call("pay", {"to": "bob", name: 500}, by_ana())
    done = await registry.call("pay", {}, by_ana(), confirm_token=asked.confirm_token)

    assert asked.data["action_summary"] == 'pay(to="bob", amount=1)'
    assert asked.meta["ignored"] == [name.replace("\n", "\\n")]
    assert (done.success, PAID) == (True, [("bob", 1)])
    async with registry.record.reading() as stored:
        [question] = await stored.questions.recent(state=None, limit=9)
    assert question.args == '{"amount":1,"to":"bob"}'


async def test_what_is_left_out_is_said_to_whoever_sent_it() -> None:
    result = await registry_of(find).call("find", {"text": "milk", "limt": 3}, in_code())

    assert (result.data, result.meta["ignored"]) == ("milk 10", ["limt"])


async def test_a_plan_shows_what_would_run() -> None:
    ctx = in_code(mode="plan")

    plan = await registry_of(find).call("find", {"text": "milk", "limt": 3}, ctx)

    assert plan.data["plan"]["args"] == {"text": "milk", "limit": 10}


async def test_a_hand_made_tool_that_takes_anything_is_given_everything() -> None:
    given: list[dict[str, Any]] = []

    async def take(**args: Any) -> None:
        given.append(args)

    registry = ToolRegistry()
    registry.register("take", "Take.", {"type": "object"}, take)

    result = await registry.call("take", {"any": 1}, in_code())

    assert (given, "ignored" in result.meta) == ([{"any": 1}], False)


@pytest.mark.parametrize("name", ["item", "to", "order"])
async def test_a_field_that_a_type_would_drop_is_refused_by_its_place(name: str) -> None:
    field = "street" if name == "to" else "sku"

    result = await registry_of(place).call("place", {name: {field: "x", "extra": 9}}, in_code())

    assert result.code == ErrorCode.VALIDATION_ERROR
    assert "extra" in str(result.error)


async def test_a_type_that_keeps_unknown_fields_is_given_them() -> None:
    result = await registry_of(place).call("place", {"more": {"sku": "x", "extra": 9}}, in_code())

    assert "extra=9" in result.data


async def test_a_tool_cannot_say_by_itself_that_something_was_ignored() -> None:
    @tool
    async def forges() -> Any:
        return ToolResult.success(1, meta={"ignored": ["x"]})

    result = await registry_of(forges).call("forges", {}, in_code())

    assert "ignored" not in result.meta
