"""The context of whoever asked a question, with the rights they have now."""

from comal_runtime.context import ToolContext
from comal_runtime.record import Question

from ..wiring import House


def as_requester(house: House, question: Question) -> ToolContext:
    """Return the context in which the requester of a question would make its call now."""
    return ToolContext(
        principal=question.principal,
        channel=question.channel,
        scopes=house.people.scopes(question.principal),
        conversation=question.conversation,
    )
