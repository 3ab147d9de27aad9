"""The stored truth: what a record offers, whatever database stands behind it."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from .acts import Acts
from .admissions import Admissions
from .alarms import Alarms
from .audit import Audit
from .cards import Cards
from .identities import Identities
from .inbox import Inbox
from .jobs import Job, Jobs
from .leases import Leases
from .limits import Limits
from .outbox import Outbox
from .overrides import Overrides
from .people import People
from .questions import Questions
from .receipts import Receipts
from .remarks import Remarks
from .showings import Showings
from .sql import Sql
from .turns import Turns


class Repositories:
    """Every repository over one connection; `stir` is called when a message was queued."""

    __slots__ = (
        "acts", "admissions", "alarms", "audit", "cards", "identities", "inbox", "jobs", "leases",
        "limits", "outbox", "overrides", "people", "questions", "receipts", "remarks", "showings",
        "turns",
    )  # fmt: skip

    def __init__(self, sql: Sql, stir: Callable[[], None]) -> None:
        self.acts = Acts(sql)
        self.admissions = Admissions(sql)
        self.alarms = Alarms(sql)
        self.audit = Audit(sql)
        self.cards = Cards(sql)
        self.identities = Identities(sql)
        self.inbox = Inbox(sql)
        self.jobs = Jobs(sql)
        self.leases = Leases(sql)
        self.limits = Limits(sql)
        self.outbox = Outbox(sql, stir)
        self.people = People(sql)
        self.questions = Questions(sql)
        self.remarks = Remarks(sql)
        self.overrides = Overrides(sql)
        self.receipts = Receipts(sql)
        self.showings = Showings(sql)
        self.turns = Turns(sql)


class Transaction:
    """One unit of work: all of it is stored, or nothing."""

    __slots__ = (
        "acts", "admissions", "alarms", "audit", "cards", "deferred", "identities", "inbox",
        "jobs", "leases", "limits", "outbox", "overrides", "people", "questions", "receipts",
        "remarks", "showings", "turns",
    )  # fmt: skip

    def __init__(self, repositories: Repositories) -> None:
        self.acts = repositories.acts
        self.admissions = repositories.admissions
        self.alarms = repositories.alarms
        self.audit = repositories.audit
        self.cards = repositories.cards
        self.identities = repositories.identities
        self.inbox = repositories.inbox
        self.jobs = repositories.jobs
        self.leases = repositories.leases
        self.limits = repositories.limits
        self.outbox = repositories.outbox
        self.people = repositories.people
        self.questions = repositories.questions
        self.remarks = repositories.remarks
        self.overrides = repositories.overrides
        self.receipts = repositories.receipts
        self.showings = repositories.showings
        self.turns = repositories.turns
        self.deferred: list[tuple[Job, float]] = []

    def defer(self, job: Job, *, delay: float = 0.0) -> None:
        """Do `job` after this transaction is stored, and only then; `delay` in seconds."""
        self.deferred.append((job, delay))


class Record(Protocol):
    """Where the truth is kept."""

    def transaction(self, *, durable: bool = True) -> AbstractAsyncContextManager[Transaction]:
        """Open a transaction; it is stored when the block ends and undone when it raises.

        Nothing but this record may be awaited inside: other writers wait meanwhile. A transaction
        that is not `durable` survives the death of the process, not that of the machine.

        Raises:
            StoreUnavailable: It was not stored, or whether it was is not known.
            NestedTransaction: This task has one open already.
        """
        ...

    def reading(self) -> AbstractAsyncContextManager[Repositories]:
        """Read what is stored, without waiting for writers."""
        ...

    def on_work(self, listener: Callable[[], None]) -> None:
        """Call `listener` after each stored transaction that left something to do."""
        ...

    async def aclose(self) -> None:
        """Store what is open and close."""
        ...
