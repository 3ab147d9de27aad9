"""Receipts: signed accounts of how questions ended, each of which names the one before it."""

from dataclasses import dataclass, field

from .sql import Row, Sql


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredReceipt:
    """A receipt; `number` counts from 1, `state` names what it tells, `digest` is its payload's."""

    question: str
    number: int
    state: str
    digest: str
    body: str = field(repr=False)
    made_at: float


_NAMES = tuple(StoredReceipt.__slots__)
_COLUMNS = ", ".join(_NAMES)
_VALUES = ", ".join(f":{name}" for name in _NAMES)


class Receipts:
    """Named queries on `receipts`. What is stored is never changed."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def add(self, receipt: StoredReceipt) -> bool:
        """Keep a receipt; False when its number is taken: another worker was faster."""
        row = {name: getattr(receipt, name) for name in _NAMES}
        query = f"INSERT INTO receipts ({_COLUMNS}) VALUES ({_VALUES}) ON CONFLICT DO NOTHING"
        return await self._sql.execute(query, row) == 1

    async def latest(self, question: str) -> StoredReceipt | None:
        """Return the newest receipt of a question."""
        row = await self._sql.one(
            f"SELECT {_COLUMNS} FROM receipts WHERE question = :question "
            "ORDER BY number DESC LIMIT 1",
            {"question": question},
        )
        return None if row is None else _receipt(row)

    async def of(self, question: str) -> list[StoredReceipt]:
        """Return every receipt of a question, oldest first."""
        rows = await self._sql.all(
            f"SELECT {_COLUMNS} FROM receipts WHERE question = :question ORDER BY number",
            {"question": question},
        )
        return [_receipt(row) for row in rows]


def _receipt(row: Row) -> StoredReceipt:
    return StoredReceipt(**dict(zip(_NAMES, row, strict=True)))
