"""When budgets are full again: the state of rate limits that outlives a process."""

from dataclasses import dataclass
from typing import Final

from ..clock import Clock
from .sql import Sql

_AHEAD: Final = (
    "(CASE WHEN limits.boot_id = :boot_id THEN limits.full_boot - :boot "
    "ELSE limits.full_at - :now END)"
)
"""Seconds until a budget is full: by the boot clock where that compares, else by the wall's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """Now, by both clocks: boot times compare only under one `boot_id`."""

    now: float
    boot: float
    boot_id: str

    @classmethod
    def of(cls, clock: Clock) -> "Moment":
        """Read both clocks."""
        return cls(now=clock.now(), boot=clock.boot(), boot_id=clock.boot_id())


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """A budget that is not full. `ahead` is in seconds: so long it takes to be."""

    key: str
    ahead: float


class Limits:
    """Named queries on `limits`. Every key is `<channel>:<caller>:<tool>`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def ahead(self, key: str, moment: Moment) -> float:
        """Return the seconds until the key's budget is full; 0 if it is."""
        row = await self._sql.one(
            f"SELECT {_AHEAD} FROM limits WHERE key = :key", _params(key, moment)
        )
        return 0.0 if row is None else max(0.0, float(row[0]))

    async def take(self, key: str, takes: float, *, most: float, moment: Moment) -> bool:
        """Put the key `takes` seconds further ahead if that is no more than `most`; whether."""
        row = await self._sql.one(
            "INSERT INTO limits (key, boot_id, full_boot, full_at) "
            "VALUES (:key, :boot_id, :boot + :takes, :now + :takes) "
            "ON CONFLICT (key) DO UPDATE SET boot_id = excluded.boot_id, "
            f"full_boot = excluded.full_boot + CASE WHEN {_AHEAD} > 0 THEN {_AHEAD} ELSE 0 END, "
            f"full_at = excluded.full_at + CASE WHEN {_AHEAD} > 0 THEN {_AHEAD} ELSE 0 END "
            f"WHERE {_AHEAD} + :takes <= :most RETURNING key",
            {**_params(key, moment), "takes": takes, "most": most},
        )
        return row is not None

    async def bring_in(self, key: str, *, most: float, moment: Moment) -> None:
        """Put the key no more than `most` seconds ahead."""
        await self._sql.execute(
            "UPDATE limits SET boot_id = :boot_id, full_boot = :boot + :most, "
            f"full_at = :now + :most WHERE key = :key AND {_AHEAD} > :most",
            {**_params(key, moment), "most": most},
        )

    async def spent(self, moment: Moment, *, limit: int) -> list[Spent]:
        """Return the budgets that are not full, the emptiest first."""
        rows = await self._sql.all(
            f"SELECT key, {_AHEAD} FROM limits WHERE {_AHEAD} > 0 ORDER BY 2 DESC, 1 LIMIT :limit",
            {**_params("", moment), "limit": limit},
        )
        return [Spent(key=str(key), ahead=float(ahead)) for key, ahead in rows]

    async def refill(self, key: str) -> bool:
        """Fill a budget up at once; False if it was full."""
        return await self._sql.execute("DELETE FROM limits WHERE key = :key", {"key": key}) == 1

    async def forget_full(self, moment: Moment) -> int:
        """Delete what is full again; how many budgets were."""
        return await self._sql.execute(
            f"DELETE FROM limits WHERE {_AHEAD} <= 0", _params("", moment)
        )


def _params(key: str, moment: Moment) -> dict[str, object]:
    return {"key": key, "boot_id": moment.boot_id, "boot": moment.boot, "now": moment.now}
