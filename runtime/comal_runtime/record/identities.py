"""Identities: who came to be known while the host ran, their roles, and which are one person's."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field

from .sql import Sql


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentityLink:
    """Two principals that are one person from `since` until `until`; None while they still are.

    `added` is the one that was new to the person then, `anchor` the one that was there.
    """

    anchor: str
    added: str
    since: float
    until: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """All that is stored of who people are. `since` tells when each principal became known."""

    stamp: str = ""
    since: Mapping[str, float] = field(default_factory=dict)
    roles: Mapping[str, frozenset[str]] = field(default_factory=dict)
    links: tuple[IdentityLink, ...] = ()


class Identities:
    """Named queries on `identities`, their roles and links, and on `link_offers`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def stamp(self) -> str:
        """Return what is another text after every change."""
        row = await self._sql.one("SELECT stamp FROM identity_stamp WHERE one = 1", {})
        return "" if row is None else str(row[0])

    async def standing(self) -> Standing:
        """Return all of it. The stamp is read first: what changes meanwhile is read again."""
        stamp, nothing = await self.stamp(), dict[str, object]()
        since = await self._sql.all("SELECT principal, since FROM identities", nothing)
        held = await self._sql.all("SELECT principal, role FROM identity_roles", nothing)
        links = await self._sql.all(
            "SELECT anchor, added, since, until FROM identity_links ORDER BY id", nothing
        )
        roles: dict[str, set[str]] = {}
        for principal, role in held:
            roles.setdefault(str(principal), set()).add(str(role))
        return Standing(
            stamp=stamp,
            since={str(principal): float(at) for principal, at in since},
            roles={principal: frozenset(names) for principal, names in roles.items()},
            links=tuple(IdentityLink(anchor=a, added=b, since=s, until=u) for a, b, s, u in links),
        )

    async def add(self, principal: str, *, by: str, now: float) -> bool:
        """Know a principal; False when it is known."""
        changed = await self._sql.execute(
            "INSERT INTO identities (principal, since, added_by) VALUES (:principal, :now, :by) "
            "ON CONFLICT DO NOTHING",
            {"principal": principal, "by": by, "now": now},
        )
        return await self._changed(changed)

    async def give(self, principal: str, role: str, *, by: str, now: float) -> bool:
        """Give a known principal a role; False when it holds it."""
        changed = await self._sql.execute(
            "INSERT INTO identity_roles (principal, role, since, added_by) "
            "VALUES (:principal, :role, :now, :by) ON CONFLICT DO NOTHING",
            {"principal": principal, "role": role, "by": by, "now": now},
        )
        return await self._changed(changed)

    async def take(self, principal: str, role: str) -> bool:
        """Take a role from a principal; False when it was not given one."""
        changed = await self._sql.execute(
            "DELETE FROM identity_roles WHERE principal = :principal AND role = :role",
            {"principal": principal, "role": role},
        )
        return await self._changed(changed)

    async def offer(self, principal: str, other: str, *, now: float) -> None:
        """Keep that a principal names another as its own; the newest takes the last one's place."""
        await self._sql.execute(
            "INSERT INTO link_offers (principal, other, at) VALUES (:principal, :other, :now) "
            "ON CONFLICT (principal) DO UPDATE SET other = excluded.other, at = excluded.at",
            {"principal": principal, "other": other, "now": now},
        )

    async def take_offer(self, principal: str, other: str, *, since: float) -> bool:
        """Use up what `principal` offered, if it named `other` after `since`."""
        changed = await self._sql.execute(
            "DELETE FROM link_offers WHERE principal = :principal AND other = :other "
            "AND at > :since",
            {"principal": principal, "other": other, "since": since},
        )
        return changed == 1

    async def link(self, anchor: str, added: str, *, now: float) -> bool:
        """Make two principals one person; False when they are linked so."""
        changed = await self._sql.execute(
            "INSERT INTO identity_links (anchor, added, since) VALUES (:anchor, :added, :now) "
            "ON CONFLICT DO NOTHING",
            {"anchor": anchor, "added": added, "now": now},
        )
        return await self._changed(changed)

    async def unlink(self, one: str, other: str, *, now: float) -> bool:
        """End the link between two principals, whichever came first; that it was is kept."""
        changed = await self._sql.execute(
            "UPDATE identity_links SET until = :now WHERE until IS NULL "
            "AND ((anchor = :one AND added = :other) OR (anchor = :other AND added = :one))",
            {"one": one, "other": other, "now": now},
        )
        return await self._changed(changed)

    async def _changed(self, rows: int) -> bool:
        if rows:
            await self._sql.execute(
                "UPDATE identity_stamp SET stamp = :stamp WHERE one = 1",
                {"stamp": secrets.token_urlsafe(12)},
            )
        return rows > 0
