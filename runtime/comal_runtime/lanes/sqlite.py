"""Lanes on the record's own database: claims, leases, retries."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

from ..clock import Clock
from ..record import ClaimedJob, Job, Record, RecordError
from .lanes import Handlers
from .waking import Waking

log = logging.getLogger(__name__)

_POLL: Final = 0.25  # seconds between looks for what another process left
_TRIES: Final = 8
_LONGEST_PAUSE: Final = 60.0  # seconds between two tries
_FINISH: Final = 3.0  # seconds that running jobs get when the worker stops

OnBuried = Callable[[Job], Awaitable[None]]
"""Hears of a job that failed too often and is set aside."""


class SqliteLanes:
    """One worker of the embedded lanes; several may share a database.

    `owner` names it; `lease` (seconds) is how long a job of a dead worker stays untouched. Leases
    are renewed by a task of their own, so that a slow handler never lets one lapse. `on_buried`
    hears once of each job that is set aside because it failed too often.
    """

    def __init__(
        self,
        record: Record,
        clock: Clock,
        owner: str,
        *,
        lease: float = 15.0,
        at_once: int = 1000,
        on_buried: OnBuried | None = None,
    ) -> None:
        self._record = record
        self._clock = clock
        self._owner = owner
        self._lease = lease
        self._at_once = at_once
        self._on_buried = on_buried
        self._running: dict[int, asyncio.Task[None]] = {}
        self._waking = Waking()
        record.on_work(self._waking.wake)

    async def run(self, handlers: Handlers) -> None:
        renewal = asyncio.create_task(self._renew())
        try:
            while True:
                await self._start_due(handlers)
                await self._waking.rest(_POLL)
        finally:
            renewal.cancel()
            await self._stop()

    async def idle(self) -> bool:
        async with self._record.reading() as stored:
            return not self._running and await stored.jobs.count() == 0

    async def _start_due(self, handlers: Handlers) -> None:
        free = self._at_once - len(self._running)
        now = self._clock.now()
        try:
            async with self._record.reading() as stored:
                due = await stored.jobs.next_due()
            if free <= 0 or due is None or due > now:
                return
            async with self._record.transaction(durable=False) as tx:
                claimed = await tx.jobs.claim(
                    self._owner, now=now, lease_until=now + self._lease, limit=free
                )
        except RecordError:
            log.exception("lanes.cannot_claim")
            return
        for job in claimed:
            task = asyncio.create_task(self._do(job, handlers), name=f"{job.job.kind}:{job.id}")
            self._running[job.id] = task
            task.add_done_callback(partial(self._forget, job.id))

    def _forget(self, number: int, _: asyncio.Task[None]) -> None:
        self._running.pop(number, None)
        self._waking.wake()

    async def _do(self, claimed: ClaimedJob, handlers: Handlers) -> None:
        job = claimed.job
        error = "its worker stopped or died each time"
        try:
            if claimed.attempts <= _TRIES:
                await handlers[job.kind](job.key)
                async with self._record.transaction(durable=False) as tx:
                    await tx.jobs.finish(claimed.id, self._owner)
                return
        except BaseException as fault:  # one job's fault stops its lane for a while, not the others
            if isinstance(fault, asyncio.CancelledError) and _is_stopping():
                returned = self._give_back(claimed, 0.0, "the worker stopped", failed=False)
                await asyncio.shield(returned)
                raise
            log.exception("job.failed", extra={"kind": job.kind, "attempts": claimed.attempts})
            error = f"{type(fault).__name__}: {fault}"
        await self._failed(claimed, error)

    async def _failed(self, claimed: ClaimedJob, error: str) -> None:
        if claimed.attempts < _TRIES:
            pause = min(_LONGEST_PAUSE, 0.25 * 2.0**claimed.attempts)
            await self._give_back(claimed, pause, error, failed=True)
            return
        log.error("job.buried", extra={"kind": claimed.job.kind, "key": claimed.job.key})
        try:
            async with self._record.transaction() as tx:
                buried = await tx.jobs.bury(claimed.id, self._owner, error=error)
        except RecordError:  # the lease ends, and the next to take the job buries it
            log.exception("job.not_buried", extra={"kind": claimed.job.kind})
            return
        if buried and self._on_buried is not None:
            await self._tell_of_burial(claimed.job, self._on_buried)

    async def _tell_of_burial(self, job: Job, on_buried: OnBuried) -> None:
        try:
            await on_buried(job)
        except Exception:  # the job is set aside, whoever could not be told
            log.exception("job.burial_not_told", extra={"kind": job.kind})

    async def _give_back(
        self, claimed: ClaimedJob, pause: float, error: str, *, failed: bool
    ) -> None:
        try:
            async with self._record.transaction(durable=False) as tx:
                run_at = self._clock.now() + pause
                await tx.jobs.release(
                    claimed.id, self._owner, run_at=run_at, error=error, failed=failed
                )
        except RecordError:
            log.exception("job.not_released", extra={"kind": claimed.job.kind})

    async def _renew(self) -> None:
        while True:
            await asyncio.sleep(self._lease / 3)
            held = list(self._running)
            if not held:
                continue
            try:
                async with self._record.transaction(durable=False) as tx:
                    until = self._clock.now() + self._lease
                    await tx.jobs.renew(self._owner, held, lease_until=until)
            except RecordError:
                log.exception("lanes.cannot_renew")

    async def _stop(self) -> None:
        running = list(self._running.values())
        if not running:
            return
        _, late = await asyncio.wait(running, timeout=_FINISH)
        for task in late:
            task.cancel()
        if late:
            await asyncio.wait(late, timeout=_FINISH)


def _is_stopping() -> bool:
    """Tell a worker that stops from a handler that was cancelled from within."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
