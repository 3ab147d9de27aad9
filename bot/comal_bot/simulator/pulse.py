"""A number that grows with every change, and a way to wait for it to grow."""

import asyncio


class Pulse:
    """Counts changes and wakes those who wait for the next one; for one event loop."""

    def __init__(self) -> None:
        self.version = 0
        self._waiters: set[asyncio.Future[None]] = set()

    def beat(self) -> None:
        """Count one change and wake everyone."""
        self.version += 1
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_result(None)

    async def wait(self, after: int, timeout: float) -> int:
        """Return the version once it is above `after`, or as it is after `timeout` seconds."""
        if self.version > after:
            return self.version
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiters.add(waiter)
        try:
            async with asyncio.timeout(timeout):
                await waiter
        except TimeoutError:
            pass
        finally:
            self._waiters.discard(waiter)
        return self.version
