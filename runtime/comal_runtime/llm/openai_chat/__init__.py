"""The Chat Completions wire: bodies out, answers in."""

from .decode import Choice, read_choice, read_message, read_usage
from .encode import Order, encode_order, endpoint

__all__ = [
    "Choice",
    "Order",
    "encode_order",
    "endpoint",
    "read_choice",
    "read_message",
    "read_usage",
]
