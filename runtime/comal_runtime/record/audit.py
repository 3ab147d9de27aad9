"""The audit trail: one record a call, whatever ended it."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from .sql import Row, Sql


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRecord:
    """How one call went. `args` is redacted canonical JSON, `args_digest` covers the true ones.

    `decision` names the path that ended it; `took_ms` is milliseconds, `output_bytes` UTF-8.
    """

    at: float
    request_id: str
    ip: str | None
    channel: str
    principal: str | None
    conversation: str | None
    origin: str
    tool: str
    decision: str
    code: str | None
    took_ms: float
    output_bytes: int
    args: str = field(repr=False)
    args_digest: str
    question: str | None


_NAMES = tuple(AuditRecord.__slots__)
_COLUMNS = ", ".join(_NAMES)
_VALUES = ", ".join(f":{name}" for name in _NAMES)


class Audit:
    """Named queries on `audit`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def add(self, records: Iterable[AuditRecord]) -> None:
        """Append records in the order given."""
        for record in records:
            await self._sql.execute(
                f"INSERT INTO audit ({_COLUMNS}) VALUES ({_VALUES})",
                {name: getattr(record, name) for name in _NAMES},
            )

    async def after(self, seq: int, *, limit: int) -> list[tuple[int, AuditRecord]]:
        """Return records past a sequence number, oldest first."""
        rows = await self._sql.all(
            f"SELECT seq, {_COLUMNS} FROM audit WHERE seq > :seq ORDER BY seq LIMIT :limit",
            {"seq": seq, "limit": limit},
        )
        return [(row[0], _record(row[1:])) for row in rows]

    async def keep_newest(self, count: int) -> None:
        """Drop all but the newest `count` records: for records that live in memory only."""
        await self._sql.execute(
            "DELETE FROM audit WHERE seq <= (SELECT MAX(seq) FROM audit) - :count",
            {"count": count},
        )


def _record(row: Row) -> AuditRecord:
    return AuditRecord(**dict(zip(_NAMES, row, strict=True)))
