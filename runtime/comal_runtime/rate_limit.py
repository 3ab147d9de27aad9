"""How often something may happen: a budget that refills evenly, without a window's edge."""

import math
from collections import OrderedDict
from typing import Final, Protocol

_SLACK: Final = 1e-6  # seconds; epoch seconds in a float are exact to about 2e-7

MAX_KEYS: Final = 10_000


class RateLimiter(Protocol):
    """A budget per key."""

    def take(self, key: str, cost: float, *, now: float) -> float:
        """Spend `cost` of the key's budget if it is there; a refusal spends nothing.

        Args:
            now: Epoch seconds.

        Returns:
            0 if let through, otherwise the seconds to wait; infinity if it can never pass.
        """
        ...

    def peek(self, key: str, cost: float, *, now: float) -> float:
        """Return what `take` would, spending nothing."""
        ...


class GcraRateLimiter:
    """At most `limit` at once, refilled evenly over `per` seconds; in memory.

    It remembers `max_keys` keys and forgets the one that was used longest ago.

    Source: GCRA, ITU-T I.371; a key's state is its theoretical arrival time.
    """

    def __init__(self, limit: float, per: float, *, max_keys: int = MAX_KEYS) -> None:
        if limit < 0 or not per > 0 or max_keys < 1:
            raise ValueError(
                "a rate limiter needs limit >= 0, per > 0 and max_keys >= 1, "
                f"not {limit}, {per} and {max_keys}"
            )
        self._limit = limit
        self._per = per
        self._max_keys = max_keys
        self._arrivals: OrderedDict[str, float] = OrderedDict()

    def __len__(self) -> int:
        return len(self._arrivals)

    def take(self, key: str, cost: float, *, now: float) -> float:
        wait, arrival = self._weigh(key, cost, now)
        if wait == 0 and cost > 0:
            self._arrivals[key] = arrival
            self._arrivals.move_to_end(key)
            self._forget(now)
        return wait

    def peek(self, key: str, cost: float, *, now: float) -> float:
        return self._weigh(key, cost, now)[0]

    def _weigh(self, key: str, cost: float, now: float) -> tuple[float, float]:
        """Return the wait (seconds) and the arrival time that letting it through would store."""
        if not cost >= 0:
            raise ValueError(f"cost must be 0 or more, not {cost!r}")
        if cost > self._limit:
            return math.inf, now
        spacing = cost * self._per / self._limit if cost else 0.0
        known = self._arrivals.get(key, now)
        arrival = min(max(known, now), now + self._per) + spacing  # a clock set back costs <= `per`
        wait = arrival - self._per - now
        return (wait if wait > _SLACK else 0.0), arrival

    def _forget(self, now: float) -> None:
        while len(self._arrivals) > self._max_keys:
            self._arrivals.popitem(last=False)
        oldest = next(iter(self._arrivals))
        if self._arrivals[oldest] <= now:  # refilled: nothing left to remember
            del self._arrivals[oldest]
