"""Host events: a decision or an outcome, told to the model in the conversation it belongs to."""

from comal_runtime.agent import event_entry
from comal_runtime.agent.model_view import model_view, ordinary
from comal_runtime.record import Act, Question, Repositories
from comal_runtime.stations.lost import stored_result

from .burials import end_turn
from .conversation import Conversations, Opening
from .naming import deciders
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
            fields["asked"] = question.summary
            fields["decision"] = str(question.state)
            votes = await stored.questions.votes(question.id)
            fields["decided_by"] = await deciders(self._house, stored, question, votes)
            if question.reason:
                fields["reason"] = question.reason
        if act is not None:
            fields["tool"] = act.tool
            if act.reason:
                fields["why"] = act.reason
            if act.result is not None:
                fields["result"] = model_view(ordinary(stored_result(act)))
        return fields
