"""The inbox: every update as it came, stored before it is acknowledged."""

from dataclasses import dataclass, field

from .sql import Sql


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredUpdate:
    """One update: `raw` is the JSON text the channel gave."""

    id: int
    channel: str
    event: str
    raw: str = field(repr=False)
    state: str


class Inbox:
    """Named queries on `inbox`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def add(
        self, channel: str, event: str, digest: str, raw: str, *, now: float
    ) -> int | None:
        """Store an update; None when the same event with the same payload is there already."""
        row = await self._sql.one(
            "INSERT INTO inbox (channel, event, digest, raw, received_at) "
            "VALUES (:channel, :event, :digest, :raw, :now) ON CONFLICT DO NOTHING RETURNING id",
            {"channel": channel, "event": event, "digest": digest, "raw": raw, "now": now},
        )
        return None if row is None else int(row[0])

    async def get(self, update: int) -> StoredUpdate | None:
        """Return one stored update."""
        row = await self._sql.one(
            "SELECT id, channel, event, raw, state FROM inbox WHERE id = :id", {"id": update}
        )
        if row is None:
            return None
        return StoredUpdate(id=row[0], channel=row[1], event=row[2], raw=row[3], state=row[4])

    async def settle(self, update: int, state: str, *, error: str | None = None) -> None:
        """Mark an update `done`, or `broken` with the reason it could not be read."""
        await self._sql.execute(
            "UPDATE inbox SET state = :state, error = :error WHERE id = :id",
            {"id": update, "state": state, "error": error},
        )

    async def count(self, state: str) -> int:
        """Return how many updates are in a state."""
        row = await self._sql.one(
            "SELECT COUNT(*) FROM inbox WHERE state = :state", {"state": state}
        )
        return 0 if row is None else int(row[0])

    async def forget(self, *, before: float) -> int:
        """Drop handled updates received before a time; broken ones are kept."""
        query = "DELETE FROM inbox WHERE state = 'done' AND received_at < :before"
        return await self._sql.execute(query, {"before": before})
