"""Turns and the history they write; every write says which epoch it belongs to."""

from dataclasses import dataclass, field

from .sql import Row, Sql


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message or host event to one answer.

    `origin_event` names what began it and is unique, so that an update begins one turn only.
    `epoch` grows each time a worker takes the turn; a writer of an older epoch adds nothing.
    """

    id: str
    conversation: str
    principal: str | None
    channel: str
    origin_event: str
    state: str
    reason: str | None
    step: int
    epoch: int
    stop: bool
    started_at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of history: `body` is the JSON of a provider-neutral message.

    `place` is 0 for what opened the turn or for the model's message of a step, and n for the
    result of the n-th call (from 1).
    """

    turn: str
    step: int
    place: int
    role: str
    body: str = field(repr=False)


_COLUMNS = (
    "id, conversation, principal, channel, origin_event, state, reason, step, epoch, stop, "
    "started_at"
)


class Turns:
    """Named queries on `turns` and `history`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def open(self, turn: Turn) -> bool:
        """Store a new turn; False when its event has begun one already."""
        changed = await self._sql.execute(
            f"INSERT INTO turns ({_COLUMNS}) VALUES (:id, :conversation, :principal, :channel, "
            ":origin_event, :state, :reason, :step, :epoch, :stop, :started_at) "
            "ON CONFLICT DO NOTHING",
            {name: getattr(turn, name) for name in Turn.__slots__},
        )
        return changed == 1

    async def get(self, turn: str) -> Turn | None:
        """Return the turn with this id."""
        row = await self._sql.one(f"SELECT {_COLUMNS} FROM turns WHERE id = :id", {"id": turn})
        return None if row is None else _turn(row)

    async def by_event(self, origin_event: str) -> Turn | None:
        """Return the turn that this event began."""
        query = f"SELECT {_COLUMNS} FROM turns WHERE origin_event = :event"
        row = await self._sql.one(query, {"event": origin_event})
        return None if row is None else _turn(row)

    async def take(self, turn: str) -> int | None:
        """Become the turn's only writer; the new epoch, or None when the turn has ended."""
        row = await self._sql.one(
            "UPDATE turns SET epoch = epoch + 1 WHERE id = :id AND state = 'running' "
            "RETURNING epoch",
            {"id": turn},
        )
        return None if row is None else int(row[0])

    async def write(self, entry: Entry, *, epoch: int, now: float) -> bool:
        """Append to history as the writer of `epoch`; False when that epoch is over.

        A line that is there already is success: the step was stored before a crash.
        """
        alive = await self._sql.execute(
            "UPDATE turns SET step = :step WHERE id = :turn AND epoch = :epoch "
            "AND state = 'running'",
            {"turn": entry.turn, "step": entry.step, "epoch": epoch},
        )
        if alive != 1:
            return False
        await self._sql.execute(
            "INSERT INTO history (conversation, turn, step, place, role, body, at) "
            "SELECT conversation, :turn, :step, :place, :role, :body, :now FROM turns "
            "WHERE id = :turn ON CONFLICT DO NOTHING",
            {**{name: getattr(entry, name) for name in Entry.__slots__}, "now": now},
        )
        return True

    async def end(self, turn: str, *, epoch: int, reason: str, now: float) -> bool:
        """End a turn as the writer of `epoch`; False when that epoch is over."""
        changed = await self._sql.execute(
            "UPDATE turns SET state = 'ended', reason = :reason, ended_at = :now "
            "WHERE id = :id AND epoch = :epoch AND state = 'running'",
            {"id": turn, "epoch": epoch, "reason": reason, "now": now},
        )
        return changed == 1

    async def history(self, conversation: str, *, limit: int = 400) -> list[Entry]:
        """Return the newest lines of a conversation, oldest first."""
        rows = await self._sql.all(
            "SELECT turn, step, place, role, body FROM (SELECT id, turn, step, place, role, body "
            "FROM history WHERE conversation = :conversation ORDER BY id DESC LIMIT :limit) "
            "ORDER BY id",
            {"conversation": conversation, "limit": limit},
        )
        return [Entry(turn=t, step=s, place=p, role=r, body=b) for t, s, p, r, b in rows]

    async def ask_stop(self, conversation: str) -> int:
        """Ask every running turn of a conversation to stop between steps; how many there are."""
        return await self._sql.execute(
            "UPDATE turns SET stop = 1 WHERE conversation = :conversation AND state = 'running'",
            {"conversation": conversation},
        )

    async def stop_asked(self, turn: str) -> bool:
        """Tell whether somebody asked this turn to stop."""
        row = await self._sql.one("SELECT stop FROM turns WHERE id = :id", {"id": turn})
        return row is not None and bool(row[0])


def _turn(row: Row) -> Turn:
    values = dict(zip(Turn.__slots__, row, strict=True))
    values["stop"] = bool(values["stop"])
    return Turn(**values)
