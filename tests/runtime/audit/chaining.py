"""Audits over one record, and what verifying it finds, for the tests of the chain."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from comal_runtime.audit import Head, Outcome, Report, ToolAuditLogger, Verifier
from comal_runtime.context import ToolContext
from comal_runtime.record import Record, Sought, SqliteRecord
from comal_runtime.result import ToolResult
from comal_runtime.testing import FakeClock

KEY = b"a key that is long enough"


def audit_over(record: Record, **options: object) -> ToolAuditLogger:
    return ToolAuditLogger(record, FakeClock(), **{"key": KEY, **options})


def outcome(number: int = 0, **args: object) -> Outcome:
    ctx = ToolContext(principal="telegram:1", request_id=f"r{number}")
    return Outcome(1000.0 + number, ctx, "wipe", args, ToolResult.success(), "executed", 1.5, None)


async def leave(audit: ToolAuditLogger, count: int, *, begin: int = 0) -> None:
    """Audit some calls."""
    for number in range(begin, begin + count):
        audit.hand_over(outcome(number, disk="a", token="hunter2"))
    await audit.flush()


async def verified(
    record: Record, *, keys: Sequence[bytes] = (KEY,), heads: Sequence[Head] = ()
) -> Report:
    async with record.reading() as stored:
        verifier = Verifier(keys, await stored.audit.chains(), heads)
        for filed in await stored.audit.page(Sought(), after=None, limit=10_000):
            verifier.take(filed)
    return verifier.finish()


async def heads_of(record: Record) -> list[Head]:
    async with record.reading() as stored:
        return [Head(one.id, one.last, one.mac) for one in await stored.audit.chains()]


def tampered(path: Path, *statements: str) -> None:
    """Do to a record's file what somebody without the key could."""
    connection = sqlite3.connect(path)
    with connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


def file_record(folder: Path) -> SqliteRecord:
    return SqliteRecord(folder / "c.db", clock=FakeClock())
