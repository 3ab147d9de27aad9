"""A clock that stands still until it is told to move."""


class FakeClock:
    """Both clocks of `Clock` in step; `now` is epoch seconds."""

    def __init__(self, now: float = 1_796_040_000.0) -> None:
        self._now = now
        self._boot = 1_000.0

    def now(self) -> float:
        return self._now

    def boot(self) -> float:
        return self._boot

    def boot_id(self) -> str:
        return "fake-boot"

    def advance(self, seconds: float) -> None:
        """Let `seconds` pass on both clocks."""
        if seconds < 0:
            raise ValueError(f"time goes forward only; cannot advance by {seconds!r}")
        self._now += seconds
        self._boot += seconds

    async def sleep(self, seconds: float) -> None:
        """Stand in for `asyncio.sleep`: the time passes at once."""
        self.advance(seconds)
