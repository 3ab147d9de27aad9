"""A record that stops before and after all it does, fails when told, and dies with its process."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from comal_runtime.record import Record, Repositories, StoreUnavailable, Transaction
from comal_runtime.record.sql import Params, Row, Sql

from .loop import Gates


class Killed(BaseException):
    """The process is gone; nothing of it may go on."""


@dataclass(slots=True)
class Fate:
    """What befalls one process, and when it is over.

    `fails_in` and `dies_in` count the statements of transactions until one is refused, or until the
    process dies before one; `silent_commits` and `lost_commits` are COMMITs that will not be
    answered, stored or not. A `slow` one takes long after every COMMIT.
    """

    name: str
    fails_in: int | None = None
    dies_in: int | None = None
    silent_commits: int = 0
    lost_commits: int = 0
    frozen: bool = False
    slow: bool = False
    dead: bool = False
    released: bool = False

    async def end(self) -> None:
        """Never go on, whoever cancels, until the whole story is cleared up."""
        self.dead = True
        while not self.released:
            with suppress(asyncio.CancelledError):
                await asyncio.get_running_loop().create_future()
        raise asyncio.CancelledError

    def count(self) -> None:
        """Meet a statement."""
        if self.dies_in is not None:
            self.dies_in -= 1
            if self.dies_in < 0:
                self.dies_in = None
                raise Killed
        if self.fails_in is not None:
            self.fails_in -= 1
            if self.fails_in < 0:
                self.fails_in = None
                raise StoreUnavailable("the record refused a statement")


class Observer:
    """Sees each transaction of every process; its methods never raise."""

    async def wrote(self, tx: Repositories) -> None:
        """See the rows after a statement."""

    def undone(self) -> None:
        """Forget what the transaction did."""

    def stored(self, tx: Transaction) -> None:
        """Keep what the transaction did."""


Watch = Callable[[], Awaitable[None]]


class FatefulRecord:
    """One process's view of a record that several share."""

    def __init__(self, inner: Record, fate: Fate, gates: Gates, observer: Observer) -> None:
        self._inner = inner
        self._fate = fate
        self._gates = gates
        self._observer = observer

    @asynccontextmanager
    async def transaction(self, *, durable: bool = True) -> AsyncIterator[Transaction]:
        await self.stop("begins")
        stored = False
        try:
            async with self._inner.transaction(durable=durable) as inner:
                sql = _FatefulSql(inner.acts._sql, self._fate, lambda: self._observer.wrote(inner))
                tx = Transaction(Repositories(sql, lambda: None))
                tx.deferred = inner.deferred
                yield tx
                if self._fate.lost_commits:
                    self._fate.lost_commits -= 1
                    raise StoreUnavailable("the COMMIT failed")
                self._observer.stored(inner)
                stored = True
        except Killed:
            self._observer.undone()
            await self._fate.end()
        except BaseException:
            if not stored:
                self._observer.undone()
            raise
        await self.stop("committed")
        if self._fate.silent_commits:
            self._fate.silent_commits -= 1
            raise StoreUnavailable("the COMMIT was not answered")

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Repositories]:
        await self.stop("reads")
        async with self._inner.reading() as stored:
            yield stored
        await self.stop("has read")

    def on_work(self, listener: Callable[[], None]) -> None:
        self._inner.on_work(listener)

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def stop(self, place: str) -> None:
        """Let the driver choose when this process goes on, and whether it does."""
        if self._fate.dead:
            await self._fate.end()
        try:
            await self._gates.stop(self._fate.name, place)
        finally:
            if self._fate.dead:
                await self._fate.end()


class _FatefulSql:
    """Lets fate meet every statement of a transaction."""

    def __init__(self, inner: Sql, fate: Fate, wrote: Watch) -> None:
        self._inner = inner
        self._fate = fate
        self._wrote = wrote

    async def execute(self, query: str, params: Params) -> int:
        self._fate.count()
        changed = await self._inner.execute(query, params)
        await self._wrote()
        return changed

    async def one(self, query: str, params: Params) -> Row | None:
        self._fate.count()
        row = await self._inner.one(query, params)
        await self._wrote()
        return row

    async def all(self, query: str, params: Params) -> list[Row]:
        self._fate.count()
        return await self._inner.all(query, params)

    async def insert(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        self._fate.count()
        await self._inner.insert(table, columns, rows)
