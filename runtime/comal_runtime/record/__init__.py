"""The record: the one place where what happened is true."""

from .acts import Act, ActState, Claim
from .audit import AuditRecord
from .cards import Card
from .errors import ForeignLoop, NestedTransaction, RecordError, StoreUnavailable
from .inbox import StoredUpdate
from .jobs import ClaimedJob, Job
from .outbox import ClaimedMessage, Outgoing
from .people import Place
from .protocol import Record, Repositories, Transaction
from .questions import Question, QuestionKind, QuestionState, Vote
from .sqlite import SqliteRecord, memory_record
from .turns import Entry, Turn

__all__ = [
    "Act",
    "ActState",
    "AuditRecord",
    "Card",
    "Claim",
    "ClaimedJob",
    "ClaimedMessage",
    "Entry",
    "ForeignLoop",
    "Job",
    "NestedTransaction",
    "Outgoing",
    "Place",
    "Question",
    "QuestionKind",
    "QuestionState",
    "Record",
    "RecordError",
    "Repositories",
    "SqliteRecord",
    "StoreUnavailable",
    "StoredUpdate",
    "Transaction",
    "Turn",
    "Vote",
    "memory_record",
]
