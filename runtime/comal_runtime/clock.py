"""Time, injected: the wall clock for people, the boot clock for leases and deadlines."""

import time
from pathlib import Path
from typing import Protocol

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


class Clock(Protocol):
    """Two clocks: one that people read, one that never steps back."""

    def now(self) -> float:
        """Return the wall time in epoch seconds; it may step."""
        ...

    def boot(self) -> float:
        """Return seconds since boot, sleep and suspension included; it never steps back."""
        ...

    def boot_id(self) -> str:
        """Name this boot of this machine; boot times compare only under one name."""
        ...


class SystemClock:
    """The machine's own clocks."""

    def __init__(self) -> None:
        self._boot_id = _BOOT_ID.read_text().strip() if _BOOT_ID.exists() else "unnamed"
        self._boot_clock = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)

    def now(self) -> float:
        return time.time()

    def boot(self) -> float:
        return time.clock_gettime(self._boot_clock)

    def boot_id(self) -> str:
        return self._boot_id
