"""Resting between looks for work, and being woken when there is some."""

import asyncio
from contextlib import suppress


class Waking:
    """A rest that `wake` cuts short; a wake that comes before the rest counts too."""

    def __init__(self) -> None:
        self._woken = asyncio.Event()

    def wake(self) -> None:
        """End the rest, or the next one at once."""
        self._woken.set()

    async def rest(self, longest: float) -> None:
        """Wait until woken, at most `longest` seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(longest):
                await self._woken.wait()
        self._woken.clear()
