"""The record: the one place where what happened is true."""

from .acts import Act, ActState, Attempt, Claim
from .admissions import OwnerCode, Pairing
from .audit import AuditRecord, Chain, Filed, Link, Sought
from .cards import Card
from .errors import ForeignLoop, NestedTransaction, RecordError, StoreUnavailable
from .identities import IdentityLink, Standing
from .inbox import StoredUpdate
from .jobs import ClaimedJob, Job
from .limits import Moment, Spent
from .outbox import ClaimedMessage, Outgoing
from .overrides import Override
from .people import Place
from .protocol import Record, Repositories, Transaction
from .questions import Question, QuestionKind, QuestionState, Vote
from .receipts import StoredReceipt
from .remarks import Intent, Remark
from .showings import Showing
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
    "IdentityLink",
    "Intent",
    "Job",
    "Link",
    "Moment",
    "NestedTransaction",
    "Outgoing",
    "Override",
    "OwnerCode",
    "Pairing",
    "Place",
    "Question",
    "QuestionKind",
    "QuestionState",
    "Record",
    "RecordError",
    "Remark",
    "Repositories",
    "Showing",
    "Sought",
    "Spent",
    "SqliteRecord",
    "Standing",
    "StoreUnavailable",
    "StoredReceipt",
    "StoredUpdate",
    "Transaction",
    "Turn",
    "Vote",
    "memory_record",
]
