"""Facts: what cards tell about a question, read from the record."""

from dataclasses import dataclass
from typing import Final

from comal_runtime.consent.settling import may_still_run
from comal_runtime.consent.tally import Tally, tally
from comal_runtime.record import (
    Act,
    Card,
    Place,
    Question,
    QuestionState,
    Repositories,
    Transaction,
)

from .naming import deciders, name_of
from .reach import too_few
from .wiring import Premises

REQUESTER: Final = "requester"
APPROVER: Final = "approver"


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What a card tells: the question, its act, and how the people in it are called.

    `before` is the question whose call `editor` changed, `after` the one that was asked in the
    place of this one. `asks_changes` tells that whoever said no wants something else asked.
    `asked_in` are the addresses of the conversation in which it was asked for. `settled_by` and
    `left_by` name who said how an unknown act ended, or left it so. `first_may_run`: the act that
    this question would do again may still be at work. `too_few`: of those who may approve it.
    """

    question: Question
    act: Act | None
    requester: str
    decided_by: str
    language: str
    now: float
    progress: str = ""
    tally: Tally | None = None
    before: Question | None = None
    after: Question | None = None
    editor: str = ""
    asks_changes: bool = False
    asked_in: tuple[Place, ...] = ()
    settled_by: str = ""
    left_by: str = ""
    first_may_run: bool = False
    too_few: bool = False

    @property
    def state(self) -> str:
        """Name what the card shows, so that it is edited only when that changes."""
        left = ":left" if self.act is not None and self.act.left_by is not None else ""
        act = "" if self.act is None else f":{self.act.state}{left}"
        counts = self.tally is not None and self.question.state is QuestionState.OPEN
        votes = f":{self.tally.yes}" if counts and self.tally and self.tally.yes else ""
        few = ":few" if self.too_few else ""
        anew = ":anew" if self.question.superseded_by is not None else ""
        return f"{self.question.state}{votes}{few}{act}{anew}{self.progress}"

    def is_with_requester(self, card: Card) -> bool:
        """Tell whether a card hangs where whoever asked for it wrote."""
        place = Place(channel=card.channel, chat=card.chat, thread=card.thread)
        return card.role == REQUESTER or place in self.asked_in


async def facts_of(
    house: Premises, stored: Repositories | Transaction, question: Question, progress: str = ""
) -> Facts:
    """Read what the cards of a question tell."""
    votes = await stored.questions.votes(question.id)
    deciding = [vote.choice for vote in votes if vote.identity == question.decided_by]
    is_no = question.state is QuestionState.REJECTED
    conversation, act = question.conversation, await stored.acts.get(question.id)
    return Facts(
        question=question,
        act=act,
        requester=await name_of(house, stored, question.principal),
        decided_by=await deciders(house, stored, question, votes),
        tally=tally(question, votes, house.people),
        language=house.language,
        now=house.clock.now(),
        progress=progress,
        before=await _question(stored, question.supersedes),
        after=await _question(stored, question.superseded_by),
        editor=await name_of(house, stored, question.edited_by),
        asks_changes=is_no and "changes" in deciding,
        settled_by="" if act is None else await name_of(house, stored, act.settled_by),
        left_by="" if act is None else await name_of(house, stored, act.left_by),
        too_few=too_few(question, votes, house.people),
        first_may_run=await _first_may_run(house, stored, question),
        asked_in=() if conversation is None else tuple(await stored.people.places(conversation)),
    )


async def _first_may_run(
    house: Premises, stored: Repositories | Transaction, question: Question
) -> bool:
    first = None if question.repeats is None else await stored.acts.get(question.repeats)
    return first is not None and await may_still_run(stored, first, house.clock)


async def _question(stored: Repositories | Transaction, key: str | None) -> Question | None:
    return None if key is None else await stored.questions.get(key)
