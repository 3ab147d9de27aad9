"""The demo shop's own SQLite file: notes, orders, refunds, letters; each write once a key."""

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

APPLICATION_ID: Final = 0x436F6D44  # marks the file as the demo's
_BUSY = 10.0  # seconds to wait for another writer
_WIDEST: Final = 2**63  # Source: SQLite, an INTEGER has 64 bits.

_SCHEMA: Final = """
CREATE TABLE notes (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT NOT NULL);
CREATE TABLE orders (
  id INTEGER PRIMARY KEY, customer TEXT NOT NULL, cents INTEGER NOT NULL CHECK (cents > 0),
  refunded INTEGER NOT NULL DEFAULT 0 CHECK (refunded BETWEEN 0 AND cents)
);
CREATE TABLE refunds (
  id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL REFERENCES orders (id),
  cents INTEGER NOT NULL, key TEXT UNIQUE
);
CREATE TABLE letters (
  id INTEGER PRIMARY KEY, customer TEXT NOT NULL, text TEXT NOT NULL, key TEXT,
  UNIQUE (key, customer)
);
CREATE TABLE labels (
  id INTEGER PRIMARY KEY, customer TEXT NOT NULL, key TEXT, UNIQUE (key, customer)
);
CREATE TABLE receipts (key TEXT PRIMARY KEY, result TEXT NOT NULL);
"""
_NOTES: Final = (
    "Order more masa harina before Friday",
    "Ask Lupe about the broken griddle",
    "Blue corn tortillas sell out by noon",
)
_ORDERS: Final = (
    (1001, "Maya Lindqvist", 2490),
    (1002, "Tomás Ortega", 1250),
    (1003, "Priya Raman", 4800),
    (1004, "Jonas Weber", 990),
    (1005, "Aiko Tanaka", 3175),
    (1006, "Lucía Fernández", 15900),
    (1007, "Sam Okafor", 6450),
    (1008, "Ingrid Dahl", 2000),
)
CUSTOMERS: Final = (
    *(customer for _, customer, _ in _ORDERS),
    *("Noor Haddad", "Pedro Salas", "Chloé Martin", "Kofi Mensah"),
)

Answer = Mapping[str, object]


class ForeignFile(Exception):
    """The file is a database, but not a demo shop's; nothing was touched."""


@contextmanager
def ledger(path: Path) -> Iterator[sqlite3.Connection]:
    """Open the shop's file for one transaction, making and seeding it if it is not there.

    Raises:
        ForeignFile: It belongs to something else.
    """
    connection = sqlite3.connect(path, timeout=_BUSY, isolation_level=None)
    connection.row_factory = sqlite3.Row
    with closing(connection):
        _begin(connection, path)
        try:
            _prepare(connection, path)
            yield connection
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")


def _begin(connection: sqlite3.Connection, path: Path) -> None:
    try:
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
            raise _foreign(path) from error
        raise


def _foreign(path: Path) -> ForeignFile:
    return ForeignFile(f"{path} is not the demo's database; name another folder with --data")


def once(
    db: sqlite3.Connection, key: str | None, work: Callable[[], dict[str, object]]
) -> dict[str, object]:
    """Do `work`, or answer as it was answered before under the same key."""
    if key is not None:
        row = db.execute("SELECT result FROM receipts WHERE key = ?", (key,)).fetchone()
        if row is not None:
            before: dict[str, object] = json.loads(row["result"])
            return before
    result = work()
    if key is not None:
        text = json.dumps(result, ensure_ascii=False)
        db.execute("INSERT INTO receipts (key, result) VALUES (?, ?)", (key, text))
    return result


def storable(number: int) -> bool:
    """Tell whether SQLite can hold a number, so that a row could have it."""
    return -_WIDEST <= number < _WIDEST


def start_over(db: sqlite3.Connection) -> None:
    """Put the shop back to how it opened."""
    for table in ("notes", "refunds", "orders", "letters", "labels", "receipts"):
        db.execute(f"DELETE FROM {table}")
    db.execute("DELETE FROM sqlite_sequence")
    _seed(db)


def notes(db: sqlite3.Connection) -> list[dict[str, object]]:
    """Return the notes, oldest first."""
    return [dict(row) for row in db.execute("SELECT id, text FROM notes ORDER BY id")]


def orders(db: sqlite3.Connection) -> list[dict[str, object]]:
    """Return the orders; amounts in the shop's currency."""
    rows = db.execute("SELECT id, customer, cents, refunded FROM orders ORDER BY id")
    return [order_view(row) for row in rows]


def order_view(row: sqlite3.Row) -> dict[str, object]:
    """Return one order as people read it."""
    cents, refunded = int(row["cents"]), int(row["refunded"])
    status = "paid"
    if refunded:
        status = "refunded" if refunded == cents else "partly refunded"
    return {
        "id": row["id"],
        "customer": row["customer"],
        "amount": cents / 100,
        "refunded": refunded / 100,
        "status": status,
    }


def refunds(db: sqlite3.Connection) -> int:
    """Count the refunds ever paid."""
    return _count(db, "refunds")


def letters(db: sqlite3.Connection) -> int:
    """Count the letters ever written to customers."""
    return _count(db, "letters")


def labels(db: sqlite3.Connection) -> int:
    """Count the labels ever printed."""
    return _count(db, "labels")


def _count(db: sqlite3.Connection, table: str) -> int:
    return int(db.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0])


def _prepare(db: sqlite3.Connection, path: Path) -> None:
    found = int(db.execute("PRAGMA application_id").fetchone()[0])
    if found == APPLICATION_ID:
        return
    if found or db.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0]:
        raise _foreign(path)
    for statement in _SCHEMA.split(";"):
        db.execute(statement)
    _seed(db)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def _seed(db: sqlite3.Connection) -> None:
    db.executemany("INSERT INTO notes (text) VALUES (?)", [(text,) for text in _NOTES])
    db.executemany("INSERT INTO orders (id, customer, cents) VALUES (?, ?, ?)", _ORDERS)
