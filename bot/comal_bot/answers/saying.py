"""What people hear whose answer came too late: how the question stands, not only that it does."""

from comal_renderers.visible import visible
from comal_runtime.consent import Verdict
from comal_runtime.record import QuestionState

from ..facts import facts_of
from ..outcomes import outcome
from ..wiring import House
from .tapped import Said, said_of


async def said_about(house: House, question_id: str, verdict: Verdict) -> Said:
    """Return what somebody hears of a question whose answer came to this verdict."""
    if verdict is not Verdict.DECIDED_BEFORE:
        return said_of(verdict)
    async with house.record.reading() as stored:
        question = await stored.questions.get(question_id)
        if question is None or question.state is QuestionState.OPEN:
            return said_of(Verdict.UNKNOWN)
        if question.state is QuestionState.EXPIRED:
            return said_of(Verdict.EXPIRED)
        facts = await facts_of(house, stored, question)
    return Said("answer.already_decided", values={"outcome": visible(outcome(facts))})
