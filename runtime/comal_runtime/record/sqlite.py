"""The record in one SQLite file: statements run at once, whole groups are committed together."""

import asyncio
import sqlite3
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from ..clock import Clock, SystemClock
from .errors import NestedTransaction, StoreUnavailable
from .loops import OneLoop
from .opening import is_busy, open_reader, open_writer, patiently
from .protocol import Repositories, Transaction
from .sql import Params, Row

_GROUP = 256  # transactions a commit, at most
_FRAMES = 40  # of Python's stack, so many as a transaction's own code may be deep


class SqliteSql:
    """Runs statements on one connection; none of them waits for a disk or another process."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    async def execute(self, query: str, params: Params) -> int:
        return self._connection.execute(query, params).rowcount

    async def one(self, query: str, params: Params) -> Row | None:
        cursor = self._connection.execute(query, params)
        row: Row | None = cursor.fetchone()
        cursor.close()  # ends the statement: `RETURNING` reports its count only then
        return row

    async def all(self, query: str, params: Params) -> list[Row]:
        return self._connection.execute(query, params).fetchall()

    async def insert(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        marks = ", ".join("?" * len(columns))
        query = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})"
        self._connection.executemany(query, rows)


class _Group:
    """Transactions that one COMMIT stores."""

    __slots__ = ("done", "durable", "size", "work")

    def __init__(self, durable: bool) -> None:
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.durable = durable
        self.size = 0
        self.work = False


class SqliteRecord:
    """A record in a file, or in memory when `path` is None.

    Statements run inline: in WAL mode they touch pages in memory. What may wait (taking the write
    lock from another process, COMMIT's fsync) happens in one writer thread, and transactions that
    queue up meanwhile share the next COMMIT. In memory everything is inline and there is no thread.
    One running event loop at a time may use it: another is refused with `ForeignLoop`.
    With `hosted` False deferred jobs are dropped, since nobody will do them.

    Source: sqlite.org/wal.html, sqlite.org/pragma.html#pragma_synchronous.
    """

    def __init__(
        self, path: Path | None, *, clock: Clock | None = None, hosted: bool = True
    ) -> None:
        self._clock = clock or SystemClock()
        self._hosted = hosted
        self._writer = open_writer(path)
        self._reader = self._writer if path is None else open_reader(path)
        self._writing = Repositories(SqliteSql(self._writer), self._stir)
        self._reading = Repositories(SqliteSql(self._reader), self._stir)
        self._thread = None if path is None else ThreadPoolExecutor(1, "comal-record")
        self._waiters: deque[asyncio.Future[None]] = deque()
        self._busy = False
        self._holder: asyncio.Task[object] | None = None
        self._group: _Group | None = None
        self._durable: bool | None = None
        self._closed = False
        self._loop = OneLoop()
        self._stirred = False
        self._listeners: list[Callable[[], None]] = []

    def on_work(self, listener: Callable[[], None]) -> None:
        self._listeners.append(listener)

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Repositories]:
        self._serve_this_loop()
        try:
            yield self._reading
        except sqlite3.Error as error:
            raise StoreUnavailable(f"the record cannot be read: {error}") from error

    @asynccontextmanager
    async def transaction(self, *, durable: bool = True) -> AsyncIterator[Transaction]:
        _spare_frames()
        self._serve_this_loop()
        task = asyncio.current_task()
        if self._holder is not None and self._holder is task:
            raise NestedTransaction("a transaction is open in this task already")
        group = await self._enter(durable)
        self._holder = task
        stored = False
        try:
            self._writer.execute("SAVEPOINT one")
            try:
                tx = Transaction(self._writing)
                yield tx
                await self._defer(tx, group)
                self._writer.execute("RELEASE one")
                stored = True
            finally:
                if not stored and self._group is group and self._writer.in_transaction:
                    self._writer.execute("ROLLBACK TO one")
                    self._writer.execute("RELEASE one")
        except sqlite3.Error as error:
            raise StoreUnavailable(f"the record refused a statement: {error}") from error
        finally:
            if self._group is group:  # else its loop was closed, and another has undone it
                self._holder = None
                self._leave(group)
        await asyncio.shield(group.done)

    async def aclose(self) -> None:
        if self._closed:
            return
        self._serve_this_loop()
        group = await self._enter(durable=True)
        self._leave(group)
        await asyncio.shield(group.done)
        self._closed = True
        if self._thread is not None:
            self._thread.shutdown(wait=True)
            self._reader.close()
        self._writer.close()

    def _serve_this_loop(self) -> None:
        """Refuse a second running loop; undo what a closed one left open, which nobody awaits."""
        if not self._loop.enter(busy=self._busy):
            return
        if self._thread is not None:
            self._thread.submit(lambda: None).result()  # what it was doing has ended then
        if self._writer.in_transaction:
            self._writer.execute("ROLLBACK")
        self._waiters.clear()
        self._busy, self._group, self._holder = False, None, None

    async def _defer(self, tx: Transaction, group: _Group) -> None:
        if not self._hosted:
            return
        now = self._clock.now()
        for job, delay in tx.deferred:
            await tx.jobs.add(job, run_at=now + delay)
        group.work = group.work or self._stirred or bool(tx.deferred)
        self._stirred = False

    def _stir(self) -> None:
        self._stirred = True

    async def _enter(self, durable: bool) -> _Group:
        if self._busy:
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiters.append(turn)
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():
                    self._pass_on()
                raise
        self._busy = True
        if self._group is None:
            await self._begin(durable)
        assert self._group is not None
        self._group.size += 1
        return self._group

    async def _begin(self, durable: bool) -> None:
        try:
            if self._thread is not None and durable is not self._durable:
                self._writer.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
                self._durable = durable
            self._writer.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            if not is_busy(error):
                self._pass_on()
                raise StoreUnavailable(f"the record cannot be written: {error}") from error
            await self._begin_when_free(durable)
        else:
            self._group = _Group(durable)

    async def _begin_when_free(self, durable: bool) -> None:
        """Wait for another process; when cancelled, the turn goes on once the wait has ended."""

        def begun(done: asyncio.Future[None]) -> None:
            if done.exception() is None:
                self._group = _Group(durable)

        loop = asyncio.get_running_loop()
        beginning = loop.run_in_executor(self._thread, self._wait_and_begin)
        beginning.add_done_callback(begun)
        try:
            await asyncio.shield(beginning)
        except (asyncio.CancelledError, StoreUnavailable):
            beginning.add_done_callback(lambda _: self._pass_on())
            raise

    def _wait_and_begin(self) -> None:
        try:
            patiently(lambda: self._writer.execute("BEGIN IMMEDIATE"))
        except sqlite3.Error as error:
            raise StoreUnavailable(f"the record is held by others: {error}") from error

    def _leave(self, group: _Group) -> None:
        more_may_join = group.durable and group.size < _GROUP and self._thread is not None
        if more_may_join and self._writer.in_transaction:
            self._pass_on()
        else:  # or the store undid the group by itself, which COMMIT finds out for everybody
            self._commit(group)

    def _pass_on(self) -> None:
        """Let the next writer in; with none waiting, commit what is open."""
        while self._waiters:
            turn = self._waiters.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        if self._group is not None:
            self._commit(self._group)
        else:
            self._busy = False

    def _commit(self, group: _Group) -> None:
        self._group = None
        if self._thread is None:
            self._committed(group, self._try_commit())
            return
        commit = asyncio.get_running_loop().run_in_executor(self._thread, self._try_commit)
        commit.add_done_callback(lambda done: self._committed(group, done.result()))

    def _try_commit(self) -> sqlite3.Error | None:
        try:
            self._writer.execute("COMMIT")
        except sqlite3.Error as error:
            with suppress(sqlite3.Error):
                self._writer.execute("ROLLBACK")
            return error
        return None

    def _committed(self, group: _Group, error: sqlite3.Error | None) -> None:
        if error is None:
            group.done.set_result(None)
        else:
            group.done.set_exception(StoreUnavailable(f"the record did not commit: {error}"))
            group.done.exception()  # every waiter gets it; with none left it is no warning
        self._pass_on()
        if error is None and group.work:
            for listener in self._listeners:
                listener()


def _spare_frames(levels: int = _FRAMES) -> None:
    """Find out before anything is taken that the stack has no room to give it back.

    Raises:
        RecursionError: It has none; nothing was done.
    """
    if levels:
        _spare_frames(levels - 1)


def memory_record(*, clock: Clock | None = None, hosted: bool = False) -> SqliteRecord:
    """Return a record that lives in memory and needs no closing."""
    return SqliteRecord(None, clock=clock, hosted=hosted)
