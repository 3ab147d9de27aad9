"""Work that follows a transaction: rows in lanes, first in first out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from .sql import Row, Sql

_FREE_RETURNS: Final = 20  # times a stopping worker may give a job back before that counts


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Something to do: `kind` chooses the handler, `key` names the row it is about.

    Jobs of one `lane` run one at a time in the order they were deferred.
    """

    kind: str
    lane: str
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedJob:
    """A job that one worker holds until its lease ends."""

    id: int
    job: Job
    attempts: int


class Jobs:
    """Named queries on `jobs`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def add(self, job: Job, *, run_at: float) -> None:
        """Put a job at the end of its lane, due at `run_at`."""
        await self._sql.execute(
            "INSERT INTO jobs (lane, kind, key, run_at) VALUES (:lane, :kind, :key, :run_at)",
            {"lane": job.lane, "kind": job.kind, "key": job.key, "run_at": run_at},
        )

    async def claim(
        self, owner: str, *, now: float, lease_until: float, limit: int
    ) -> list[ClaimedJob]:
        """Take up to `limit` heads of lanes that are due and that nobody holds."""
        rows = await self._sql.all(
            "UPDATE jobs SET owner = :owner, lease_until = :lease, attempts = attempts + 1 "
            "WHERE id IN (SELECT j.id FROM jobs j WHERE j.dead = 0 AND j.run_at <= :now "
            "AND (j.owner IS NULL OR j.lease_until < :now) AND NOT EXISTS (SELECT 1 FROM jobs b "
            "WHERE b.lane = j.lane AND b.id < j.id AND b.dead = 0) ORDER BY j.id LIMIT :limit) "
            "RETURNING id, kind, lane, key, attempts",
            {"owner": owner, "lease": lease_until, "now": now, "limit": limit},
        )
        return sorted((_claimed(row) for row in rows), key=lambda claimed: claimed.id)

    async def renew(self, owner: str, ids: Sequence[int], *, lease_until: float) -> None:
        """Hold the given jobs longer, where they are still held by `owner`."""
        for job in ids:
            await self._sql.execute(
                "UPDATE jobs SET lease_until = :lease WHERE id = :id AND owner = :owner",
                {"lease": lease_until, "id": job, "owner": owner},
            )

    async def finish(self, job: int, owner: str) -> bool:
        """Remove a job that is done; False when another worker took it meanwhile."""
        query = "DELETE FROM jobs WHERE id = :id AND owner = :owner"
        return await self._sql.execute(query, {"id": job, "owner": owner}) == 1

    async def release(
        self, job: int, owner: str, *, run_at: float, error: str | None, failed: bool
    ) -> None:
        """Give a job back, due again at `run_at`.

        Only a `failed` try counts as one, and each return after the first twenty: what never fits
        into a worker's life is failing too.
        """
        await self._sql.execute(
            "UPDATE jobs SET owner = NULL, lease_until = 0, run_at = :run_at, error = :error, "
            "attempts = attempts - CASE WHEN :failed OR returned >= :free THEN 0 ELSE 1 END, "
            "returned = returned + CASE WHEN :failed THEN 0 ELSE 1 END "
            "WHERE id = :id AND owner = :owner",
            {
                "id": job,
                "owner": owner,
                "run_at": run_at,
                "error": error,
                "failed": failed,
                "free": _FREE_RETURNS,
            },
        )

    async def bury(self, job: int, owner: str, *, error: str) -> bool:
        """Set a job aside that failed too often; False when another worker took it meanwhile."""
        buried = await self._sql.execute(
            "UPDATE jobs SET dead = 1, owner = NULL, error = :error "
            "WHERE id = :id AND owner = :owner",
            {"id": job, "owner": owner, "error": error},
        )
        return buried == 1

    async def next_due(self) -> float | None:
        """Return when the earliest living job that nobody holds is due, or None."""
        row = await self._sql.one(
            "SELECT MIN(CASE WHEN owner IS NULL THEN run_at ELSE lease_until END) "
            "FROM jobs WHERE dead = 0",
            {},
        )
        return None if row is None or row[0] is None else float(row[0])

    async def count(self) -> int:
        """Return how many living jobs there are, held ones included."""
        row = await self._sql.one("SELECT COUNT(*) FROM jobs WHERE dead = 0", {})
        return 0 if row is None else int(row[0])


def _claimed(row: Row) -> ClaimedJob:
    job = Job(kind=row[1], lane=row[2], key=row[3])
    return ClaimedJob(id=row[0], job=job, attempts=row[4])
