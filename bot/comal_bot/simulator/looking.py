"""Reads the bot's record and the shop's data beside their owners, never writing."""

import asyncio
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from .folder import DemoFolder
from .ledger import notes, orders, refunds

Rows = Sequence[dict[str, object]]
_SHOWN = 60  # audit records the page keeps in sight
_WAIT = 2.0  # seconds to wait for a writer

_AUDIT = (
    "SELECT seq, at, principal, origin, tool, decision, code, took_ms, args "
    "FROM audit ORDER BY seq DESC LIMIT ?"
)
_OPEN = "SELECT COUNT(*) FROM questions WHERE state = 'open'"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """What is stored now: newest audit records first, the shop, counts."""

    audit: Rows = ()
    open_questions: int = 0
    notes: Rows = ()
    orders: Rows = ()
    refunds: int = 0


async def look(folder: DemoFolder) -> Stored:
    """Return what is stored; what is not there yet is empty."""
    return await asyncio.to_thread(_look, folder)


def _look(folder: DemoFolder) -> Stored:
    audit, waiting = _record(folder.record)
    with closing(_open(folder.shop)) as db:
        return Stored(
            audit=audit,
            open_questions=waiting,
            notes=notes(db),
            orders=orders(db),
            refunds=refunds(db),
        )


def _record(path: Path) -> tuple[Rows, int]:
    try:
        with closing(_open(path)) as db:
            audit = [dict(row) for row in db.execute(_AUDIT, (_SHOWN,))]
            return audit, int(db.execute(_OPEN).fetchone()[0])
    except sqlite3.OperationalError:  # the bot has not made it yet
        return (), 0


def _open(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=_WAIT)
    db.row_factory = sqlite3.Row
    return db
