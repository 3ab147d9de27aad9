"""Host events: a decision or an outcome, told to the model in the conversation it belongs to."""

from comal_runtime.agent import event_entry
from comal_runtime.agent.model_view import model_view, ordinary
from comal_runtime.consent.editing import changes_between
from comal_runtime.record import Act, Question, Repositories
from comal_runtime.stations.lost import stored_result

from .burials import end_turn
from .conversation import Conversations, Opening
from .facts import Facts, facts_of
from .naming import name_of
from .outcomes import edited
from .wiring import House


class HostEvents:
    """Handles the jobs that tell how something ended."""

    def __init__(self, house: House, conversations: Conversations) -> None:
        self._house = house
        self._conversations = conversations

    async def handle(self, key: str) -> None:
        """Begin the turn in which the model hears of it; once for each state."""
        subject, _, state = key.rpartition("|")
        async with self._house.record.reading() as stored:
            question, act = await stored.questions.get(subject), await stored.acts.get(subject)
            source = act or question
            if source is None or source.conversation is None:
                return
            places = await stored.people.places(source.conversation)
            fields = await self._fields(stored, question, act, state)
        reached = [place for place in places if self._house.reaches(place.channel)]
        if not reached:
            async with self._house.record.transaction() as tx:
                await end_turn(tx, f"event:{key}", now=self._house.clock.now())
            return
        await self._conversations.take_turn(
            Opening(
                event=f"event:{key}",
                conversation=source.conversation,
                principal=source.principal,
                place=reached[0],
                entry=lambda turn: event_entry(turn, fields),
            )
        )

    async def _fields(
        self, stored: Repositories, question: Question | None, act: Act | None, state: str
    ) -> dict[str, str]:
        fields = {"event": "decided" if question else "outcome", "state": state}
        if question is not None:
            fields |= decision(await facts_of(self._house, stored, question))
        if act is not None:
            fields["tool"] = act.tool
            if act.reason:
                fields["why"] = act.reason
            if act.settled_by is not None:
                fields["settled_by"] = await name_of(self._house, stored, act.settled_by)
            if act.result is not None:
                fields["result"] = model_view(ordinary(stored_result(act)))
        return fields


def decision(facts: Facts) -> dict[str, str]:
    """Tell what was asked, who decided what about it, and what an approver changed before."""
    question = facts.question
    told = {
        "asked": question.summary,
        "decision": "changes_requested" if facts.asks_changes else str(question.state),
        "decided_by": facts.decided_by,
    }
    if facts.before is not None:
        told["edited"] = edited(changes_between(facts.before, question))
        told["edited_by"] = facts.editor
    if question.reason:
        told["guidance" if facts.asks_changes else "reason"] = question.reason
    return told
