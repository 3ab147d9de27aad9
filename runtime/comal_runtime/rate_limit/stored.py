"""Budgets in the record: shared by its processes, and still there after a restart."""

from collections.abc import Sequence
from typing import Final

from ..clock import Clock
from ..record import Moment, Record, Repositories, Transaction
from .budgets import SLACK, Charge, Shortage, Weighed, shortage

_SWEEP: Final = 60.0  # seconds between two deletions of what is full again


class RecordRateLimiter:
    """Budgets of any limits in the record's table `limits`.

    What it spends survives the death of the process, not that of the machine.
    """

    def __init__(self, record: Record) -> None:
        self._record = record
        self._swept_at: float | None = None

    async def charge(self, charges: Sequence[Charge], clock: Clock) -> Weighed:
        moment = Moment.of(clock)
        async with self._record.reading() as stored:
            aheads = await _aheads(stored, charges, moment)
        if any(ahead > one.limit.per for one, ahead in zip(charges, aheads, strict=True)):
            await self._bring_in(charges, moment)
        short = shortage(charges, aheads)
        if short is not None:  # most refusals, and a flood of them, cost no writing
            return short
        try:
            async with self._record.transaction(durable=False) as tx:
                await self._spend(tx, charges, moment)
        except _Refused as refused:
            return refused.shortage
        return None

    async def foretell(self, charges: Sequence[Charge], clock: Clock) -> Weighed:
        async with self._record.reading() as stored:
            return shortage(charges, await _aheads(stored, charges, Moment.of(clock)))

    async def _spend(self, tx: Transaction, charges: Sequence[Charge], moment: Moment) -> None:
        if self._swept_at is None or moment.boot - self._swept_at > _SWEEP:
            await tx.limits.forget_full(moment)
            self._swept_at = moment.boot
        for charge in sorted(charges, key=lambda one: one.key):  # one order, so no two wait crossed
            takes, most = charge.limit.takes(charge.cost), charge.limit.per + SLACK
            if takes and not await tx.limits.take(charge.key, takes, most=most, moment=moment):
                ahead = await tx.limits.ahead(charge.key, moment)
                wait, _ = charge.limit.weigh(ahead, charge.cost)
                raise _Refused(Shortage(charge=charge, wait=wait))

    async def _bring_in(self, charges: Sequence[Charge], moment: Moment) -> None:
        """Let no key be further ahead than its limit's time, whatever clock or limit it was by."""
        async with self._record.transaction(durable=False) as tx:
            for charge in sorted(charges, key=lambda one: one.key):
                await tx.limits.bring_in(charge.key, most=charge.limit.per, moment=moment)


class _Refused(Exception):
    """Somebody else spent the budget meanwhile; undoes what this call has spent."""

    def __init__(self, shortage: Shortage) -> None:
        super().__init__(shortage.charge.key)
        self.shortage = shortage


async def _aheads(stored: Repositories, charges: Sequence[Charge], moment: Moment) -> list[float]:
    return [await stored.limits.ahead(charge.key, moment) for charge in charges]
