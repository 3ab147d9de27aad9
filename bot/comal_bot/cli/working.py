"""Commands that change what a host's record holds: each is one more worker of that host."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from comal_bot.auditing import audit_logger
from comal_bot.people import PeopleDirectory
from comal_bot.settings import Settings
from comal_bot.tooling import directory
from comal_runtime.audit import ToolAuditLogger
from comal_runtime.clock import SystemClock
from comal_runtime.record import SqliteRecord

from .opening import opened


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """What a command works with; `people` know by now what the record knows."""

    record: SqliteRecord
    clock: SystemClock
    audit: ToolAuditLogger
    people: PeopleDirectory


@asynccontextmanager
async def at_work(settings: Settings) -> AsyncIterator[Desk]:
    """Open the record as a host does; what is left to do then is done by a running host.

    Raises:
        CommandFailed: There is no record, or it may not be written.
    """
    with opened(settings.data.path, writing=True):
        pass  # what is wrong with the record is told before it is opened as a host opens it
    clock, people = SystemClock(), directory(settings)
    async with AsyncExitStack() as stack:
        record = SqliteRecord(settings.data.path, clock=clock)
        stack.push_async_callback(record.aclose)
        log = audit_logger(settings, record, clock)
        stack.push_async_callback(log.aclose)
        async with record.reading() as stored:
            await people.refresh(stored)
        yield Desk(record=record, clock=clock, audit=log, people=people)
