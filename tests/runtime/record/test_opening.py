"""Opening a file as a record: private, and surely one of ours."""

import sqlite3
import stat
from pathlib import Path

import pytest

from comal_runtime.record import RecordError, SqliteRecord


async def test_a_new_record_can_be_read_by_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "new.db"

    record = SqliteRecord(path)
    async with record.transaction() as tx:
        await tx.people.see("telegram:1", "Ana", now=1.0)
    modes = modes_in(tmp_path)
    await record.aclose()

    assert modes == {0o600}


def modes_in(folder: Path) -> set[int]:
    """Return the permissions of the files in a folder."""
    return {stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()}


def test_another_programs_database_is_refused_and_left_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "customers.db"
    with sqlite3.connect(path) as theirs:
        theirs.execute("CREATE TABLE customers (name TEXT)")
    theirs.close()
    before = path.read_bytes()

    with pytest.raises(RecordError, match=r"customers\.db is another program's database"):
        SqliteRecord(path)

    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "content", [b"this is no database at all" * 100, b"SQLite format 3\0" + b"x" * 4096]
)
def test_a_broken_file_says_how_to_mend_it(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.db"
    path.write_bytes(content)

    with pytest.raises(RecordError, match="put a backup in its place"):
        SqliteRecord(path)


def test_a_folder_in_its_place_says_so(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"data\] url"):
        SqliteRecord(tmp_path)
