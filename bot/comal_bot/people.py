"""People as the settings name them: identities, roles, scopes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody known. `identities` are principals; all of them are this one person."""

    name: str
    identities: tuple[str, ...]
    roles: frozenset[str] = frozenset()


class PeopleDirectory:
    """Who principals are; a stranger is a person of its own with no role and no scope."""

    def __init__(self, people: Sequence[Person], scopes: Mapping[str, Sequence[str]]) -> None:
        self._people = {identity: one for one in people for identity in one.identities}
        self._scopes = {role: tuple(granted) for role, granted in scopes.items()}

    def person(self, principal: str) -> str:
        known = self._people.get(principal)
        return principal if known is None else known.identities[0]

    def roles(self, principal: str) -> frozenset[str]:
        known = self._people.get(principal)
        return frozenset() if known is None else known.roles

    def holders(self, role: str) -> tuple[str, ...]:
        """Return every identity of those who hold a role."""
        return tuple(one for one, person in self._people.items() if role in person.roles)

    def scopes(self, principal: str | None) -> tuple[str, ...]:
        """Return what this principal's roles grant; nothing for nobody."""
        if principal is None:
            return ()
        granted = {scope for role in self.roles(principal) for scope in self._scopes.get(role, ())}
        return tuple(sorted(granted))

    def name(self, principal: str) -> str | None:
        """Return the name the settings give; None for a stranger."""
        known = self._people.get(principal)
        return None if known is None else known.name
