"""The outbox: one row a message, kept until the channel said what became of it."""

from collections.abc import Callable
from dataclasses import dataclass, field

from .sql import Row, Sql


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    """A message to send, or to edit when `edits` is a message id; `body` is the channel's JSON.

    `idempotency` is unique: the same answer is never queued twice. Lower `priority` goes first.
    """

    idempotency: str
    channel: str
    chat: str
    thread: str = ""
    body: str = field(repr=False)
    priority: int = 5
    card: str | None = None
    edits: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedMessage:
    """An outgoing message that one worker is sending."""

    id: int
    attempts: int
    message: Outgoing


_COLUMNS = "idempotency, channel, chat, thread, body, priority, card, edits"


class Outbox:
    """Named queries on `outbox` and `chats`."""

    def __init__(self, sql: Sql, stir: Callable[[], None]) -> None:
        self._sql = sql
        self._stir = stir

    async def add(self, message: Outgoing, *, now: float, state: str = "waiting") -> bool:
        """Queue a message; False when it is there already.

        Args:
            state: `waiting`, or `held` until `follow` lets it go.
        """
        columns = {name: getattr(message, name) for name in Outgoing.__slots__}
        changed = await self._sql.execute(
            f"INSERT INTO outbox ({_COLUMNS}, state, created_at) VALUES (:idempotency, :channel, "
            ":chat, :thread, :body, :priority, :card, :edits, :state, :now) ON CONFLICT DO NOTHING",
            {**columns, "state": state, "now": now},
        )
        self._stir()
        return changed == 1

    async def supersede(self, card: str) -> int:
        """Drop edits of a card that were not sent yet, as a newer one follows; how many."""
        return await self._sql.execute(
            "UPDATE outbox SET state = 'superseded' WHERE card = :card AND edits IS NOT NULL "
            "AND state = 'waiting'",
            {"card": card},
        )

    async def follow(self, card: str) -> bool:
        """Let the next held message of a card wait to be sent; False when none is held."""
        changed = await self._sql.execute(
            "UPDATE outbox SET state = 'waiting' WHERE id = "
            "(SELECT MIN(id) FROM outbox WHERE card = :card AND state = 'held')",
            {"card": card},
        )
        self._stir()
        return changed == 1

    async def pieces(self, card: str) -> list[str]:
        """Return the bodies of the messages that show a card, in their order; no edits."""
        rows = await self._sql.all(
            "SELECT body FROM outbox WHERE card = :card AND edits IS NULL ORDER BY id",
            {"card": card},
        )
        return [row[0] for row in rows]

    async def held(self, card: str) -> int:
        """Return how many messages of a card are held."""
        query = "SELECT COUNT(*) FROM outbox WHERE card = :card AND state = 'held'"
        row = await self._sql.one(query, {"card": card})
        return 0 if row is None else int(row[0])

    async def drop_held(self, card: str) -> int:
        """Drop the held messages of a card; how many there were."""
        query = "UPDATE outbox SET state = 'superseded' WHERE card = :card AND state = 'held'"
        return await self._sql.execute(query, {"card": card})

    async def claim(
        self, owner: str, *, now: float, lease_until: float, limit: int, lowest: int = 9
    ) -> list[ClaimedMessage]:
        """Take the next message of every chat that is due and that nobody is sending to.

        Args:
            lowest: The number of the last priority that goes now.
        """
        rows = await self._sql.all(
            "UPDATE outbox SET owner = :owner, lease_until = :lease, state = 'sending', "
            "attempts = attempts + 1 WHERE id IN (SELECT o.id FROM outbox o "
            "LEFT JOIN chats c ON c.channel = o.channel AND c.chat = o.chat "
            "WHERE o.state = 'waiting' AND o.not_before <= :now AND o.priority <= :lowest "
            "AND COALESCE(c.not_before, 0) <= :now AND NOT EXISTS (SELECT 1 FROM outbox b "
            "WHERE b.channel = o.channel AND b.chat = o.chat AND (b.state = 'sending' "
            "OR (b.state = 'waiting' AND (b.priority < o.priority "
            "OR (b.priority = o.priority AND b.id < o.id))))) "
            "ORDER BY o.priority, o.id LIMIT :limit) "
            f"RETURNING id, attempts, {_COLUMNS}",
            {
                "owner": owner,
                "lease": lease_until,
                "now": now,
                "limit": limit,
                "lowest": lowest,
            },
        )
        claimed = [_claimed(row) for row in rows]
        return sorted(claimed, key=lambda one: (one.message.priority, one.id))

    async def sent(self, row: int, owner: str, *, message: str | None) -> bool:
        """Note that a message arrived and where it stands."""
        changed = await self._sql.execute(
            "UPDATE outbox SET state = 'sent', message = :message, error = NULL "
            "WHERE id = :id AND owner = :owner AND state = 'sending'",
            {"id": row, "owner": owner, "message": message},
        )
        return changed == 1

    async def retry(self, row: int, owner: str, *, not_before: float, error: str) -> None:
        """Put a message back that was certainly not sent."""
        await self._sql.execute(
            "UPDATE outbox SET state = 'waiting', not_before = :at, error = :error "
            "WHERE id = :id AND owner = :owner AND state = 'sending'",
            {"id": row, "owner": owner, "at": not_before, "error": error},
        )

    async def put_back(self, row: int, owner: str, *, not_before: float, why: str) -> None:
        """Put a message back that was not tried, so that this counts as no attempt."""
        await self._sql.execute(
            "UPDATE outbox SET state = 'waiting', not_before = :at, attempts = attempts - 1, "
            "error = :why WHERE id = :id AND owner = :owner AND state = 'sending'",
            {"id": row, "owner": owner, "at": not_before, "why": why},
        )

    async def give_up(self, row: int, owner: str, state: str, *, error: str) -> bool:
        """End a message as `uncertain` (may have arrived) or `refused`; False if not sending."""
        changed = await self._sql.execute(
            "UPDATE outbox SET state = :state, error = :error "
            "WHERE id = :id AND owner = :owner AND state = 'sending'",
            {"id": row, "owner": owner, "state": state, "error": error},
        )
        return changed == 1

    async def abandoned(self, *, now: float) -> list[tuple[ClaimedMessage, str]]:
        """Return messages whose send took too long or whose sender died, with its name."""
        columns = ", ".join(f"o.{name}" for name in Outgoing.__slots__)
        rows = await self._sql.all(
            f"SELECT o.id, o.attempts, {columns}, o.owner FROM outbox o "
            "LEFT JOIN instances i ON i.id = o.owner "
            "WHERE o.state = 'sending' AND (o.lease_until < :now OR i.lease_at < :now)",
            {"now": now},
        )
        return [(_claimed(row[:-1]), row[-1]) for row in rows]

    async def cool(self, channel: str, chat: str, *, until: float) -> None:
        """Keep quiet in a chat until a time, as its server asked."""
        await self._sql.execute(
            "INSERT INTO chats (channel, chat, not_before) VALUES (:channel, :chat, :until) "
            "ON CONFLICT (channel, chat) DO UPDATE SET "
            "not_before = MAX(chats.not_before, excluded.not_before)",
            {"channel": channel, "chat": chat, "until": until},
        )

    async def mark_gone(self, channel: str, chat: str) -> bool:
        """Remember that a chat refuses us; False when that was known."""
        changed = await self._sql.execute(
            "INSERT INTO chats (channel, chat, gone) VALUES (:channel, :chat, 1) "
            "ON CONFLICT (channel, chat) DO UPDATE SET gone = 1 WHERE chats.gone = 0",
            {"channel": channel, "chat": chat},
        )
        return changed == 1

    async def is_gone(self, channel: str, chat: str) -> bool:
        """Tell whether a chat refused us and nothing was heard from it since."""
        row = await self._sql.one(
            "SELECT gone FROM chats WHERE channel = :channel AND chat = :chat",
            {"channel": channel, "chat": chat},
        )
        return row is not None and bool(row[0])

    async def revive(self, channel: str, chat: str) -> bool:
        """Forget that a chat refused us: somebody wrote from it, or a message arrived there.

        False when it had not refused us.
        """
        changed = await self._sql.execute(
            "UPDATE chats SET gone = 0 WHERE channel = :channel AND chat = :chat AND gone = 1",
            {"channel": channel, "chat": chat},
        )
        return changed == 1

    async def next_due(self) -> float | None:
        """Return when the earliest waiting message may go, or None."""
        row = await self._sql.one(
            "SELECT MIN(MAX(o.not_before, COALESCE(c.not_before, 0))) FROM outbox o "
            "LEFT JOIN chats c ON c.channel = o.channel AND c.chat = o.chat "
            "WHERE o.state = 'waiting'",
            {},
        )
        return None if row is None or row[0] is None else float(row[0])

    async def unsettled(self) -> int:
        """Return how many messages wait or are being sent."""
        query = "SELECT COUNT(*) FROM outbox WHERE state IN ('waiting', 'sending')"
        row = await self._sql.one(query, {})
        return 0 if row is None else int(row[0])


def _claimed(row: Row) -> ClaimedMessage:
    message = Outgoing(**dict(zip(Outgoing.__slots__, row[2:], strict=True)))
    return ClaimedMessage(id=row[0], attempts=row[1], message=message)
