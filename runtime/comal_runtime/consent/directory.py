"""Who principals are: one protocol, and the directory that knows nobody."""

from collections.abc import Sequence
from typing import Protocol

from ..record import Repositories, Transaction


class Directory(Protocol):
    """Who principals are."""

    async def refresh(self, stored: Repositories | Transaction) -> None:
        """Learn what the record knows by now; awaited before a vote counts and before it runs."""
        ...

    def person(self, principal: str) -> str:
        """Return one name for everybody this principal is; itself when nothing is known."""
        ...

    def roles(self, principal: str) -> frozenset[str]:
        """Return the roles this principal holds."""
        ...

    def ever_one(self, principal: str, other: str, since: float) -> bool:
        """Tell whether two principals are one person, or were at any time from `since` on."""
        ...

    def counts(self, principal: str, at: float) -> bool:
        """Tell whether what this principal said at `at` counts; a fresh link's does not."""
        ...


class Strangers:
    """A directory that knows nobody: every principal is a person of its own."""

    async def refresh(self, stored: Repositories | Transaction) -> None:
        """There is nothing to learn."""

    def person(self, principal: str) -> str:
        return principal

    def roles(self, principal: str) -> frozenset[str]:
        return frozenset()

    def ever_one(self, principal: str, other: str, since: float) -> bool:
        return self.person(principal) == self.person(other)

    def counts(self, principal: str, at: float) -> bool:
        return True


def is_among(named: Sequence[str], principal: str | None, directory: Directory) -> bool:
    """Tell whether somebody is one of these principals' people, or holds one of these roles."""
    if principal is None:
        return False
    person, roles = directory.person(principal), directory.roles(principal)
    for one in named:
        kind, _, name = one.partition(":")
        if name in roles if kind == "role" else directory.person(one) == person:
            return True
    return False
