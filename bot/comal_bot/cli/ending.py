"""How serving ends when it is told to: in good order at first, at once when told again."""

import asyncio
import contextlib
import logging
import os
import re
import signal
from types import FrameType
from typing import Final

from .codes import INTERRUPTED

log = logging.getLogger(__name__)

_JOB: Final = re.compile(r"[a-z_]+:[0-9]+")  # lanes name the task of a job so: kind and number


class Ending:
    """Waits for SIGTERM and Ctrl-C; `code` is the exit code that answers what came."""

    def __init__(self) -> None:
        self._told = asyncio.Event()
        self.code = 0

    async def wait(self) -> None:
        """Wait until told to end. A second Ctrl-C leaves at once, as a crash would."""
        loop = asyncio.get_running_loop()
        with contextlib.suppress(NotImplementedError):  # not on Windows
            for which in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(which, self._hear, which)
        await self._told.wait()

    def _hear(self, which: signal.Signals) -> None:
        interrupted = which is signal.SIGINT
        if self._told.is_set():
            if interrupted:
                os._exit(INTERRUPTED)
            return
        self.code = INTERRUPTED if interrupted else 0
        self._told.set()
        jobs = _jobs_running()
        if jobs:
            hint = "Ctrl-C once more leaves at once; what was accepted is kept"
            log.info("host.finishing", extra={"jobs": jobs, "hint": hint})


def leave_on_sigterm() -> None:
    """Let SIGTERM end the process with 0 while nothing is served yet."""
    signal.signal(signal.SIGTERM, _leave)


def _leave(number: int, frame: FrameType | None) -> None:
    os._exit(0)


def _jobs_running() -> int:
    return sum(1 for task in asyncio.all_tasks() if _JOB.fullmatch(task.get_name()))
