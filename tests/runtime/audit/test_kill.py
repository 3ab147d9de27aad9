"""A process killed at any moment leaves a chain that holds."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from comal_runtime.audit import Report

from .chaining import audit_over, file_record, leave, verified

WRITER = """
import asyncio, sys
from pathlib import Path
from comal_runtime.record import SqliteRecord
from tests.runtime.audit.chaining import audit_over, leave

async def main():
    audit = audit_over(SqliteRecord(Path(sys.argv[1])))
    for number in range(100_000):
        await leave(audit, 3, begin=number * 3)
        print(number, flush=True)

asyncio.run(main())
"""


@pytest.mark.parametrize("batches", [1, 2, 7])
def test_killed_between_any_two_statements_a_process_leaves_no_gap(
    tmp_path: Path, batches: int
) -> None:
    root = Path(__file__).parents[3]
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(tmp_path / "c.db")], cwd=root, stdout=subprocess.PIPE
    )
    assert writer.stdout is not None
    for _ in range(batches):
        writer.stdout.readline()

    writer.kill()
    writer.communicate()

    report = asyncio.run(gone_on_with(tmp_path))
    assert report.whole
    assert report.chains == 2
    assert (report.records - 1) % 3 == 0
    assert report.records > batches * 3


async def gone_on_with(folder: Path) -> Report:
    """Begin the next chain on a record that was left behind, and verify it."""
    record = file_record(folder)
    await leave(audit_over(record), 1)
    report = await verified(record)
    await record.aclose()
    return report
