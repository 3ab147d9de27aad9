"""The record in SQLite, in a file and in memory, holds every contract."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from comal_runtime.record import Record, SqliteRecord, memory_record
from comal_runtime.testing import FakeClock

from .contracts.acts import ActsContract
from .contracts.alarms import AlarmsContract
from .contracts.audit import AuditContract
from .contracts.identities import AdmissionsContract, IdentitiesContract
from .contracts.jobs import JobsContract
from .contracts.outbox import OutboxContract
from .contracts.questions import QuestionsContract
from .contracts.receipts import ReceiptsContract
from .contracts.remarks import RemarksContract
from .contracts.smaller import (
    CardsContract,
    InboxContract,
    LeasesContract,
    PeopleContract,
)
from .contracts.transactions import TransactionsContract
from .contracts.turns import TurnsContract
from .contracts.unknown import UnknownActsContract


class InFile:
    """Gives a record in a file."""

    @pytest.fixture
    async def record(self, tmp_path: Path, clock: FakeClock) -> AsyncIterator[Record]:
        record = SqliteRecord(tmp_path / "comal.db", clock=clock)
        yield record
        await record.aclose()


class InMemory:
    """Gives a record in memory that keeps its jobs."""

    @pytest.fixture
    async def record(self, clock: FakeClock) -> AsyncIterator[Record]:
        record = memory_record(clock=clock, hosted=True)
        yield record
        await record.aclose()


class TestFileTransactions(InFile, TransactionsContract): ...


class TestMemoryTransactions(InMemory, TransactionsContract): ...


class TestFileQuestions(InFile, QuestionsContract): ...


class TestMemoryQuestions(InMemory, QuestionsContract): ...


class TestFileAlarms(InFile, AlarmsContract): ...


class TestMemoryAlarms(InMemory, AlarmsContract): ...


class TestFileActs(InFile, ActsContract): ...


class TestMemoryActs(InMemory, ActsContract): ...


class TestFileUnknownActs(InFile, UnknownActsContract): ...


class TestMemoryUnknownActs(InMemory, UnknownActsContract): ...


class TestFileJobs(InFile, JobsContract): ...


class TestMemoryJobs(InMemory, JobsContract): ...


class TestFileTurns(InFile, TurnsContract): ...


class TestMemoryTurns(InMemory, TurnsContract): ...


class TestFileOutbox(InFile, OutboxContract): ...


class TestMemoryOutbox(InMemory, OutboxContract): ...


class TestFileInbox(InFile, InboxContract): ...


class TestMemoryInbox(InMemory, InboxContract): ...


class TestFilePeople(InFile, PeopleContract): ...


class TestMemoryPeople(InMemory, PeopleContract): ...


class TestFileIdentities(InFile, IdentitiesContract): ...


class TestMemoryIdentities(InMemory, IdentitiesContract): ...


class TestFileAdmissions(InFile, AdmissionsContract): ...


class TestMemoryAdmissions(InMemory, AdmissionsContract): ...


class TestFileCards(InFile, CardsContract): ...


class TestMemoryCards(InMemory, CardsContract): ...


class TestFileLeases(InFile, LeasesContract): ...


class TestMemoryLeases(InMemory, LeasesContract): ...


class TestFileAudit(InFile, AuditContract): ...


class TestMemoryAudit(InMemory, AuditContract): ...


class TestFileRemarks(InFile, RemarksContract): ...


class TestMemoryRemarks(InMemory, RemarksContract): ...


class TestFileReceipts(InFile, ReceiptsContract): ...


class TestMemoryReceipts(InMemory, ReceiptsContract): ...
