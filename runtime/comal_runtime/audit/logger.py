"""Taking outcomes without waiting, and storing them in batches on the chain."""

import asyncio
import logging
import secrets
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from ..call import Arguments, Request
from ..clock import Clock
from ..record import AuditRecord, Filed, Link, Record, RecordError, Transaction
from ..result import ToolResult
from .chain import ChainWriter
from .entry import MAX_ARGUMENT_BYTES, Outcome, Writing, dropped, entry
from .keys import checked_key
from .sinks import AuditSink, Fanout

log = logging.getLogger(__name__)

_LINGER: Final = 0.05  # seconds a record may wait for others
_BATCH: Final = 256  # records a transaction, so that no batch holds the loop up for long
_CROWD: Final = 512  # outcomes that may wait before a call stores them itself
_MOST: Final = 20_000  # outcomes that may wait for a store that is gone
_DROPPED_AT_ONCE: Final = 1000


@dataclass(slots=True)
class Batch:
    """What goes to the record together: outcomes that waited, then records, each with its link.

    `lost` counts what was dropped before it, `number` its place among the batches that were taken.
    """

    outcomes: list[Outcome] = field(default_factory=list)
    lost: int = 0
    number: int = 0
    records: Sequence[AuditRecord] = ()
    links: Sequence[Link] = ()


class ToolAuditLogger:
    """Takes outcomes without waiting and stores each exactly once, chained.

    Args:
        key: What the chain's MACs are made with, at least 16 bytes (`key_from_file` reads one);
            without it a random one, so that nobody can verify the chain after this process.
        extra_keys: Names of secret arguments beside the built-in ones; they only add.
        keep: How many records the chain keeps, for a record in memory; None keeps all.
        max_argument_bytes: Arguments of more are recorded by size and digest.
        sinks: Where stored records go besides; nothing they do changes the record or a call.
    """

    def __init__(  # noqa: PLR0913 - each is one option
        self,
        record: Record,
        clock: Clock,
        *,
        key: bytes | None = None,
        extra_keys: frozenset[str] = frozenset(),
        keep: int | None = None,
        max_argument_bytes: int = MAX_ARGUMENT_BYTES,
        sinks: Sequence[AuditSink] = (),
    ) -> None:
        self._record = record
        self._clock = clock
        self._writing = Writing(extra_keys=extra_keys, max_argument_bytes=max_argument_bytes)
        secret = secrets.token_bytes(32) if key is None else checked_key(key, "given")
        self._chain = ChainWriter(secret, clock, keep=keep)
        self._fanout = Fanout(sinks, clock) if sinks else None
        self._waiting: deque[Outcome] = deque()
        self._lost = 0  # outcomes dropped since the record last took any
        self._doubts: list[Batch] = []  # what may be stored although the store did not say so
        self._failing = False
        self._taken = 0  # batches that went to the record, and those known to have arrived
        self._settled = 0
        self._flush: asyncio.Task[None] | None = None

    def outcome(
        self, request: Request, args: Arguments, result: ToolResult, decision: str
    ) -> Outcome:
        """Put the facts of a call together, stamped with the time; `args` are those that count."""
        trail = request.trail
        return Outcome(
            self._clock.now(),
            request.ctx,
            request.name,
            args,
            result,
            trail.decision or decision,
            trail.took_ms(),
            trail.question,
        )

    def hand_over(self, outcome: Outcome) -> None:
        """Take an outcome; it is stored a moment later. Never waits, never raises."""
        self._waiting.append(outcome)
        if len(self._waiting) > _MOST:
            self._drop_oldest()
        if self._flush is None or self._flush.done() or self._flush.get_loop().is_closed():
            self._flush = asyncio.get_running_loop().create_task(self._store_soon())

    @property
    def is_crowded(self) -> bool:
        """Whether so much waits that a call does well to store it first; never for a lost store."""
        return len(self._waiting) > _CROWD and not self._failing

    async def write(self, tx: Transaction, outcome: Outcome) -> Batch:
        """Store what waits and then this outcome, with a transaction of the caller's.

        Tell `written` once that is stored, or `not_written` when it is not, or not surely.
        """
        batch = Batch()
        try:
            await self._fill(batch, tx, [entry(outcome, self._writing)])
        except BaseException:
            self._put_back(batch)
            raise
        return batch

    def written(self, batch: Batch) -> None:
        """Take note that the transaction of this batch is stored."""
        self._failing = False
        self._settled = max(self._settled, batch.number)
        self._pass_on(batch)

    def _pass_on(self, batch: Batch) -> None:
        self._chain.stored(batch.links)
        if self._fanout is not None and batch.records:
            pairs = zip(batch.records, batch.links, strict=True)
            self._fanout.take([Filed(None, record, link) for record, link in pairs])

    def not_written(self, batch: Batch) -> None:
        """Keep a batch whose transaction failed; the next one finds out whether it is stored."""
        self._failing = True
        self._chain.renew()
        if batch.links:
            self._doubts.append(batch)

    async def flush(self) -> None:
        """Store everything handed over so far; what cannot be stored is kept for the next time."""
        left = len(self._waiting)
        while left > 0 or self._doubts or self._settled < self._taken:
            took = await self._store()
            if took is None:
                return
            left = min(left - took, len(self._waiting))
            if left > 0:
                await asyncio.sleep(0)

    async def aclose(self) -> None:
        """Store what waits, let the sinks finish and close them."""
        await self.flush()
        if self._fanout is not None:
            await asyncio.to_thread(self._fanout.close)

    async def _store(self) -> int | None:
        """Store what waits, after every batch on its way; how many, or None: the store is gone."""
        batch = Batch()
        added = False
        try:
            async with self._record.transaction(durable=False) as tx:
                await self._fill(batch, tx, [])
                added = True
        except RecordError:
            log.exception("audit.not_stored", extra={"records": len(self._waiting)})
            if not added:
                self._put_back(batch)
            self.not_written(batch)
            return None
        except BaseException:
            if not added:
                self._put_back(batch)
            else:  # the commit is on its way, whoever waits for it
                self._pass_on(batch)
            raise
        self.written(batch)
        return len(batch.outcomes)

    async def _fill(self, batch: Batch, tx: Transaction, more: Sequence[AuditRecord]) -> None:
        """Take what waits and store it, and `more` after it, with the transaction."""
        await self._resolve_doubts(tx)
        self._take(batch)
        records = [entry(outcome, self._writing) for outcome in batch.outcomes]
        if batch.lost:
            records.insert(0, dropped(batch.lost, at=self._clock.now()))
        records.extend(more)
        self._taken += bool(records)
        batch.number = self._taken
        if records:
            batch.links = await self._chain.add(tx, records)
            batch.records = records

    def _take(self, batch: Batch) -> None:
        """Take what waits, one by one: another thread may be handing over meanwhile."""
        count = min(_BATCH, len(self._waiting))
        batch.lost, self._lost = self._lost, 0
        batch.outcomes = [self._waiting.popleft() for _ in range(count)]

    def _put_back(self, batch: Batch) -> None:
        self._waiting.extendleft(reversed(batch.outcomes))
        self._lost += batch.lost
        batch.outcomes, batch.lost, batch.links = [], 0, ()

    async def _resolve_doubts(self, tx: Transaction) -> None:
        """Find out which batches whose commit was not answered are stored; keep the others."""
        while self._doubts:  # the newest first: what is put back goes before what waits
            arrived = await tx.audit.holds(self._doubts[-1].links[-1])
            batch = self._doubts.pop()
            if arrived:
                self.written(batch)
            else:
                self._put_back(batch)

    def _drop_oldest(self) -> None:
        log.error("audit.dropped", extra={"records": _DROPPED_AT_ONCE})
        self._lost += _DROPPED_AT_ONCE
        for _ in range(_DROPPED_AT_ONCE):
            self._waiting.popleft()

    async def _store_soon(self) -> None:
        await asyncio.sleep(_LINGER)
        await self.flush()
