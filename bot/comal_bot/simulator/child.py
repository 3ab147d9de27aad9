"""The bot as a process of its own: started, watched, killed, frozen and started again."""

import asyncio
import contextlib
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

log = logging.getLogger(__name__)

LEASH: Final = Path(__file__).with_name("leash.py")
_FIRST_PAUSE = 0.5  # seconds before a bot that died is started again; doubled while it keeps dying
_LONGEST_PAUSE = 15.0
_STEADY = 10.0  # seconds a bot must live to count as well
_FAREWELL = 4.0  # seconds a bot gets to end by itself; what runs in it may take three
_LAST_FAREWELL = 3.7  # the same when the demo ends, which has five for everything
_OWNER_ALONE = 0o077


class ChildState(StrEnum):
    """How the bot's process is."""

    RUNNING = "running"
    FROZEN = "frozen"
    DOWN = "down"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChildView:
    """The process as it is now; `exit_code` is how the last one ended, negative for a signal."""

    state: ChildState
    pid: int | None
    starts: int
    exit_code: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """What to run, where, and the file that takes what it says."""

    command: Sequence[str]
    folder: Path
    environment: Mapping[str, str]
    log_file: Path


class Child:
    """Keeps one process running; `changed` is called after every change of its state."""

    def __init__(self, launch: Launch, changed: Callable[[], None]) -> None:
        self._launch = launch
        self._changed = changed
        self._process: asyncio.subprocess.Process | None = None
        self._frozen = False
        self._starts = 0
        self._exit_code: int | None = None
        self._at_once = asyncio.Event()

    @property
    def view(self) -> ChildView:
        """How it is now."""
        pid = None if self._process is None else self._process.pid
        state = ChildState.DOWN
        if pid is not None:
            state = ChildState.FROZEN if self._frozen else ChildState.RUNNING
        return ChildView(state=state, pid=pid, starts=self._starts, exit_code=self._exit_code)

    @contextlib.asynccontextmanager
    async def kept(self) -> AsyncIterator[None]:
        """Run it until the end of the block, again and again if it dies."""
        keeping = asyncio.create_task(self._keep())
        try:
            yield
        finally:
            keeping.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await keeping
            await self._end()

    def kill(self) -> int | None:
        """Kill it as `kill -9` does and return its pid; None if it is down."""
        return self._signal(signal.SIGKILL)

    def restart(self) -> None:
        """Start it now: one that waits to be started at once, one that runs after it ended."""
        self._at_once.set()
        self.thaw()
        pid = self._signal(signal.SIGTERM)
        if pid is not None:
            asyncio.get_running_loop().call_later(_FAREWELL, self._kill_if, pid)

    async def freeze(self, seconds: float) -> int | None:
        """Stop it in the middle of whatever it does, and let it go on after `seconds`."""
        pid = self._signal(signal.SIGSTOP)
        if pid is None:
            return None
        self._frozen = True
        self._changed()
        try:
            await asyncio.sleep(seconds)
        finally:
            if self.view.pid == pid:
                self.thaw()
        return pid

    def thaw(self) -> None:
        """Let it go on."""
        if self._frozen:
            self._frozen = False
            self._signal(signal.SIGCONT)
            self._changed()

    def _kill_if(self, pid: int) -> None:
        if self.view.pid == pid:
            self.kill()

    def _signal(self, which: signal.Signals) -> int | None:
        process = self._process
        if process is None or process.returncode is not None:
            return None
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(which)
        return process.pid

    async def _keep(self) -> None:
        loop, pause = asyncio.get_running_loop(), _FIRST_PAUSE
        while True:
            self._at_once.clear()
            began = loop.time()
            await self._live()
            if loop.time() - began > _STEADY:
                pause = _FIRST_PAUSE
            log.warning("demo.bot_ended", extra={"code": self._exit_code, "pause": pause})
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._at_once.wait(), pause)
            pause = min(pause * 2, _LONGEST_PAUSE)

    async def _live(self) -> None:
        launch = self._launch
        with launch.log_file.open("ab") as said:
            self._process = process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-I", "-S", str(LEASH), str(os.getpid()), *launch.command),
                cwd=launch.folder,
                env=dict(launch.environment),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                start_new_session=True,
                umask=_OWNER_ALONE,
            )
        self._starts += 1
        self._changed()
        self._exit_code = await process.wait()
        self._process, self._frozen = None, False
        self._changed()

    async def _end(self) -> None:
        process = self._process
        if process is None or process.returncode is not None:
            return
        self.thaw()
        self._signal(signal.SIGTERM)
        try:
            await asyncio.wait_for(process.wait(), _LAST_FAREWELL)
        except TimeoutError:
            self.kill()
            await process.wait()
