"""Overrides: what somebody at the machine did without being entitled to it."""

from dataclasses import dataclass, field

from .sql import Sql


@dataclass(frozen=True, slots=True, kw_only=True)
class Override:
    """One act of breaking the glass: who, what they `did`, and why.

    `conversation` is that of the person it is about, who hears of it as the owners do.
    """

    id: str
    principal: str
    reason: str
    did: str = field(repr=False)
    conversation: str | None
    at: float


_NAMES = tuple(Override.__slots__)
_COLUMNS = ", ".join(_NAMES)
_VALUES = ", ".join(f":{name}" for name in _NAMES)


class Overrides:
    """Named queries on `overrides`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def add(self, override: Override) -> bool:
        """Keep what was done; False when it is kept already."""
        row = {name: getattr(override, name) for name in _NAMES}
        query = f"INSERT INTO overrides ({_COLUMNS}) VALUES ({_VALUES}) ON CONFLICT DO NOTHING"
        return await self._sql.execute(query, row) == 1

    async def get(self, override: str) -> Override | None:
        """Return the override with this id."""
        row = await self._sql.one(
            f"SELECT {_COLUMNS} FROM overrides WHERE id = :id", {"id": override}
        )
        return None if row is None else Override(**dict(zip(_NAMES, row, strict=True)))
