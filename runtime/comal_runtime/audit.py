"""One record a call: handed over in memory, then redacted, digested and stored in batches."""

import asyncio
import logging
from collections import deque
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
_MOST = 100_000  # outcomes that may wait for a store that is gone
_DROPPED_AT_ONCE = 1000
MAX_ARGUMENT_BYTES = 262_144
"""Bytes of JSON that the arguments of one call may have, unless a registry is told otherwise."""


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
    Arguments of more than `max_argument_bytes` are recorded by size and digest.
    """

    def __init__(
        self,
        record: Record,
        clock: Clock,
        *,
        extra_keys: frozenset[str] = frozenset(),
        keep: int | None = _IN_MEMORY,
        max_argument_bytes: int = MAX_ARGUMENT_BYTES,
    ) -> None:
        self._record = record
        self._clock = clock
        self._extra_keys = extra_keys
        self._keep = keep
        self._max_argument_bytes = max_argument_bytes
        self._waiting: deque[Outcome] = deque()
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
        if len(self._waiting) > _MOST:
            self._drop_oldest()
        if self._flush is None or self._flush.done() or self._flush.get_loop().is_closed():
            self._flush = asyncio.get_running_loop().create_task(self._store_soon())

    def entry(self, outcome: Outcome) -> AuditRecord:
        """Return the record of an outcome: arguments redacted, digests over the true ones.

        Never raises: an outcome that cannot be written down leaves a record of that.
        """
        try:
            return self._entry(outcome)
        except Exception as fault:  # what a tool or a caller gave may raise when it is read
            log.exception("audit.not_written_down", extra={"decision": outcome.decision})
            return _minimal(outcome, fault)

    def _entry(self, outcome: Outcome) -> AuditRecord:
        args = _canonical(outcome.args)
        ctx = outcome.ctx
        return AuditRecord(
            at=outcome.at,
            request_id=_line(ctx.request_id),
            ip=_line_or_none(ctx.ip),
            channel=_line(ctx.channel),
            principal=_line_or_none(ctx.principal),
            conversation=_line_or_none(ctx.conversation),
            origin=_line(ctx.origin),
            tool=_line(outcome.tool),
            decision=_line(outcome.decision),
            code=_line_or_none(outcome.result.code),
            took_ms=outcome.took_ms,
            output_bytes=len(result_json(outcome.result).encode()),
            args=self._shown(outcome.args, args),
            args_digest=digest(args),
            question=outcome.question,
        )

    def _shown(self, args: Arguments, canonical: str) -> str:
        """Return the arguments without their secrets; too many to look through are counted."""
        if len(canonical) > self._max_argument_bytes:
            size = len(canonical.encode())
            return _canonical({"(left out)": f"{size} bytes of arguments"})
        return _canonical(redact(args, self._extra_keys))

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
                batch = self._take_all()
                self._taken += bool(batch)
                mine = self._taken
                await tx.audit.add([self.entry(outcome) for outcome in batch])
                if self._keep is not None:
                    await tx.audit.keep_newest(self._keep)
                added = True
        except RecordError:
            self._waiting.extendleft(reversed(batch))
            log.exception("audit.not_stored", extra={"records": len(self._waiting)})
            return False
        except BaseException:
            if not added:  # else the commit is on its way, whoever waits for it
                self._waiting.extendleft(reversed(batch))
            raise
        self._settled = max(self._settled, mine)
        return True

    def _take_all(self) -> list[Outcome]:
        """Take what waits, one by one: another thread may be handing over meanwhile."""
        return [self._waiting.popleft() for _ in range(len(self._waiting))]

    def _drop_oldest(self) -> None:
        log.error("audit.dropped", extra={"records": _DROPPED_AT_ONCE})
        for _ in range(_DROPPED_AT_ONCE):
            self._waiting.popleft()

    async def _store_soon(self) -> None:
        await asyncio.sleep(_LINGER)
        await self.flush()


def result_json(result: ToolResult) -> str:
    """Return a result's wire shape as JSON; what JSON cannot hold is named only. Never raises."""
    try:
        return result.to_json()
    except Exception:  # what a tool gave may raise when it is written out
        kind = type(result.data).__name__
        named = f"({kind} that JSON cannot hold)"
        meta = {
            "type": _own_text(result.meta.get("type", "generic")),
            "code": _own_text(result.code),
        }
        message, problem = _own_text(result.message), _own_text(result.problem)
        return ToolResult(bool(result.ok), named, message, problem, meta).to_json()


def _own_text(value: object) -> str | None:
    if value is None:
        return None
    try:
        return str(value)
    except Exception:  # the value's own conversion
        return f"({type(value).__name__})"


def _line(value: object) -> str:
    return printable(value if type(value) is str else str(value))


def _line_or_none(value: object) -> str | None:
    return None if value is None else _line(value)


def _minimal(outcome: Outcome, fault: Exception) -> AuditRecord:
    """Return what can be said of an outcome that cannot be written down."""
    fields = ("request_id", "channel", "principal", "conversation", "origin", "ip")
    said = {name: _own_text(getattr(outcome.ctx, name, None)) for name in fields}
    known = {name: None if text is None else printable(text) for name, text in said.items()}
    return AuditRecord(
        at=outcome.at,
        request_id=known["request_id"] or "",
        ip=known["ip"],
        channel=known["channel"] or "",
        principal=known["principal"],
        conversation=known["conversation"],
        origin=known["origin"] or "",
        tool=printable(_own_text(outcome.tool) or ""),
        decision=printable(_own_text(outcome.decision) or ""),
        code=None,
        took_ms=outcome.took_ms,
        output_bytes=0,
        args=_canonical({"(not recorded)": type(fault).__name__}),
        args_digest=digest(""),
        question=outcome.question,
    )


def _canonical(value: object) -> str:
    try:
        return canonical_json(value).encode("utf-8", "backslashreplace").decode()
    except (TypeError, ValueError, RecursionError):
        return canonical_json(repr(type(value)))
