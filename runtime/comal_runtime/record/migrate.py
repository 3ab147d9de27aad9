"""Numbered migrations: what brings an empty or older database to this version."""

import sqlite3
from importlib.resources import files

from .errors import RecordError


def migrations() -> list[tuple[int, str]]:
    """Return (number, SQL) of every migration, in order."""
    folder = files(__package__) / "migrations"
    found = [(int(f.name[:4]), f.read_text()) for f in folder.iterdir() if f.name.endswith(".sql")]
    return sorted(found)


def upgrade(connection: sqlite3.Connection) -> None:
    """Apply the migrations that are missing, each in a transaction of its own.

    Raises:
        RecordError: The database was written by a newer version.
    """
    steps = migrations()
    newest = steps[-1][0]
    at = _version(connection)
    if at > newest:
        raise RecordError(
            f"the database is of version {at}, this program knows {newest}; "
            "run the newer program, or restore the backup made before it"
        )
    for number, script in steps:
        if number > at:
            _apply(connection, number, script)


def _apply(connection: sqlite3.Connection, number: int, script: str) -> None:
    try:
        connection.executescript(
            f"BEGIN IMMEDIATE;\n{script}\nPRAGMA user_version = {number};\nCOMMIT;"
        )
    except sqlite3.OperationalError:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        if _version(connection) < number:  # else a worker that started with us applied it
            raise


def _version(connection: sqlite3.Connection) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)
