"""Leases: named ones that one process holds, and each process's own life sign."""

from .sql import Sql


class Leases:
    """Named queries on `leases` and `instances`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def hold(self, name: str, owner: str, *, now: float, until: float) -> bool:
        """Take or renew a lease; False while somebody else holds it."""
        changed = await self._sql.execute(
            "INSERT INTO leases (name, owner, until) VALUES (:name, :owner, :until) "
            "ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, until = excluded.until "
            "WHERE leases.owner = excluded.owner OR leases.until < :now",
            {"name": name, "owner": owner, "now": now, "until": until},
        )
        return changed == 1

    async def drop(self, name: str, owner: str) -> None:
        """Give a lease up."""
        await self._sql.execute(
            "DELETE FROM leases WHERE name = :name AND owner = :owner",
            {"name": name, "owner": owner},
        )

    async def live(
        self, instance: str, *, boot_id: str, lease_boot: float, lease_at: float
    ) -> None:
        """Say that a process lives until these times (boot clock and wall clock)."""
        await self._sql.execute(
            "INSERT INTO instances (id, boot_id, lease_boot, lease_at) "
            "VALUES (:id, :boot_id, :lease_boot, :lease_at) ON CONFLICT (id) DO UPDATE SET "
            "lease_boot = excluded.lease_boot, lease_at = excluded.lease_at",
            {"id": instance, "boot_id": boot_id, "lease_boot": lease_boot, "lease_at": lease_at},
        )

    async def lives(self, instance: str, *, boot_id: str, boot: float, now: float) -> bool:
        """Tell whether a process has said that it lives until now or longer.

        Boot times are compared under the same boot only; under another the wall clock stands in.
        """
        row = await self._sql.one(
            "SELECT 1 FROM instances WHERE id = :id AND CASE WHEN boot_id = :boot_id "
            "THEN lease_boot >= :boot ELSE lease_at >= :now END",
            {"id": instance, "boot_id": boot_id, "boot": boot, "now": now},
        )
        return row is not None
