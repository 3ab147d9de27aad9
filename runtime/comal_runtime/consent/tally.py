"""Counting: each person once, in one group, stage by stage, and only who may still answer."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from ..record import Question, QuestionKind, Vote
from .directory import Directory
from .entitlement import barred, belongs
from .overriding import breaks_glass
from .seats import fill, seats_of
from .terms import Group, Terms

Open = tuple[tuple[Group, int], ...]
"""Groups that need more people, each with how many of it have said yes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How the votes of a question stand. `needed` is None where only a rule can grant it.

    `yes` counts those that count towards it; `begun` are the groups of every stage up to the one
    it stands at, `at_hand` those of that stage, `open_groups` those of them that need more people,
    each with how many have said yes. None of these where nothing is left to say. `overruled` is the
    choice of whoever broke the glass, which decides alone.
    """

    yes: int
    no: int
    needed: int | None
    reject_threshold: int
    begun: tuple[Group, ...] = ()
    at_hand: tuple[Group, ...] = ()
    open_groups: Open = ()
    overruled: str | None = None

    @property
    def approved(self) -> bool:
        """Whether enough people said yes."""
        enough = self.needed is not None and self.yes >= self.needed
        return enough or self.overruled == "yes"

    @property
    def rejected(self) -> bool:
        """Whether enough people said no."""
        return self.no >= self.reject_threshold or self.overruled == "no"


def tally(question: Question, votes: Sequence[Vote], directory: Directory) -> Tally:
    """Count distinct people, and only those who may still answer; who said both said no."""
    terms = Terms.read(question.route)
    counted = [one for one in votes if barred(question, one.identity, directory, one.at) is None]
    persons = _persons(counted, question, directory)
    said_no = {persons[one.identity] for one in counted if one.choice != "yes"}
    said_yes = {persons[one.identity]: one for one in counted if one.choice == "yes"}
    for person in said_no:
        said_yes.pop(person, None)
    stands = Tally(
        yes=len(said_yes),
        no=len(said_no),
        needed=terms.needed,
        reject_threshold=terms.reject_threshold,
        overruled=next((one.choice for one in counted if breaks_glass(one.identity)), None),
    )
    if question.kind is QuestionKind.CONFIRMATION:
        return stands
    return _staged(stands, terms, said_yes, question, directory)


def _persons(votes: Sequence[Vote], question: Question, directory: Directory) -> Mapping[str, str]:
    """Name the person behind each account; two that were one while this was asked still are."""
    persons: dict[str, str] = {}
    for vote in votes:
        at, one = question.created_at, vote.identity
        before = (persons[other] for other in persons if directory.ever_one(other, one, at))
        persons[one] = next(before, None) or directory.person(one)
    return persons


def _staged(
    stands: Tally,
    terms: Terms,
    said_yes: Mapping[str, Vote],
    question: Question,
    directory: Directory,
) -> Tally:
    """Seat people stage by stage; a stage begins once every seat before it is taken."""
    seats: list[Collection[str]] = []
    begun: list[Group] = []
    taken: list[str | None] = []
    for groups in terms.stages:
        begun += groups
        first = len(seats)
        numbers = []
        for group in groups:
            people = {
                person
                for person, vote in said_yes.items()
                if belongs(group, question, vote.identity, directory)
            }
            more = seats_of(group.k, people)
            numbers.append(len(more))
            seats += more
        taken = fill(seats)
        if None in taken:
            still = _still(groups, taken[first:], numbers)
            return replace(
                stands,
                yes=len(taken) - taken.count(None),
                begun=tuple(begun),
                at_hand=groups,
                open_groups=still,
            )
    return replace(stands, yes=len(taken), begun=tuple(begun))


def _still(groups: Sequence[Group], taken: Sequence[str | None], numbers: Sequence[int]) -> Open:
    """Return the groups that need more people, each with how many it has."""
    found: list[tuple[Group, int]] = []
    for group, number in zip(groups, numbers, strict=True):
        has = number - taken[:number].count(None)
        taken = taken[number:]
        if has < group.k:
            found.append((group, has))
    return tuple(found)
