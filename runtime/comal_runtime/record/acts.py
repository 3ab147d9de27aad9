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
    readers on another boot; both include timeout and grace. `goes_on` tells that its tool may still
    run in the process `instance`.

    The tool's service is asked at `ask_at` whether an unknown act was done; it was asked
    `times_asked` times. `settled_by` is who said how an unknown act ended, `left_by` who decided
    that it stays unknown.
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
    goes_on: bool = False
    ask_at: float | None = None
    times_asked: int = 0
    settled_by: str | None = None
    settled_at: float | None = None
    left_by: str | None = None
    left_at: float | None = None


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
        row = {name: getattr(act, name) for name in _NAMES} | {"goes_on": int(act.goes_on)}
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
            "deadline_at = :deadline_at, started_at = :now, goes_on = 1 "
            "WHERE key = :key AND state = 'approved' AND execute_by > :now RETURNING attempt",
            {"key": key, **{name: getattr(claim, name) for name in Claim.__slots__}},
        )
        return None if row is None else int(row[0])

    async def abandon(self, attempt: Attempt) -> bool:
        """Give a started act back before its callback ran; False when it is no longer ours."""
        query = f"UPDATE acts SET state = 'approved', instance = NULL, goes_on = 0 WHERE {_HELD}"
        return await self._sql.execute(query, _held(attempt, ActState.STARTED)) == 1

    async def end(
        self,
        attempt: Attempt,
        *,
        frm: ActState,
        to: ActState,
        result: str,
        now: float,
        goes_on: bool = False,
    ) -> bool:
        """Move our attempt from one state to another with its result; False when it is not there.

        `result` is the JSON of a ToolResult, for the requester and the model. `goes_on`: the tool
        could not be stopped. An unknown end is asked about once its deadline has passed.
        """
        changed = await self._sql.execute(
            "UPDATE acts SET state = :to, result = :result, ended_at = :now, goes_on = :goes_on, "
            f"ask_at = CASE WHEN :to = 'unknown' THEN deadline_at END WHERE {_HELD}",
            {
                **_held(attempt, frm),
                "to": to,
                "result": result,
                "now": now,
                "goes_on": int(goes_on),
            },
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
            "UPDATE acts SET state = 'unknown', reason = :reason, ended_at = :now, ask_at = :now "
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

    async def settle(self, key: str, to: ActState, *, result: str, by: str, now: float) -> bool:
        """Say how an unknown act ended, and who says so; False when it is not unknown."""
        changed = await self._sql.execute(
            "UPDATE acts SET state = :to, result = :result, settled_by = :by, "
            "settled_at = :now, ask_at = NULL WHERE key = :key AND state = 'unknown'",
            {"key": key, "to": to, "result": result, "by": by, "now": now},
        )
        return changed == 1

    async def leave(self, key: str, *, by: str, now: float) -> bool:
        """Note who leaves an act unknown; False when it is not, or somebody has left it so."""
        changed = await self._sql.execute(
            "UPDATE acts SET left_by = :by, left_at = :now "
            "WHERE key = :key AND state = 'unknown' AND left_by IS NULL",
            {"key": key, "by": by, "now": now},
        )
        return changed == 1

    async def hold_unknown(self, key: str) -> bool:
        """Keep an act unknown until this transaction ends; False when it is not."""
        query = "UPDATE acts SET state = 'unknown' WHERE key = :key AND state = 'unknown'"
        return await self._sql.execute(query, {"key": key}) == 1

    async def to_ask(self, *, boot_id: str, boot: float, now: float, limit: int) -> list[Act]:
        """Return unknown acts whose service is to be asked now: their own time has passed."""
        rows = await self._sql.all(
            f"SELECT {_COLUMNS} FROM acts WHERE state = 'unknown' AND ask_at <= :now "
            "AND (boot_id IS NULL OR boot_id <> :boot_id OR deadline_boot < :boot) "
            "ORDER BY ask_at LIMIT :limit",
            {"boot_id": boot_id, "boot": boot, "now": now, "limit": limit},
        )
        return [_act(row) for row in rows]

    async def ask(self, key: str, *, at: float | None, before: float | None) -> bool:
        """Set when the service is asked next; False when another has changed that from `before`."""
        changed = await self._sql.execute(
            "UPDATE acts SET ask_at = :at WHERE key = :key AND state = 'unknown' "
            "AND COALESCE(ask_at, -1) = COALESCE(:before, -1)",
            {"key": key, "at": at, "before": before},
        )
        return changed == 1

    async def asked(self, key: str, *, times: int) -> bool:
        """Count that the service was asked and does not know; False if that was counted before."""
        changed = await self._sql.execute(
            "UPDATE acts SET times_asked = times_asked + 1 "
            "WHERE key = :key AND state = 'unknown' AND times_asked = :times",
            {"key": key, "times": times},
        )
        return changed == 1

    async def recent(self, *, state: str | None, limit: int) -> list[Act]:
        """Return the newest acts, of one state or of all."""
        rows = await self._sql.all(
            f"SELECT {_COLUMNS} FROM acts WHERE :state IS NULL OR state = :state "
            "ORDER BY created_at DESC LIMIT :limit",
            {"state": state, "limit": limit},
        )
        return [_act(row) for row in rows]

    async def beginning(self, prefix: str, *, limit: int) -> list[Act]:
        """Return acts whose key begins so."""
        rows = await self._sql.all(
            f"SELECT {_COLUMNS} FROM acts WHERE SUBSTR(key, 1, :length) = :prefix "
            "ORDER BY created_at DESC LIMIT :limit",
            {"prefix": prefix, "length": len(prefix), "limit": limit},
        )
        return [_act(row) for row in rows]


def _held(attempt: Attempt, state: ActState) -> Mapping[str, Any]:
    names = {name: getattr(attempt, name) for name in Attempt.__slots__}
    return {**names, "held_in": state}


def _act(row: Row) -> Act:
    values = dict(zip(_NAMES, row, strict=True))
    values["state"] = ActState(values["state"])
    values["goes_on"] = bool(values["goes_on"])
    return Act(**values)
