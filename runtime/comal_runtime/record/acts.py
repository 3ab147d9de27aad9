"""Acts: did it? One row a mutating call, and the row is the journal."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from .sql import Row, Sql


class ActState(StrEnum):
    """How an act stands."""

    APPROVED = "approved"
    STARTED = "started"
    DONE = "done"
    FAILED = "failed"
    UNKNOWN = "unknown"
    VOID = "void"
    DONE_LATE = "done_late"
    SETTLED_DONE = "settled_done"
    SETTLED_NOT_DONE = "settled_not_done"


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One mutating call. `key` is the question's id, the call key, or a fresh one.

    `deadline_boot` counts on the boot clock named `boot_id`, `deadline_at` on the wall clock for
    readers on another boot; both include timeout and grace.
    """

    key: str
    question: str | None
    tool: str
    args: str = field(repr=False)
    args_digest: str
    principal: str | None
    channel: str
    conversation: str | None
    state: ActState
    attempt: int = 0
    instance: str | None = None
    boot_id: str | None = None
    claimed_boot: float | None = None
    deadline_boot: float | None = None
    deadline_at: float | None = None
    execute_by: float
    idempotency_key: str
    result: str | None = field(default=None, repr=False)
    reason: str | None = None
    created_at: float
    started_at: float | None = None
    ended_at: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """Who starts an act, when, and until when it may run (timeout and grace included)."""

    instance: str
    boot_id: str
    boot: float
    deadline_boot: float
    deadline_at: float
    now: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One claim of an act, as its holder knows it.

    Its `number` alone would not name it: a claim that was not stored leaves it to the next one.
    """

    key: str
    number: int
    instance: str
    boot: float


_NAMES = tuple(Act.__slots__)
_COLUMNS = ", ".join(_NAMES)
_VALUES = ", ".join(f":{name}" for name in _NAMES)
_HELD = (
    "key = :key AND state = :held_in AND attempt = :number AND instance = :instance "
    "AND claimed_boot = :boot"
)


class Acts:
    """Named queries on `acts`. Every change of state says what it expected."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def open(self, act: Act) -> bool:
        """Store a new act; False when its key is taken: the loser does not run."""
        row = {name: getattr(act, name) for name in _NAMES}
        query = f"INSERT INTO acts ({_COLUMNS}) VALUES ({_VALUES}) ON CONFLICT DO NOTHING"
        return await self._sql.execute(query, row) == 1

    async def get(self, key: str) -> Act | None:
        """Return the act with this key."""
        row = await self._sql.one(f"SELECT {_COLUMNS} FROM acts WHERE key = :key", {"key": key})
        return None if row is None else _act(row)

    async def claim(self, key: str, claim: Claim) -> int | None:
        """Start an approved act; its attempt number, or None when it is not approved now."""
        row = await self._sql.one(
            "UPDATE acts SET state = 'started', attempt = attempt + 1, instance = :instance, "
            "boot_id = :boot_id, claimed_boot = :boot, deadline_boot = :deadline_boot, "
            "deadline_at = :deadline_at, started_at = :now "
            "WHERE key = :key AND state = 'approved' AND execute_by > :now RETURNING attempt",
            {"key": key, **{name: getattr(claim, name) for name in Claim.__slots__}},
        )
        return None if row is None else int(row[0])

    async def abandon(self, attempt: Attempt) -> bool:
        """Give a started act back before its callback ran; False when it is no longer ours."""
        query = f"UPDATE acts SET state = 'approved', instance = NULL WHERE {_HELD}"
        return await self._sql.execute(query, _held(attempt, ActState.STARTED)) == 1

    async def end(
        self, attempt: Attempt, *, frm: ActState, to: ActState, result: str, now: float
    ) -> bool:
        """Move our attempt from one state to another with its result; False when it is not there.

        `result` is the JSON of a ToolResult, for the requester and the model.
        """
        changed = await self._sql.execute(
            f"UPDATE acts SET state = :to, result = :result, ended_at = :now WHERE {_HELD}",
            {**_held(attempt, frm), "to": to, "result": result, "now": now},
        )
        return changed == 1

    async def void(self, key: str, *, reason: str, now: float) -> bool:
        """End an approved act that may not run any more; False when it is not approved."""
        changed = await self._sql.execute(
            "UPDATE acts SET state = 'void', reason = :reason, ended_at = :now "
            "WHERE key = :key AND state = 'approved'",
            {"key": key, "reason": reason, "now": now},
        )
        return changed == 1

    async def lose(self, key: str, attempt: int, *, reason: str, now: float) -> bool:
        """Declare a started act unknown; False when that attempt is not running any more."""
        changed = await self._sql.execute(
            "UPDATE acts SET state = 'unknown', reason = :reason, ended_at = :now "
            "WHERE key = :key AND attempt = :attempt AND state = 'started'",
            {"key": key, "attempt": attempt, "reason": reason, "now": now},
        )
        return changed == 1

    async def lost(self, *, boot_id: str, boot: float, now: float, limit: int) -> list[Act]:
        """Return started acts whose deadline passed and whose owner's lease ended.

        Boot times are compared under the same boot only; under another the wall clock stands in.
        """
        rows = await self._sql.all(
            f"SELECT {', '.join('a.' + name for name in _NAMES)} FROM acts a "
            "LEFT JOIN instances i ON i.id = a.instance WHERE a.state = 'started' "
            "AND CASE WHEN a.boot_id = :boot_id "
            "THEN a.deadline_boot < :boot AND (i.id IS NULL OR i.lease_boot < :boot) "
            "ELSE a.deadline_at < :now AND (i.id IS NULL OR i.lease_at < :now) END "
            "LIMIT :limit",
            {"boot_id": boot_id, "boot": boot, "now": now, "limit": limit},
        )
        return [_act(row) for row in rows]

    async def overdue(self, *, now: float, limit: int) -> list[str]:
        """Return keys of approved acts whose `execute_by` passed."""
        rows = await self._sql.all(
            "SELECT key FROM acts WHERE state = 'approved' AND execute_by <= :now LIMIT :limit",
            {"now": now, "limit": limit},
        )
        return [row[0] for row in rows]


def _held(attempt: Attempt, state: ActState) -> Mapping[str, Any]:
    names = {name: getattr(attempt, name) for name in Attempt.__slots__}
    return {**names, "held_in": state}


def _act(row: Row) -> Act:
    values = dict(zip(_NAMES, row, strict=True))
    values["state"] = ActState(values["state"])
    return Act(**values)
