"""Opening an SQLite file as a record: ours alone to read, and surely a record."""

import os
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from .errors import RecordError
from .migrate import upgrade

_BUSY: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_PATIENCE: Final = 10.0  # seconds to wait for another process that writes
_ELSEWHERE: Final = "give the record another place with [data] url"
_APPLICATION: Final = 0x434F4D4C  # marks a file as a record. Source: sqlite.org/pragma.html


def open_writer(path: Path | None) -> sqlite3.Connection:
    """Open a record for writing, brought to this version; None opens one in memory.

    Raises:
        RecordError: It cannot be opened, is damaged, or is another program's; says what mends it.
    """
    try:
        if path is not None:
            _make_private(path)
        connection = _connect(":memory:" if path is None else path, timeout=0)
        _claim(connection, path)
        if path is not None:
            patiently(lambda: connection.execute("PRAGMA journal_mode = WAL"))
        connection.execute("PRAGMA foreign_keys = ON")
        patiently(lambda: upgrade(connection))
    except OSError as error:
        raise RecordError(
            f"cannot open the record at {path}: {error.strerror or error}; {_ELSEWHERE}"
        ) from error
    except sqlite3.Error as error:
        raise RecordError(f"cannot open the record at {path}: {error}; {_mend(error)}") from error
    return connection


def open_reader(path: Path) -> sqlite3.Connection:
    """Open the file of an open record a second time, for reading only."""
    connection = _connect(path, timeout=1)
    connection.execute("PRAGMA query_only = ON")
    return connection


def is_busy(error: sqlite3.Error) -> bool:
    """Tell whether somebody else holds the file, so that waiting helps."""
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in _BUSY


def patiently(work: Callable[[], object]) -> None:
    """Do what must wait for other processes; SQLite's own busy timeout does not cover all of it."""
    give_up_at = time.monotonic() + _PATIENCE
    while True:
        try:
            work()
            return
        except sqlite3.Error as error:
            if not is_busy(error) or time.monotonic() > give_up_at:
                raise
            time.sleep(0.002)


def _connect(where: str | Path, *, timeout: float) -> sqlite3.Connection:
    return sqlite3.connect(
        where,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=512,
        timeout=timeout,
    )


def _make_private(path: Path) -> None:
    """Make a missing file readable by its owner alone; SQLite's own files beside it follow."""
    if not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))


def _claim(connection: sqlite3.Connection, path: Path | None) -> None:
    """Mark a new file as a record, as one act; refuse one that holds something else."""
    patiently(lambda: connection.execute("BEGIN IMMEDIATE"))
    try:
        (owner,) = connection.execute("PRAGMA application_id").fetchone()
        (tables,) = connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
        if owner != _APPLICATION and tables:
            raise RecordError(f"{path} is another program's database; {_ELSEWHERE}")
        if owner != _APPLICATION:
            connection.execute(f"PRAGMA application_id = {_APPLICATION}")
    finally:  # readers hold a COMMIT up before the file is in WAL mode
        patiently(lambda: connection.execute("COMMIT"))


def _mend(error: sqlite3.Error) -> str:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return f"put a backup in its place, or move it away to begin anew; or {_ELSEWHERE}"
    return _ELSEWHERE
