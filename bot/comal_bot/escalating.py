"""Escalating: others are asked as well once a question has waited long enough."""

from comal_runtime.record import QuestionState

from .answers.noting import note
from .notices import Notices
from .wiring import House


class Escalating:
    """Handles the jobs that say so; the new cards hang as those of any stage that begins."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._notices = Notices(house)

    async def say(self, key: str) -> None:
        """Tell the requester once, and leave an audit record."""
        async with self._house.record.transaction() as tx:
            question = await tx.questions.get(key)
            if question is None or question.escalated_at is None:
                return
            if question.state is QuestionState.OPEN:
                await self._notices.escalated(tx, question)
        note(self._house, question, None, "escalated", counted=True)
