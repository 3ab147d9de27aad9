"""Budgets in memory: gone with the process, asked without waiting."""

from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

from ..clock import Clock
from ..errors import BadDeclaration
from .budgets import Budgets, Charge, Limit, RateLimiter, Shortage, Weighed, shortage
from .limits import Limits

MAX_KEYS: Final = 10_000


class GcraRateLimiter:
    """At most `limit` at once per key, refilled evenly over `per` seconds.

    It remembers `max_keys` keys and forgets the one that was used longest ago.
    """

    def __init__(self, limit: float, per: float, *, max_keys: int = MAX_KEYS) -> None:
        self._limit = Limit(amount=limit, per=per)
        self._arrivals = _Arrivals(max_keys)

    def __len__(self) -> int:
        return len(self._arrivals)

    def take(self, key: str, cost: float, *, now: float) -> float:
        ahead = self._arrivals.ahead(key, now)
        wait, after = self._limit.weigh(ahead, cost)
        self._arrivals.settle(key, ahead, after if wait == 0 else min(ahead, self._limit.per), now)
        return wait

    def peek(self, key: str, cost: float, *, now: float) -> float:
        return self._limit.weigh(self._arrivals.ahead(key, now), cost)[0]


class GcraBudgets:
    """Budgets of any limits in memory; `max_keys` as for `GcraRateLimiter`."""

    def __init__(self, *, max_keys: int = MAX_KEYS) -> None:
        self._arrivals = _Arrivals(max_keys)

    def __len__(self) -> int:
        return len(self._arrivals)

    def charge(self, charges: Sequence[Charge], clock: Clock) -> Weighed:
        now = clock.boot()
        aheads = [self._arrivals.ahead(charge.key, now) for charge in charges]
        short = shortage(charges, aheads)
        for charge, ahead in zip(charges, aheads, strict=True):
            takes = charge.limit.takes(charge.cost) if short is None else 0.0
            self._arrivals.settle(charge.key, ahead, min(ahead, charge.limit.per) + takes, now)
        return short

    def foretell(self, charges: Sequence[Charge], clock: Clock) -> Weighed:
        now = clock.boot()
        return shortage(charges, [self._arrivals.ahead(charge.key, now) for charge in charges])


class OneByOne:
    """A `RateLimiter` as `Budgets`: each charge is weighed by the limiter's own limit."""

    def __init__(self, limiter: RateLimiter) -> None:
        self._limiter = limiter

    def charge(self, charges: Sequence[Charge], clock: Clock) -> Weighed:
        short = self.foretell(charges, clock)
        now = clock.boot()
        for charge in charges if short is None else ():
            wait = self._limiter.take(charge.key, charge.cost, now=now)
            if wait > 0:  # a limiter whose `peek` promised more than its `take` keeps
                return Shortage(charge=charge, wait=wait)
        return short

    def foretell(self, charges: Sequence[Charge], clock: Clock) -> Weighed:
        now = clock.boot()
        found: Shortage | None = None
        for charge in charges:
            wait = self._limiter.peek(charge.key, charge.cost, now=now)
            if wait > 0 and (found is None or wait > found.wait):
                found = Shortage(charge=charge, wait=wait)
        return found


def budgets_of(limiter: RateLimiter | Budgets | None, limits: Limits | None) -> Budgets | None:
    """Return what keeps the budgets: what was given, memory for bare limits, None for neither.

    Raises:
        BadDeclaration: The limiter would ignore the limits.
    """
    if limiter is None:
        return None if limits is None else GcraBudgets()
    if isinstance(limiter, Budgets):
        return limiter
    if limits is not None:
        raise BadDeclaration(
            f"{type(limiter).__name__} has one limit of its own, so that limits= would say nothing;"
            " leave its limiter= out, or give one that keeps Budgets, such as RecordRateLimiter"
        )
    return OneByOne(limiter)


class _Arrivals:
    """When each key's budget is full again; only of keys whose budget is not."""

    __slots__ = ("_known", "_max_keys")

    def __init__(self, max_keys: int) -> None:
        if max_keys < 1:
            raise ValueError(f"a rate limiter must remember a key at least, not {max_keys!r}")
        self._max_keys = max_keys
        self._known: OrderedDict[str, float] = OrderedDict()

    def __len__(self) -> int:
        return len(self._known)

    def ahead(self, key: str, now: float) -> float:
        return max(self._known.get(key, now) - now, 0.0)

    def settle(self, key: str, before: float, after: float, now: float) -> None:
        """Put a key that was `before` seconds ahead `after` seconds ahead."""
        if after == before:
            return
        self._known[key] = now + after
        self._known.move_to_end(key)
        if len(self._known) > self._max_keys:
            self._known.popitem(last=False)
        oldest = next(iter(self._known))
        if self._known[oldest] <= now:
            del self._known[oldest]
