"""The record: the one place where what happened is true."""

from .acts import Act, ActState, Attempt, Claim
from .audit import AuditRecord, Chain, Filed, Link, Sought
from .cards import Card
from .errors import ForeignLoop, NestedTransaction, RecordError, StoreUnavailable
from .inbox import StoredUpdate
from .jobs import ClaimedJob, Job
from .limits import Moment, Spent
from .outbox import ClaimedMessage, Outgoing
from .people import Place
from .protocol import Record, Repositories, Transaction
from .questions import Question, QuestionKind, QuestionState, Vote
from .sqlite import SqliteRecord, memory_record
from .turns import Entry, Turn

__all__ = [
    "Act",
    "ActState",
    "Attempt",
    "AuditRecord",
    "Card",
    "Chain",
    "Claim",
    "ClaimedJob",
    "ClaimedMessage",
    "Entry",
    "Filed",
    "ForeignLoop",
    "Job",
    "Link",
    "Moment",
    "NestedTransaction",
    "Outgoing",
    "Place",
    "Question",
    "QuestionKind",
    "QuestionState",
    "Record",
    "RecordError",
    "Repositories",
    "Sought",
    "Spent",
    "SqliteRecord",
    "StoreUnavailable",
    "StoredUpdate",
    "Transaction",
    "Turn",
    "Vote",
    "memory_record",
]
