"""Migrations bring a database to this version, or refuse it unharmed."""

import sqlite3
from pathlib import Path

import pytest

from comal_runtime.record import RecordError, SqliteRecord
from comal_runtime.record.migrate import migrations, upgrade


def test_migrations_are_numbered_from_one_without_a_gap() -> None:
    assert [number for number, _ in migrations()] == list(range(1, len(migrations()) + 1))


def test_upgrading_twice_changes_nothing_the_second_time(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "c.db", isolation_level=None)
    upgrade(connection)
    before = connection.execute("SELECT sql FROM sqlite_master").fetchall()

    upgrade(connection)

    assert connection.execute("SELECT sql FROM sqlite_master").fetchall() == before
    connection.close()


async def test_a_database_of_a_newer_program_is_refused_with_what_to_do(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "c.db")
    connection.execute("PRAGMA user_version = 999")
    connection.close()

    with pytest.raises(RecordError, match=r"999.*run the newer program"):
        SqliteRecord(tmp_path / "c.db")


async def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "c.db").write_text("this is a letter, not a database" * 99)

    with pytest.raises(RecordError, match=r"c\.db"):
        SqliteRecord(tmp_path / "c.db")
