"""One record a call: handed over in memory, then redacted, digested and stored in batches."""

import asyncio
import logging
from dataclasses import dataclass, field

from .call import Arguments, Request
from .clock import Clock
from .consent.question import digest
from .context import ToolContext
from .record import AuditRecord, Record, RecordError
from .redact import printable, redact
from .result import ToolResult
from .tools import canonical_json

log = logging.getLogger(__name__)

_LINGER = 0.05  # seconds a record may wait for others
_IN_MEMORY = 10_000  # records a record without a host keeps


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one call was and how it ended, as it was handed over."""

    at: float
    ctx: ToolContext
    tool: str
    args: Arguments = field(repr=False)
    result: ToolResult
    decision: str
    took_ms: float
    question: str | None


class ToolAuditLogger:
    """Takes outcomes without waiting and stores each exactly once.

    `extra_keys` are argument names to redact beside the built-in ones; it can only add.
    """

    def __init__(
        self,
        record: Record,
        clock: Clock,
        *,
        extra_keys: frozenset[str] = frozenset(),
        keep: int | None = _IN_MEMORY,
    ) -> None:
        self._record = record
        self._clock = clock
        self._extra_keys = extra_keys
        self._keep = keep
        self._waiting: list[Outcome] = []
        self._taken = 0  # batches that went to the record, and those known to have arrived
        self._settled = 0
        self._flush: asyncio.Task[None] | None = None

    def outcome(
        self, request: Request, args: Arguments, result: ToolResult, decision: str
    ) -> Outcome:
        """Put the facts of a call together, stamped with the time; `args` are those that count."""
        trail, now = request.trail, self._clock.now()
        return Outcome(
            now,
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
        if self._flush is None or self._flush.done():
            self._flush = asyncio.get_running_loop().create_task(self._store_soon())

    def entry(self, outcome: Outcome) -> AuditRecord:
        """Return the record of an outcome: arguments redacted, digests over the true ones."""
        args = _canonical(outcome.args)
        code = outcome.result.code
        ctx = outcome.ctx
        return AuditRecord(
            at=outcome.at,
            request_id=printable(ctx.request_id),
            ip=ctx.ip,
            channel=printable(ctx.channel),
            principal=None if ctx.principal is None else printable(ctx.principal),
            conversation=ctx.conversation,
            origin=ctx.origin,
            tool=printable(outcome.tool),
            decision=outcome.decision,
            code=None if code is None else str(code),
            took_ms=outcome.took_ms,
            output_bytes=len(result_json(outcome.result).encode()),
            args=_canonical(redact(outcome.args, self._extra_keys)),
            args_digest=digest(args),
            question=outcome.question,
        )

    async def flush(self) -> None:
        """Store everything handed over so far; what cannot be stored is kept for the next time."""
        while self._waiting or self._settled < self._taken:
            if not await self._store():
                return

    async def _store(self) -> bool:
        """Store what waits, after every batch on its way; False when the store is gone."""
        batch: list[Outcome] = []
        added = False
        try:
            async with self._record.transaction(durable=False) as tx:
                batch, self._waiting = self._waiting, []
                self._taken += bool(batch)
                mine = self._taken
                await tx.audit.add([self.entry(outcome) for outcome in batch])
                if self._keep is not None:
                    await tx.audit.keep_newest(self._keep)
                added = True
        except RecordError:
            self._waiting = batch + self._waiting
            log.exception("audit.not_stored", extra={"records": len(self._waiting)})
            return False
        except BaseException:
            if not added:  # else the commit is on its way, whoever waits for it
                self._waiting = batch + self._waiting
            raise
        self._settled = max(self._settled, mine)
        return True

    async def _store_soon(self) -> None:
        await asyncio.sleep(_LINGER)
        await self.flush()


def result_json(result: ToolResult) -> str:
    """Return a result's wire shape as JSON; data that JSON cannot hold is named only."""
    try:
        return result.to_json()
    except (TypeError, ValueError, RecursionError):
        kind = type(result.data).__name__
        meta = {"type": result.type, "code": None if result.code is None else str(result.code)}
        named = f"({kind} that JSON cannot hold)"
        return ToolResult(result.ok, named, result.message, result.problem, meta).to_json()


def _canonical(value: object) -> str:
    try:
        return canonical_json(value).encode("utf-8", "backslashreplace").decode()
    except (TypeError, ValueError, RecursionError):
        return canonical_json(repr(type(value)))
