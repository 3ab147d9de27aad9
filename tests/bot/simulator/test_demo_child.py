"""The bot's process: started again when it dies, frozen, ended, and never left behind."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from comal_bot.simulator import child as child_module
from comal_bot.simulator.child import LEASH, Child, ChildState, Launch

SLEEPS = "import time; print('up', flush=True); time.sleep(60)"
STUBBORN = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {SLEEPS}"


def launch(folder: Path, code: str = SLEEPS) -> Launch:
    return Launch(
        command=(sys.executable, "-c", code),
        folder=folder,
        environment=dict(os.environ),
        log_file=folder / "bot.log",
    )


async def until(true: Callable[[], bool], seconds: float = 5.0) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it did not become true"
        await asyncio.sleep(0.02)


def says_up(folder: Path) -> bool:
    log = folder / "bot.log"
    return log.exists() and "up" in log.read_text()


def alive(pid: int) -> bool:
    with suppress(ProcessLookupError):
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    return False


async def test_a_killed_process_is_started_again_by_itself(tmp_path):
    changes: list[int] = []
    child = Child(launch(tmp_path), lambda: changes.append(1))
    async with child.kept():
        await until(lambda: child.view.pid is not None)
        first = child.kill()
        await until(lambda: child.view.starts == 2)

        assert child.view.state is ChildState.RUNNING
        assert child.view.pid != first
        assert child.view.exit_code == -signal.SIGKILL
        assert len(changes) >= 3


async def test_one_that_dies_at_once_is_not_started_in_a_hurry(tmp_path):
    child = Child(launch(tmp_path, "raise SystemExit(3)"), lambda: None)
    async with child.kept():
        await asyncio.sleep(2.2)

        assert 2 <= child.view.starts <= 3
        assert child.view.exit_code == 3


async def test_restart_does_not_wait_for_the_pause(tmp_path, monkeypatch):
    monkeypatch.setattr(child_module, "_FIRST_PAUSE", 60.0)
    child = Child(launch(tmp_path), lambda: None)
    async with child.kept():
        await until(lambda: says_up(tmp_path))
        child.restart()

        await until(lambda: child.view.starts == 2)


async def test_a_frozen_process_goes_on_where_it_was(tmp_path):
    child = Child(launch(tmp_path), lambda: None)
    async with child.kept():
        await until(lambda: child.view.pid is not None)
        freezing = asyncio.create_task(child.freeze(0.3))
        await asyncio.sleep(0.1)
        meanwhile = child.view
        frozen = await freezing

        assert meanwhile.state is ChildState.FROZEN
        assert frozen == meanwhile.pid == child.view.pid
        assert child.view.state is ChildState.RUNNING
        assert child.view.starts == 1


@pytest.mark.parametrize("code", [SLEEPS, STUBBORN])
async def test_at_the_end_nothing_is_left_even_of_one_that_will_not_go(tmp_path, code):
    child = Child(launch(tmp_path, code), lambda: None)
    began = time.monotonic()
    async with child.kept():
        await until(lambda: says_up(tmp_path))
        pid = child.view.pid
        began = time.monotonic()

    assert pid is not None
    assert not alive(pid)
    assert time.monotonic() - began < 5


async def test_a_frozen_one_is_ended_too(tmp_path):
    child = Child(launch(tmp_path), lambda: None)
    async with child.kept():
        await until(lambda: child.view.pid is not None)
        pid = child.view.pid
        freezing = asyncio.create_task(child.freeze(60))
        await asyncio.sleep(0.1)
    freezing.cancel()

    assert pid is not None
    assert not alive(pid)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process of its parent")
def test_a_leashed_process_dies_with_its_parent(tmp_path):
    parent = (
        "import os, subprocess, sys, time\n"
        f"child = subprocess.Popen([sys.executable, '-I', '-S', {str(LEASH)!r}, str(os.getpid()),"
        " sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "print(child.pid, flush=True); time.sleep(60)"
    )
    with subprocess.Popen((sys.executable, "-c", parent), stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        pid = int(running.stdout.readline())
        time.sleep(0.3)
        running.kill()

    deadline = time.monotonic() + 5
    while alive(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not alive(pid)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process of its parent")
def test_a_leashed_process_whose_parent_is_dead_already_does_not_begin(tmp_path):
    mark = tmp_path / "began"
    command = (sys.executable, "-c", f"open({str(mark)!r}, 'w')")

    subprocess.run((sys.executable, "-I", "-S", str(LEASH), "1", *command), check=False)

    assert not mark.exists()
