"""One bot's update queue: ids, confirmation by offset, retention, one poller at a time."""

import asyncio
from dataclasses import dataclass

from comal_runtime.clock import Clock

from .refusal import conflict
from .values import JsonObject

DAY = 86400.0
MAX_LIMIT = 100  # updates a batch. Source: Bot API, getUpdates.
MAX_TIMEOUT = 50  # seconds of long polling; more is cut. Source: Bot API server.


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """One event for one bot, forgotten at `expires_at` (epoch seconds)."""

    id: int
    kind: str
    payload: JsonObject
    expires_at: float

    def wire(self) -> dict[str, object]:
        """Return the update's JSON."""
        return {"update_id": self.id, self.kind: self.payload}


@dataclass(frozen=True, slots=True, kw_only=True)
class Poll:
    """One getUpdates: `timeout` in seconds; `kinds` None keeps the list given before."""

    offset: int = 0
    limit: int = MAX_LIMIT
    timeout: float = 0.0
    kinds: frozenset[str] | None = None


class UpdateQueue:
    """Holds what a bot has not confirmed yet."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._pending: list[Update] = []
        self._again: list[Update] = []
        self._twice: set[int] = set()
        self._double_next = 0
        self._kinds: frozenset[str] = frozenset()
        self._waiting: asyncio.Future[bool] | None = None

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds the bot asked for last; empty for all."""
        return self._kinds

    @property
    def pending(self) -> int:
        """How many updates wait to be confirmed."""
        self._expire()
        return len(self._pending) + len(self._again)

    def put(self, update: Update) -> None:
        """Queue an update, unless the bot did not ask for its kind."""
        if self._kinds and update.kind not in self._kinds:
            return
        self._pending.append(update)
        if self._double_next:
            self._double_next -= 1
            self._twice.add(update.id)
        self._wake(True)

    def put_again(self, update: Update) -> None:
        """Queue an update that the bot had before: same id, whatever the offset says."""
        if any(waiting.id == update.id for waiting in self._pending):
            self._twice.add(update.id)
            return
        self._again.append(update)
        self._wake(True)

    def double_next(self, count: int) -> None:
        """Deliver each of the next `count` updates a second time after it was confirmed."""
        self._double_next = count

    def forget(self) -> None:
        """Drop everything that waits."""
        self._pending.clear()
        self._again.clear()

    async def take(self, poll: Poll) -> list[Update]:
        """Confirm what lies below the offset and return the next batch, oldest first.

        Raises:
            Refusal: 409, when another poll of this queue began meanwhile.
        """
        self._wake(False)
        if poll.kinds is not None:
            self._kinds = poll.kinds
        self._confirm(poll.offset)
        loop = asyncio.get_running_loop()
        deadline = loop.time() + min(poll.timeout, MAX_TIMEOUT)
        while True:
            batch = self._batch(poll.limit)
            remaining = deadline - loop.time()
            if batch or remaining <= 0:
                return batch
            await self._wait(remaining)

    async def _wait(self, seconds: float) -> None:
        waiting: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting = waiting
        try:
            async with asyncio.timeout(seconds):
                alone = await waiting
        except TimeoutError:
            return
        finally:
            if self._waiting is waiting:
                self._waiting = None
        if not alone:
            raise conflict(
                "terminated by other getUpdates request; "
                "make sure that only one bot instance is running"
            )

    def _wake(self, alone: bool) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(alone)

    def _confirm(self, offset: int) -> None:
        if offset < 0:
            self._pending = self._pending[offset:]
            return
        for update in self._pending:
            if update.id < offset and update.id in self._twice:
                self._twice.discard(update.id)
                self._again.append(update)
        self._pending = [update for update in self._pending if update.id >= offset]

    def _batch(self, limit: int) -> list[Update]:
        """Return repeated updates alone, so that confirming them confirms nothing newer."""
        if self._again:
            batch, self._again = self._again[:limit], self._again[limit:]
            return batch
        self._expire()
        return self._pending[:limit]

    def _expire(self) -> None:
        now = self._clock.now()
        self._pending = [update for update in self._pending if update.expires_at > now]
