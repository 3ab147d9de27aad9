"""Life signs and sweeps: what this process does now and then, whatever else it does."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from comal_runtime.record import RecordError

from .heads import HeadPosts
from .outbox import Outbox
from .reconciling import Reconciling
from .shortage import Shortage
from .wiring import House

log = logging.getLogger(__name__)

_SWEEP: Final = 1.0  # seconds between sweeps
_KEEP: Final = 7 * 24 * 3600.0  # seconds a handled update is kept, to know it again


class Recovery:
    """Renews this process's lease and ends what nobody ended. `lease` is in seconds."""

    def __init__(self, house: House, outbox: Outbox, lease: float) -> None:
        self._house = house
        self._outbox = outbox
        self._lease = lease
        self._heads = HeadPosts(house)
        self._reconciling = Reconciling(house)
        self._shortage = Shortage(house)

    async def run(self) -> None:
        """Sign, sweep and clean until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._repeat(self.sign, self._lease / 3))
            tasks.create_task(self._repeat(self._sweep, _SWEEP))
            tasks.create_task(self._repeat(self._reconciling.look, _SWEEP))
            tasks.create_task(self._repeat(self._shortage.look, _SWEEP))
            tasks.create_task(self._repeat(self._clean, 3600.0))
            tasks.create_task(self._repeat(self._heads.post, 3600.0))

    async def sign(self) -> None:
        """Say that this process lives for another lease."""
        house = self._house
        async with house.record.transaction(durable=False) as tx:
            await tx.leases.live(
                house.instance,
                boot_id=house.clock.boot_id(),
                lease_boot=house.clock.boot() + self._lease,
                lease_at=house.clock.now() + self._lease,
            )

    async def _sweep(self) -> None:
        swept = await self._house.registry.sweep()
        if swept.unknown or swept.void:
            log.warning("acts.swept", extra={"unknown": swept.unknown, "void": swept.void})
        await self._outbox.recover()

    async def _clean(self) -> None:
        async with self._house.record.transaction(durable=False) as tx:
            await tx.inbox.forget(before=self._house.clock.now() - _KEEP)

    async def _repeat(self, what: Callable[[], Awaitable[None]], pause: float) -> None:
        while True:
            try:
                await what()
            except RecordError:
                log.exception("recovery.record_unavailable")
            await asyncio.sleep(pause)
