"""People: those of the settings, and what the record knows besides: roles given, links made.

A link makes two accounts one person, who counts once and never decides about what either of them
asked for. It moves no role: each account has those that it was given itself.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from comal_runtime.record import IdentityLink, Repositories, Standing, Transaction

LINK_RESTS: Final = 24 * 3600.0
"""Seconds after a link was made until what the new identity says counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody known. `identities` are principals; all of them are this one person."""

    name: str
    identities: tuple[str, ...]
    roles: frozenset[str] = frozenset()


class PeopleDirectory:
    """Who principals are; a stranger is a person of its own with no role and no scope.

    `deciding` are those who approve something, spelled as routes spell them.
    """

    def __init__(
        self,
        people: Sequence[Person],
        scopes: Mapping[str, Sequence[str]],
        deciding: Collection[str] = (),
    ) -> None:
        self._told = tuple(people)
        self._people = {identity: one for one in people for identity in one.identities}
        self._scopes = {role: tuple(granted) for role, granted in scopes.items()}
        self._deciding = frozenset(deciding)
        self._stored = Standing()
        self._persons: Mapping[str, str] = {}
        self._known = self._told

    async def refresh(self, stored: Repositories | Transaction) -> None:
        """Learn of the roles and links that the record knows by now, if they changed."""
        if await stored.identities.stamp() == self._stored.stamp:
            return
        self._stored = await stored.identities.standing()
        self._persons = self._joined(link for link in self._stored.links if link.until is None)
        self._known = (*self._told, *self._apart())

    def person(self, principal: str) -> str:
        return self._persons.get(principal) or self._told_person(principal)

    def ever_one(self, principal: str, other: str, since: float) -> bool:
        if self.person(principal) == self.person(other):
            return True
        links = self._stored.links
        persons = self._joined(one for one in links if one.until is None or one.until >= since)
        one, two = self._told_person(principal), self._told_person(other)
        return persons.get(principal, one) == persons.get(other, two)

    def counts(self, principal: str, at: float) -> bool:
        """Tell whether what this principal said at `at` counts; not on the first day of a link."""
        return not any(
            link.added == principal and link.since <= at < _rested(link)
            for link in self._stored.links
        )

    def roles(self, principal: str) -> frozenset[str]:
        told = self._people.get(principal)
        own = self._stored.roles.get(principal, frozenset())
        return own if told is None else own | told.roles

    def given(self, principal: str) -> frozenset[str]:
        """Return the roles that this principal was given while the host ran."""
        return self._stored.roles.get(principal, frozenset())

    def known(self) -> tuple[Person, ...]:
        """Return everybody who is known: those of the settings, then each identity by itself.

        Nobody but those of the settings has a name here that somebody else did not choose.
        """
        return self._known

    def is_told(self, principal: str) -> bool:
        """Tell whether somebody is in the settings."""
        return principal in self._people

    def is_known(self, principal: str) -> bool:
        """Tell whether somebody is in the settings, was let in, or is one person with such."""
        return any(
            self.is_told(one) or one in self._stored.since for one in self.accounts(principal)
        )

    def accounts(self, principal: str) -> tuple[str, ...]:
        """Return every principal that is this person now, the given one first."""
        mine = self.person(principal)
        linked = (one for one, person in self._persons.items() if person == mine)
        told = self._people.get(mine)
        return tuple(dict.fromkeys((principal, *(told.identities if told else ()), *linked)))

    def links_of(self, principal: str) -> tuple[IdentityLink, ...]:
        """Return the links of a principal that hold now."""
        return tuple(
            link
            for link in self._stored.links
            if link.until is None and principal in (link.anchor, link.added)
        )

    def is_named(self, principal: str) -> bool:
        """Tell whether a route names this very person, not a role of theirs, to decide."""
        return any(
            one in self._deciding or f"person:{self.name(one)}" in self._deciding
            for one in self.accounts(principal)
        )

    def decides(self, principal: str) -> bool:
        """Tell whether this person, by whichever account, may decide what others ask for."""
        held = (role for one in self.accounts(principal) for role in self.roles(one))
        return self.is_named(principal) or any(f"role:{role}" in self._deciding for role in held)

    def holders(self, role: str) -> tuple[str, ...]:
        """Return every identity that holds a role."""
        everybody = dict.fromkeys((*self._people, *self._stored.roles))
        return tuple(one for one in everybody if role in self.roles(one))

    def scopes(self, principal: str | None) -> tuple[str, ...]:
        """Return what this principal's roles grant; nothing for nobody."""
        if principal is None:
            return ()
        granted = {scope for role in self.roles(principal) for scope in self._scopes.get(role, ())}
        return tuple(sorted(granted))

    def name(self, principal: str) -> str | None:
        """Return the name the settings give; None for a stranger, linked to whomever."""
        known = self._people.get(principal)
        return None if known is None else known.name

    def _apart(self) -> Iterator[Person]:
        """Yield those of the record, each identity by itself, as each has its own roles."""
        for one in sorted(self._stored.since):
            if self.given(one) or not self.is_told(one):
                yield Person(name=self.name(one) or one, identities=(one,), roles=self.given(one))

    def _told_person(self, principal: str) -> str:
        told = self._people.get(principal)
        return principal if told is None else told.identities[0]

    def _joined(self, links: Iterable[IdentityLink]) -> Mapping[str, str]:
        """Name everybody who is one person by links after one of them, if possible a told one."""
        groups: list[set[str]] = []
        for link in links:
            both = {*self._told_accounts(link.anchor), *self._told_accounts(link.added)}
            joined = [group for group in groups if group & both]
            groups = [group for group in groups if not group & both]
            groups.append(both.union(*joined))
        return {one: self._first(group) for group in groups for one in group}

    def _told_accounts(self, principal: str) -> Iterator[str]:
        told = self._people.get(principal)
        yield from (principal,) if told is None else told.identities

    def _first(self, group: set[str]) -> str:
        told = sorted(self._told_person(one) for one in group if one in self._people)
        return told[0] if told else min(group)


def _rested(link: IdentityLink) -> float:
    """Return from when on the new identity of a link counts: a day later, or once it ended."""
    rested = link.since + LINK_RESTS
    return rested if link.until is None else min(rested, link.until)
