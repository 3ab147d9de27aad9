"""Admissions: the code that makes the first owner, and strangers who asked to be let in."""

from dataclasses import dataclass, field

from .sql import Sql


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnerCode:
    """A code as it is stored: `hash` of it with `salt`, both hex."""

    id: str
    salt: str = field(repr=False)
    hash: str = field(repr=False)
    expires_at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """A stranger who asked to be let in, and what it calls itself; the chat is theirs.

    `roles` are separated by commas. `state` is open, granted, refused or expired.
    """

    question: str
    principal: str
    name: str
    roles: str
    channel: str
    chat: str
    asked_at: float
    state: str = "open"
    ended_at: float | None = None


_PAIRING = ", ".join(Pairing.__slots__)


class Admissions:
    """Named queries on `owner_codes`, `owner_code_tries` and `pairings`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def issue(self, code: OwnerCode) -> None:
        """Store a code; every other one is dead from now on."""
        await self.retire()
        await self._sql.execute(
            "INSERT INTO owner_codes (id, salt, hash, expires_at) "
            "VALUES (:id, :salt, :hash, :expires_at)",
            {name: getattr(code, name) for name in OwnerCode.__slots__},
        )

    async def code(self, *, now: float) -> OwnerCode | None:
        """Return the code that may still be used."""
        row = await self._sql.one(
            "SELECT id, salt, hash, expires_at FROM owner_codes "
            "WHERE state = 'open' AND expires_at > :now",
            {"now": now},
        )
        if row is None:
            return None
        return OwnerCode(id=row[0], salt=row[1], hash=row[2], expires_at=row[3])

    async def spend(self, code: str, *, now: float) -> bool:
        """Use a code up; of all who try only one does."""
        changed = await self._sql.execute(
            "UPDATE owner_codes SET state = 'used' "
            "WHERE id = :code AND state = 'open' AND expires_at > :now",
            {"code": code, "now": now},
        )
        return changed == 1

    async def retire(self) -> bool:
        """Make whatever code there is useless; False when there was none."""
        query = "UPDATE owner_codes SET state = 'dead' WHERE state = 'open'"
        return await self._sql.execute(query, {}) > 0

    async def missed(self, code: str, principal: str, event: str) -> tuple[int, int]:
        """Note a wrong code, once an event; how many this principal tried, and all did."""
        params = {"code": code, "principal": principal, "event": event}
        await self._sql.execute(
            "INSERT INTO owner_code_tries (code, principal, event) "
            "VALUES (:code, :principal, :event) ON CONFLICT DO NOTHING",
            params,
        )
        row = await self._sql.one(
            "SELECT SUM(CASE WHEN principal = :principal THEN 1 ELSE 0 END), COUNT(*) "
            "FROM owner_code_tries WHERE code = :code",
            {"code": code, "principal": principal},
        )
        return (0, 0) if row is None else (int(row[0]), int(row[1]))

    async def ask(self, pairing: Pairing) -> bool:
        """Store that a stranger asked to be let in; False while they wait for an answer."""
        values = ", ".join(f":{name}" for name in Pairing.__slots__)
        changed = await self._sql.execute(
            f"INSERT INTO pairings ({_PAIRING}) VALUES ({values}) ON CONFLICT DO NOTHING",
            {name: getattr(pairing, name) for name in Pairing.__slots__},
        )
        return changed == 1

    async def pairing(self, question: str) -> Pairing | None:
        """Return who asked by this question."""
        query = f"SELECT {_PAIRING} FROM pairings WHERE question = :question"
        row = await self._sql.one(query, {"question": question})
        return None if row is None else Pairing(**dict(zip(Pairing.__slots__, row, strict=True)))

    async def end(self, question: str, state: str, *, now: float) -> bool:
        """End a pairing that waits; of all who try only one does."""
        changed = await self._sql.execute(
            "UPDATE pairings SET state = :state, ended_at = :now "
            "WHERE question = :question AND state = 'open'",
            {"question": question, "state": state, "now": now},
        )
        return changed == 1

    async def waiting(self) -> int:
        """Return how many strangers wait for an answer."""
        row = await self._sql.one("SELECT COUNT(*) FROM pairings WHERE state = 'open'", {})
        return 0 if row is None else int(row[0])

    async def refused_at(self, principal: str) -> float | None:
        """Return when somebody's wish to be let in was last not granted."""
        row = await self._sql.one(
            "SELECT MAX(ended_at) FROM pairings WHERE principal = :principal AND state = 'refused'",
            {"principal": principal},
        )
        return None if row is None else row[0]
