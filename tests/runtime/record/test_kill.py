"""A killed process loses nothing that was acknowledged."""

import asyncio
import os
import signal
import sys
from pathlib import Path

from comal_runtime.record import SqliteRecord

from .contracts.transactions import is_stored

WRITER = """
import asyncio, sys
from pathlib import Path
from comal_runtime.record import SqliteRecord
from tests.runtime.record.contracts.transactions import opened

async def write(record, lane):
    for number in range(1_000_000):
        key = f"{lane}-{number}"
        await opened(record, key)
        sys.stdout.write(key + "\\n")
        sys.stdout.flush()

async def main():
    record = SqliteRecord(Path(sys.argv[1]))
    await asyncio.gather(*(write(record, lane) for lane in range(8)))

asyncio.run(main())
"""


async def acknowledged_before_a_kill(path: Path, lines: int) -> list[str]:
    """Let a process write, kill it after so many acknowledgements; every one it gave."""
    writer = await asyncio.create_subprocess_exec(
        sys.executable, "-c", WRITER, str(path), stdout=asyncio.subprocess.PIPE
    )
    assert writer.stdout is not None
    told = [await writer.stdout.readline() for _ in range(lines)]
    os.kill(writer.pid, signal.SIGKILL)
    told += (await writer.stdout.read()).splitlines(keepends=True)
    await writer.wait()
    return [line.decode().strip() for line in told if line.endswith(b"\n")]


async def test_what_was_acknowledged_before_a_kill_is_there_after_it(tmp_path: Path) -> None:
    path = tmp_path / "comal.db"
    for lines in (40, 117):
        keys = await acknowledged_before_a_kill(path, lines)

        record = SqliteRecord(path)
        missing = [key for key in keys if not await is_stored(record, key)]
        await record.aclose()
        path.unlink()

        assert len(keys) >= lines
        assert missing == []
