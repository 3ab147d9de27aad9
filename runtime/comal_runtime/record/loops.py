"""One event loop at a time: a record serves the loop that first used it until that one stops."""

import asyncio
import threading

from .errors import ForeignLoop


class OneLoop:
    """Remembers the loop that a record serves."""

    __slots__ = ("_lock", "_serving")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._serving: asyncio.AbstractEventLoop | None = None

    def enter(self, *, busy: bool) -> bool:
        """Serve the running loop; True when another, which ended with work open, was left.

        Args:
            busy: Whether work of the loop served before is still open.

        Raises:
            ForeignLoop: Another loop is running, or may run on and has work open.
        """
        loop = asyncio.get_running_loop()
        if loop is self._serving:
            return False
        with self._lock:
            before = self._serving
            if before is not None and (before.is_running() or (busy and not before.is_closed())):
                raise ForeignLoop
            self._serving = loop
        return busy and before is not None
