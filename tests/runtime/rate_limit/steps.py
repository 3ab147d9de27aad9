"""A clock whose wall steps, and charges with defaults."""

from comal_runtime.clock import Clock
from comal_runtime.rate_limit import Budgets, Charge, Limit, Shortage, Weighed
from comal_runtime.testing import FakeClock

A_MINUTE = Limit(amount=2, per=60)


class SteppingClock(FakeClock):
    """A clock whose wall time can be set, and whose machine can be started anew."""

    def __init__(self) -> None:
        super().__init__()
        self.boots = 1

    def boot_id(self) -> str:
        return f"boot-{self.boots}"

    def set_wall(self, by: float) -> None:
        """Step the wall clock; the boot clock goes on."""
        self._now += by

    def restart(self) -> None:
        """Start the machine anew: another boot clock, from nearly nothing."""
        self.boots += 1
        self._boot = 3.0


def charge(key: str = "k", cost: float = 1, limit: Limit = A_MINUTE) -> Charge:
    return Charge(key=key, cost=cost, limit=limit)


async def charged(budgets: Budgets, clock: Clock, *charges: Charge) -> Weighed:
    weighed = budgets.charge(charges or (charge(),), clock)
    return weighed if weighed is None or isinstance(weighed, Shortage) else await weighed


async def foretold(budgets: Budgets, clock: Clock, *charges: Charge) -> Weighed:
    weighed = budgets.foretell(charges or (charge(),), clock)
    return weighed if weighed is None or isinstance(weighed, Shortage) else await weighed


async def waited(budgets: Budgets, clock: Clock, *charges: Charge) -> float:
    """Charge, and return the seconds to wait: 0 when let through."""
    weighed = await charged(budgets, clock, *charges)
    return 0.0 if weighed is None else weighed.wait
