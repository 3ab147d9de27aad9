"""The stored truth: what a record offers, whatever database stands behind it."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from .acts import Acts
from .audit import Audit
from .cards import Cards
from .inbox import Inbox
from .jobs import Job, Jobs
from .leases import Leases
from .limits import Limits
from .outbox import Outbox
from .people import People
from .questions import Questions
from .sql import Sql
from .turns import Turns


class Repositories:
    """Every repository over one connection; `stir` is called when a message was queued."""

    __slots__ = (
        "acts", "audit", "cards", "inbox", "jobs", "leases", "limits", "outbox", "people",
        "questions", "turns",
    )  # fmt: skip

    def __init__(self, sql: Sql, stir: Callable[[], None]) -> None:
        self.acts = Acts(sql)
        self.audit = Audit(sql)
        self.cards = Cards(sql)
        self.inbox = Inbox(sql)
        self.jobs = Jobs(sql)
        self.leases = Leases(sql)
        self.limits = Limits(sql)
        self.outbox = Outbox(sql, stir)
        self.people = People(sql)
        self.questions = Questions(sql)
        self.turns = Turns(sql)


class Transaction:
    """One unit of work: all of it is stored, or nothing."""

    __slots__ = (
        "acts", "audit", "cards", "deferred", "inbox", "jobs", "leases", "limits", "outbox",
        "people", "questions", "turns",
    )  # fmt: skip

    def __init__(self, repositories: Repositories) -> None:
        self.acts = repositories.acts
        self.audit = repositories.audit
        self.cards = repositories.cards
        self.inbox = repositories.inbox
        self.jobs = repositories.jobs
        self.leases = repositories.leases
        self.limits = repositories.limits
        self.outbox = repositories.outbox
        self.people = repositories.people
        self.questions = repositories.questions
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
