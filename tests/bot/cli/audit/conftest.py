"""A folder whose record holds audited calls."""

import asyncio
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from comal_runtime.audit import Outcome, ToolAuditLogger, key_from_file
from comal_runtime.context import ToolContext
from comal_runtime.record import SqliteRecord
from comal_runtime.result import ToolResult
from comal_runtime.testing import FakeClock

Fill = Callable[..., None]


def outcome(tool: str = "pay", *, who: str = "telegram:42", age: float = 0.0, **args: object):
    ctx = ToolContext(principal=who, channel="telegram", request_id="r1")
    result = ToolResult.success()
    return Outcome(time.time() - age, ctx, tool, args, result, "executed", 1.5, None)


async def stored(path: Path, key: bytes, *outcomes: Outcome) -> None:
    record = SqliteRecord(path, hosted=False)
    audit = ToolAuditLogger(record, FakeClock(), key=key)
    for one in outcomes:
        audit.hand_over(one)
    await audit.aclose()
    await record.aclose()


@pytest.fixture
def fill(folder: Path) -> Fill:
    """Audit some calls as a host in this folder does."""
    key = key_from_file(folder / "comal.db.audit-key", create=True)
    return lambda *outcomes: asyncio.run(stored(folder / "comal.db", key, *outcomes))


def tampered(folder: Path, statement: str) -> None:
    connection = sqlite3.connect(folder / "comal.db")
    with connection:
        connection.execute(statement)
    connection.close()
