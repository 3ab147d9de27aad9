"""The context of whoever asked a question, with the rights they have now."""

from comal_runtime.context import ToolContext
from comal_runtime.record import Act, Question

from ..wiring import House


def as_requester(house: House, asked: Question | Act) -> ToolContext:
    """Return the context in which the requester of a question or an act would make its call now."""
    return ToolContext(
        principal=asked.principal,
        channel=asked.channel,
        scopes=house.people.scopes(asked.principal),
        conversation=asked.conversation,
    )
