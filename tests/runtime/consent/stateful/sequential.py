"""What should come of answers that arrive one after another: rules so small that one can see it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import Final

from comal_runtime.consent import Group, Route

from .people import ANA, BO, CY, DI

Roles = Mapping[str, frozenset[str]]
"""The roles that each person holds at a moment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seats:
    """So many people of a role, or named ones, who must say yes at a stage."""

    of: str
    number: int = 1
    stage: int = 1

    def fits(self, person: str, roles: Roles) -> bool:
        """Tell whether somebody may take one of these seats."""
        return person == self.of or self.of in roles.get(person, frozenset())


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The seats that must be taken, stage by stage, and how many noes end it."""

    seats: tuple[Seats, ...]
    noes: int = 1
    reason: bool = False

    def begun(self, yes: Sequence[str], roles: Roles) -> list[Seats]:
        """Return the single seats of every stage up to the first that these people cannot fill."""
        begun: list[Seats] = []
        for stage in sorted({one.stage for one in self.seats}):
            begun += [one for one in self.seats if one.stage == stage for _ in range(one.number)]
            if not _all_taken(begun, yes, roles):
                break
        return begun

    def is_full(self, yes: Sequence[str], roles: Roles) -> bool:
        """Tell whether these people can take every seat, one each."""
        return _all_taken([one for one in self.seats for _ in range(one.number)], yes, roles)


RULES: Final[Mapping[str, Rules]] = {
    "single": Rules(seats=(Seats(of="finance"),)),
    "dual": Rules(seats=(Seats(of="finance", number=2),)),
    "two of three, two noes": Rules(seats=(Seats(of="finance", number=2),), noes=2),
    "two groups": Rules(seats=(Seats(of="finance"), Seats(of="safety"))),
    "two stages": Rules(seats=(Seats(of="finance"), Seats(of=DI, stage=2))),
    "with a reason": Rules(seats=(Seats(of="finance"),), reason=True),
}

HELD: Final[Roles] = {
    ANA: frozenset({"finance"}),
    BO: frozenset({"finance", "safety"}),
    CY: frozenset({"finance"}),
    DI: frozenset({"safety"}),
}
"""Ana asks, so that her role is worth nothing."""


def route_of(rules: Rules) -> Route:
    """Return the rules as a route of refunds says them."""
    groups = tuple(
        Group(approvers=(_spelled(one.of),), k=one.number, stage=one.stage) for one in rules.seats
    )
    return Route(
        name="money",
        tool="refund",
        groups=groups,
        reject_threshold=rules.noes,
        reason=rules.reason,
    )


@dataclass(slots=True)
class Asked:
    """One question and what was said to it so far."""

    rules: Rules
    requester: str
    expires_at: float
    said: dict[str, bool] = field(default_factory=dict)
    ended: bool = False

    def hears(self, person: str, yes: bool, reason: bool, at: float, roles: Roles) -> str:
        """Take one answer; return `approved`, `rejected`, `voted`, or `nothing` if it is void."""
        if self.ended or at >= self.expires_at or person == self.requester or person in self.said:
            return "nothing"
        if not self._is_asked(person, roles):
            return "nothing"
        if self.rules.reason and not reason:
            return "nothing"
        self.said[person] = yes
        noes = [one for one, said in self.said.items() if not said and self._may(one, roles)]
        if len(noes) >= self.rules.noes:
            self.ended = True
            return "rejected"
        if self.is_granted(roles):
            self.ended = True
            return "approved"
        return "voted"

    def is_granted(self, roles: Roles) -> bool:
        """Tell whether those who said yes still fill every seat."""
        return self.rules.is_full(self._yes(roles), roles)

    def _yes(self, roles: Roles) -> list[str]:
        return [one for one, said in self.said.items() if said and self._may(one, roles)]

    def _is_asked(self, person: str, roles: Roles) -> bool:
        begun = self.rules.begun(self._yes(roles), roles)
        return any(one.fits(person, roles) for one in begun)

    def _may(self, person: str, roles: Roles) -> bool:
        return any(one.fits(person, roles) for one in self.rules.seats)


def _all_taken(seats: Sequence[Seats], people: Sequence[str], roles: Roles) -> bool:
    """Tell whether there is a way to give each seat to somebody of its own."""
    return any(
        all(seat.fits(person, roles) for seat, person in zip(seats, some, strict=True))
        for some in permutations(people, len(seats))
    )


def _spelled(of: str) -> str:
    return of if ":" in of else f"role:{of}"
