"""Routes as the settings say them, and how they become those of the registry."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pydantic import Field, StrictBool, StrictInt

from comal_runtime.consent import BadRoute, Escalation, Group, Route
from comal_runtime.consent.policies import Policy as Policies
from comal_runtime.consent.policies import Unfit

from .fields import Approver, Card, Policy, Text
from .problems import hint
from .section import Section
from .wording import Duration

PERSON: Final = "person:"
_WRITTEN: Final = {"ttl": "expires", "escalation": "escalate"}
"""How the settings name what a route names otherwise."""


class GroupSettings(Section):
    """People of whom `k` must say yes; groups of one stage all must, stages follow one another."""

    name: str = ""
    approvers: tuple[Approver, ...] = ()
    k: StrictInt = 1
    stage: StrictInt = 1
    cards: tuple[Card, ...] = ()


class EscalationSettings(Section):
    """Who may answer as well after a while: people, or those of another `route`."""

    after: Duration
    approvers: tuple[Approver, ...] = ()
    cards: tuple[Card, ...] = ()
    route: Text | None = None


class RouteSettings(Section):
    """Which calls, or subjects, other people approve; `expires` and `remind` are in seconds.

    `k` people must say yes under policy `quorum`; `rule` decides under policy `auto`; `groups` take
    the place of `approvers` and `policy`. `editable` maps arguments that an approver may change to
    JSON schemas of what they may become.
    """

    name: str = ""
    tool: Text | None = None
    subject: Text | None = None
    when: str | None = None
    approvers: tuple[Approver, ...] = ()
    cards: tuple[Card, ...] = ()
    policy: Policy | None = None
    k: StrictInt | None = None
    rule: str | None = None
    reject_threshold: StrictInt = 1
    groups: tuple[GroupSettings, ...] = ()
    reason: StrictBool = False
    editable: Mapping[str, Mapping[str, Any]] = Field(default_factory=dict)
    remind: Duration | None = None
    escalate: EscalationSettings | None = None
    expires: Duration | None = None

    @property
    def title(self) -> str:
        """The route's name; a route without one is named by what it is about."""
        about = self.tool or self.subject or ""
        return self.name or (about if self.when is None else f"{about} when {self.when}")

    @property
    def asks_people(self) -> bool:
        """Whether people decide, and not a rule."""
        return self.policy != Policies.AUTO


@dataclass(frozen=True, slots=True)
class Named:
    """What the names in a route stand for: people's identities, and the other routes."""

    people: Mapping[str, Sequence[str]]
    routes: Sequence[RouteSettings]

    def made(self, said: RouteSettings) -> Route:
        """Return a route as the registry uses it.

        Raises:
            BadRoute: It cannot be used; `faults` say what is wrong, in the words of the settings.
        """
        faults = [*self._unknown(said)]
        if faults:
            raise BadRoute(f"route {said.title!r}: {faults[0].field} {faults[0].text}", faults)
        try:
            return self._made(said)
        except BadRoute as error:
            faults = [Unfit(_as_written(one.path), one.text) for one in error.faults]
            raise BadRoute(str(error), faults) from error

    def _made(self, said: RouteSettings) -> Route:
        return Route(
            name=said.title,
            tool=said.tool or "",
            subject=said.subject,
            when=said.when,
            approvers=self._principals(said.approvers),
            cards=said.cards,
            policy=said.policy,
            k=said.k,
            rule=said.rule,
            reject_threshold=said.reject_threshold,
            groups=tuple(map(self._group, said.groups)),
            reason=said.reason,
            editable=said.editable,
            remind=said.remind,
            escalation=None if said.escalate is None else self._escalation(said.escalate),
            ttl=said.expires,
        )

    def _group(self, said: GroupSettings) -> Group:
        return Group(
            name=said.name,
            approvers=self._principals(said.approvers),
            k=said.k,
            stage=said.stage,
            cards=said.cards,
        )

    def _escalation(self, said: EscalationSettings) -> Escalation:
        approvers, cards = said.approvers, said.cards
        other = next((one for one in self.routes if one.title == said.route), None)
        if other is not None:
            asked = (other.approvers, *(group.approvers for group in other.groups))
            hung = (other.cards, *(group.cards for group in other.groups))
            approvers = tuple(dict.fromkeys(one for some in asked for one in some))
            cards = cards or tuple(dict.fromkeys(one for some in hung for one in some))
        return Escalation(after=said.after, approvers=self._principals(approvers), cards=cards)

    def _principals(self, approvers: Sequence[str]) -> tuple[str, ...]:
        """Put a principal in the place of a person's name: one, since all are the same person."""
        return tuple(
            self.people[one.removeprefix(PERSON)][0] if one.startswith(PERSON) else one
            for one in approvers
        )

    def _unknown(self, said: RouteSettings) -> Iterator[Unfit]:
        """Yield the people and routes that it names and that are not there."""
        for path, approvers in approvers_in(said):
            for place, one in enumerate(approvers):
                name = one.removeprefix(PERSON)
                if one.startswith(PERSON) and not self.people.get(name):
                    known = tuple(name for name, identities in self.people.items() if identities)
                    text = f"{one!r} is nobody with an identity in [[people]]; "
                    yield Unfit((*path, place), text + (hint(name, known) if known else "add them"))
        if said.escalate is not None and said.escalate.route is not None:
            yield from self._not_to_be_named(said, said.escalate)

    def _not_to_be_named(
        self, said: RouteSettings, escalate: EscalationSettings
    ) -> Iterator[Unfit]:
        path = ("escalate", "route")
        others = {one.title: one for one in self.routes if one is not said}
        other = others.get(escalate.route or "")
        if escalate.approvers:
            yield Unfit(path, "is there beside approvers; name a route or people, not both")
        elif escalate.route == said.title:
            yield Unfit(path, f"{escalate.route!r} is this route itself; name another")
        elif other is None:
            known = tuple(others) or ("(no other)",)
            yield Unfit(
                path, f"{escalate.route!r} is no route; {hint(escalate.route or '', known)}"
            )
        elif not other.asks_people:
            yield Unfit(path, f"{escalate.route!r} asks nobody: a rule decides there")


def approvers_in(said: RouteSettings) -> Iterator[tuple[tuple[str | int, ...], Sequence[str]]]:
    """Yield each list of approvers of a route, and where it stands."""
    yield ("approvers",), said.approvers
    for place, group in enumerate(said.groups):
        yield ("groups", place, "approvers"), group.approvers
    if said.escalate is not None:
        yield ("escalate", "approvers"), said.escalate.approvers


def cards_in(said: RouteSettings) -> Iterator[tuple[tuple[str | int, ...], Sequence[str]]]:
    """Yield each list of cards of a route, and where it stands."""
    yield ("cards",), said.cards
    for place, group in enumerate(said.groups):
        yield ("groups", place, "cards"), group.cards
    if said.escalate is not None:
        yield ("escalate", "cards"), said.escalate.cards


def _as_written(path: tuple[str | int, ...]) -> tuple[str | int, ...]:
    head = path[0]
    return (_WRITTEN.get(head, head) if isinstance(head, str) else head, *path[1:])
