"""Passing stored records on to sinks, in a thread that nobody waits for."""

import logging
import threading
from collections.abc import Sequence
from queue import SimpleQueue
from typing import Final, Protocol

from ...clock import Clock
from ...record import Filed

log = logging.getLogger(__name__)

_MOST: Final = 50_000  # records that may wait for slow sinks
_QUIET: Final = 60.0  # seconds between two complaints about the same
_PATIENCE: Final = 10.0  # seconds that sinks get to finish when the audit is closed


class AuditSink(Protocol):
    """Takes what is stored. Both are called in one thread of the audit's own, never at once."""

    def write(self, records: Sequence[Filed]) -> None:
        """Take records that the record has stored; may block, and what it raises is logged."""
        ...

    def close(self) -> None:
        """Let go of what is held; nothing comes after it."""
        ...


class Fanout:
    """Hands batches to every sink in order. What a sink raises stops neither it nor the others."""

    def __init__(self, sinks: Sequence[AuditSink], clock: Clock) -> None:
        self._sinks = tuple(sinks)
        self._clock = clock
        self._queue: SimpleQueue[Sequence[Filed] | None] = SimpleQueue()
        self._waiting = 0
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._said: dict[str, float] = {}
        self._unsaid: dict[str, int] = {}

    def take(self, records: Sequence[Filed]) -> None:
        """Take stored records. Never waits: too many for slow sinks are left out, and counted."""
        with self._lock:
            if self._waiting + len(records) > _MOST:
                self._complain("audit.sinks_behind", "all", len(records))
                return
            self._waiting += len(records)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="comal-audit", daemon=True)
                self._thread.start()
        self._queue.put(records)

    def close(self) -> None:
        """Wait, within reason, until the sinks have what was taken, and close them."""
        with self._lock:
            thread = self._thread
        if thread is None:
            self._close_all()
            return
        self._queue.put(None)
        thread.join(_PATIENCE)
        if thread.is_alive():
            log.error("audit.sinks_not_closed", extra={"records": self._waiting})

    def _run(self) -> None:
        while (records := self._queue.get()) is not None:
            for sink in self._sinks:
                try:
                    sink.write(records)
                except Exception as error:  # a user's own code, or the disk
                    self._complain("audit.sink_failed", type(sink).__name__, len(records), error)
            with self._lock:
                self._waiting -= len(records)
        self._close_all()

    def _close_all(self) -> None:
        for sink in self._sinks:
            try:
                sink.close()
            except Exception as error:
                self._complain("audit.sink_failed", type(sink).__name__, 0, error)

    def _complain(self, what: str, sink: str, records: int, error: Exception | None = None) -> None:
        """Log a fault, at most once a minute for each sink; the next one counts what came since."""
        about, now = f"{what}:{sink}", self._clock.boot()
        self._unsaid[about] = self._unsaid.get(about, 0) + records
        if now - self._said.get(about, -_QUIET) < _QUIET:
            return
        self._said[about] = now
        facts = {"sink": sink, "records": self._unsaid.pop(about), "reason": str(error or "")}
        log.error(what, extra=facts)
