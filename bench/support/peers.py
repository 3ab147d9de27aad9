"""Peers in processes of their own, told when to work, so that rounds of all are mixed."""

import asyncio
import subprocess
import sys
import venv
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from .timing import Took

_HERE: Final = Path(__file__).parent.parent / "peers"
_PLACE: Final = Path(sys.prefix) / "peers"


class NoPeers(Exception):
    """The peers' environment cannot be made here; the text says why."""


def installed() -> Path:
    """Return the Python of the peers' environment, making it when it is missing or outdated.

    Raises:
        NoPeers: It cannot be made, such as without a network.
    """
    wanted, python = (_HERE / "requirements.txt").read_text(), _PLACE / "bin" / "python"
    stamp = _PLACE / "requirements.txt"
    if stamp.exists() and stamp.read_text() == wanted and python.exists():
        return python
    print("installing the peers; half a minute, once", file=sys.stderr)
    venv.create(_PLACE, with_pip=True, clear=True)
    command = [python, "-m", "pip", "install", "--quiet", "--no-input", "-r", _HERE / stamp.name]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NoPeers((done.stderr.strip().splitlines() or ["pip failed"])[-1])
    stamp.write_text(wanted)
    return python


@dataclass(frozen=True, slots=True)
class Peer:
    """A peer that is running; `count` is how many calls make a round."""

    name: str
    count: int
    process: Process

    async def round(self) -> Took:
        """Let it do one round."""
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(f"{self.count}\n".encode())
        wall, cpu = (await stdout.readline()).split()
        return Took(float(wall), float(cpu))


@asynccontextmanager
async def running(python: Path, name: str, count: int) -> AsyncIterator[Peer]:
    """Start a peer and end it."""
    script = str(_HERE / "serve.py")
    process = await asyncio.create_subprocess_exec(
        str(python), script, name, stdin=PIPE, stdout=PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    assert process.stdout is not None
    if await process.stdout.readline() != b"ready\n":
        raise NoPeers(f"{name} did not start")
    try:
        yield Peer(name, count, process)
    finally:
        assert process.stdin is not None
        process.stdin.close()
        await process.wait()
