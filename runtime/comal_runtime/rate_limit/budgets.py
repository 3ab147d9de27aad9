"""Budgets that refill evenly, without a window's edge: the arithmetic, and who keeps them."""

import math
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias, runtime_checkable

from ..clock import Clock

SLACK: Final = 1e-6  # seconds; epoch seconds in a float are exact to about 2e-7


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """At most `amount` at once, refilled evenly over `per` seconds.

    Source: GCRA, ITU-T I.371; a key's whole state is how far its next even arrival lies ahead.
    """

    amount: float
    per: float

    def __post_init__(self) -> None:
        if not self.amount >= 0 or not 0 < self.per < math.inf:
            raise ValueError(
                "a rate limit needs an amount of 0 or more and a time above 0 seconds, "
                f"not {self.amount!r} per {self.per!r}"
            )

    def __str__(self) -> str:
        return f"{self.amount:g} per {self.per:g} s"

    @property
    def endless(self) -> bool:
        """Tell whether it limits nothing."""
        return math.isinf(self.amount)

    def weigh(self, ahead: float, cost: float) -> tuple[float, float]:
        """Return how long `cost` must wait, and how far ahead the key is once it was spent.

        Args:
            ahead: Seconds until the key's budget is full again; more than `per` counts as `per`.

        Returns:
            Seconds: 0 to go on now, infinity if it can never pass; and the new `ahead`.
        """
        if not cost >= 0:
            raise ValueError(f"cost must be 0 or more, not {cost!r}")
        if cost > self.amount:
            return math.inf, ahead
        after = min(max(ahead, 0.0), self.per) + self.takes(cost)
        wait = after - self.per
        return (wait if wait > SLACK and cost else 0.0), after

    def takes(self, cost: float) -> float:
        """Return the seconds in which `cost` is refilled."""
        return cost * self.per / self.amount if cost else 0.0


DEFAULT_LIMIT: Final = Limit(amount=100, per=60)
PROBING_LIMIT: Final = Limit(amount=30, per=60)
"""How many refused requests one caller may make."""

UNLIMITED: Final = Limit(amount=math.inf, per=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Charge:
    """What one call costs one budget."""

    key: str
    cost: float
    limit: Limit = DEFAULT_LIMIT


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortage:
    """The budget that holds a call up. `wait` is in seconds; infinity if it can never pass."""

    charge: Charge
    wait: float


Weighed: TypeAlias = Shortage | None
"""What charging came to; None when every budget held."""


class RateLimiter(Protocol):
    """One budget per key, all of one limit."""

    def take(self, key: str, cost: float, *, now: float) -> float:
        """Spend `cost` of the key's budget if it is there; a refusal spends nothing.

        Args:
            now: Seconds of a clock that does not step.

        Returns:
            0 if let through, otherwise the seconds to wait; infinity if it can never pass.
        """
        ...

    def peek(self, key: str, cost: float, *, now: float) -> float:
        """Return what `take` would, spending nothing."""
        ...


@runtime_checkable
class Budgets(Protocol):
    """Budgets of any limits, several of which one call is charged to. An answer may be awaited.

    Time is the boot clock's, so that a wall clock that steps neither refills nor empties anything.
    """

    def charge(self, charges: Sequence[Charge], clock: Clock) -> Weighed | Awaitable[Weighed]:
        """Spend all the charges, or none of them; a refusal names the longest wait.

        Raises:
            StoreUnavailable: The budgets are kept where they cannot be reached now.
        """
        ...

    def foretell(self, charges: Sequence[Charge], clock: Clock) -> Weighed | Awaitable[Weighed]:
        """Return what `charge` would, spending nothing."""
        ...


def shortage(charges: Sequence[Charge], aheads: Sequence[float]) -> Weighed:
    """Return the budget that holds the call up for longest, given how far ahead each key is."""
    found: Shortage | None = None
    for charge, ahead in zip(charges, aheads, strict=True):
        wait, _ = charge.limit.weigh(ahead, charge.cost)
        if wait > 0 and (found is None or wait > found.wait):
            found = Shortage(charge=charge, wait=wait)
    return found
