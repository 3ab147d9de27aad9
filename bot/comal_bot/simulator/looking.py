"""Reads the bot's record and the shop's data beside their owners, never writing."""

import asyncio
import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from comal_renderers.visible import visible

from .folder import DemoFolder
from .ledger import labels, letters, notes, orders, refunds

Rows = Sequence[dict[str, object]]
_SHOWN = 60  # audit records the page keeps in sight
_WAIT = 2.0  # seconds to wait for a writer

_AUDIT = (
    "SELECT seq, at, principal, origin, tool, decision, code, took_ms, args, question "
    "FROM audit ORDER BY seq DESC LIMIT ?"
)
_OPEN = "SELECT COUNT(*) FROM questions WHERE state = 'open'"
_ACT = "SELECT a.state FROM acts a JOIN cards c ON c.question = a.key WHERE c.id = ?"
_TAPS: Final = frozenset({"answer_question", "resolve_verification"})
_UNTOLD: Final = frozenset({"request_id", "principal"})  # of a tap; the row names who it was


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """What is stored now: newest audit records first, the shop, counts."""

    audit: Rows = ()
    open_questions: int = 0
    notes: Rows = ()
    orders: Rows = ()
    refunds: int = 0
    letters: int = 0
    labels: int = 0


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
            letters=letters(db),
            labels=labels(db),
        )


def _record(path: Path) -> tuple[Rows, int]:
    try:
        with closing(_open(path)) as db:
            audit = [_shown(dict(row)) for row in db.execute(_AUDIT, (_SHOWN,))]
            return audit, int(db.execute(_OPEN).fetchone()[0])
    except sqlite3.OperationalError:  # the bot has not made it yet
        return (), 0


def _shown(row: dict[str, object]) -> dict[str, object]:
    """Return an audit row as the page shows it: who made the call, its arguments as text."""
    by = "hand"
    if row["origin"] == "model":
        by = "model"
    elif row["tool"] not in _TAPS and row["question"] is not None:
        by = "host"
    return {**row, "by": by, "args": told(str(row["args"]))}


def told(args: str) -> str:
    """Return the JSON of arguments as one line; numbers stay as they were written."""
    try:
        fields: object = json.loads(args, parse_int=str, parse_float=str)
    except ValueError:
        return ""
    if not isinstance(fields, Mapping):
        return ""
    return ", ".join(
        f"{visible(name)}: {_value(value)}"
        for name, value in fields.items()
        if value is not None and name not in _UNTOLD
    )


def _value(value: object) -> str:
    match value:
        case str():
            return visible(value)
        case bool() | None:
            return json.dumps(value)
        case list():
            return f"[{', '.join(map(_value, value))}]"
        case dict():
            return f"{{{', '.join(f'{visible(k)}: {_value(v)}' for k, v in value.items())}}}"
        case _:
            return visible(str(value))


async def act_of(folder: DemoFolder, card: str) -> str | None:
    """Return the state of the act behind a card, by the card's id; None while there is none."""

    def read() -> str | None:
        try:
            with closing(_open(folder.record)) as db:
                row = db.execute(_ACT, (card,)).fetchone()
        except sqlite3.OperationalError:  # the bot has not made it yet
            return None
        return None if row is None else str(row["state"])

    return await asyncio.to_thread(read)


def _open(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=_WAIT)
    db.row_factory = sqlite3.Row
    return db
