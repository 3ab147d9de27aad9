"""Looks an order up before all of it is refunded, so that the card names the amount."""

import json
from collections.abc import Mapping, Sequence
from typing import Final

from comal_runtime.llm import AssistantMessage, Message, ToolMessage

Wish = tuple[str, Mapping[str, object]]

LOOK: Final[Wish] = ("list_orders", {})


class NothingLeft(Exception):
    """An order cannot be refunded: `order` is not there or is paid back already."""

    def __init__(self, order: object) -> None:
        super().__init__(f"order {order!r} has nothing left to refund")
        self.order = order


def lacks_amount(wish: Wish) -> bool:
    """Tell whether it is a refund of whatever is left."""
    name, arguments = wish
    return name == "refund_order" and "amount" not in arguments


def left_to_refund(messages: Sequence[Message]) -> Mapping[object, float] | None:
    """Return what is left of each order, if the conversation ends with a look at the orders."""
    match messages:
        case [*_, AssistantMessage(tool_calls=[call]), ToolMessage() as answer] if (
            call.name == LOOK[0] and answer.tool_call_id == call.id
        ):
            answered: object = json.loads(answer.content)
        case _:
            return None
    orders = answered.get("data") if isinstance(answered, dict) else None
    if not isinstance(orders, list):
        return None
    return {order["id"]: round(order["amount"] - order["refunded"], 2) for order in orders}


def priced(wish: Wish, left: Mapping[object, float]) -> Wish:
    """Return the wish with what is left of its order as the amount, if it lacks one.

    Raises:
        NothingLeft: There is no such order, or it is paid back.
    """
    name, arguments = wish
    if not lacks_amount(wish):
        return wish
    amount = left.get(arguments["order_id"], 0)
    if amount <= 0:
        raise NothingLeft(arguments["order_id"])
    return name, {**arguments, "amount": int(amount) if amount.is_integer() else amount}
