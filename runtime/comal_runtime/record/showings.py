"""Showings: what exactly stood in a chat, message by message, once the chat had it."""

from dataclasses import dataclass, field

from .outbox import Outgoing
from .sql import Row, Sql


@dataclass(frozen=True, slots=True, kw_only=True)
class Showing:
    """One message of a card as it was sent, or as it was edited to; `body` is the channel's JSON.

    `at` is when the chat acknowledged it; None for one that it never acknowledged, although it
    may stand there.
    """

    role: str
    channel: str
    chat: str
    thread: str
    message: str | None
    edited: bool
    body: str = field(repr=False)
    at: float | None


class Showings:
    """Named queries on `showings`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def note(self, sent: Outgoing, message: str, *, now: float) -> None:
        """Keep what a card's chat just acknowledged; not what says how its question ended."""
        await self._sql.execute(
            "INSERT INTO showings (question, card, role, channel, chat, thread, message, edited, "
            "body, at) SELECT c.question, c.id, c.role, :channel, :chat, :thread, :message, "
            ":edited, :body, :now FROM cards c JOIN questions q ON q.id = c.question "
            "WHERE c.id = :card AND (q.state = 'open' OR :edited = 0)",
            {
                "channel": sent.channel,
                "chat": sent.chat,
                "thread": sent.thread,
                "message": message,
                "edited": int(sent.edits is not None),
                "body": sent.body,
                "now": now,
                "card": sent.card,
            },
        )

    async def of(self, question: str) -> list[Showing]:
        """Return all that a question's cards showed, as it was acknowledged."""
        rows = await self._sql.all(
            "SELECT role, channel, chat, thread, message, edited, body, at FROM showings "
            "WHERE question = :question ORDER BY id",
            {"question": question},
        )
        return [_showing(row) for row in rows]

    async def unacknowledged(self, question: str) -> list[Showing]:
        """Return what was sent for a question's cards and is not acknowledged."""
        rows = await self._sql.all(
            "SELECT c.role, o.channel, o.chat, o.thread, c.message, 0, o.body, NULL "
            "FROM outbox o JOIN cards c ON c.id = o.card WHERE c.question = :question "
            "AND o.state IN ('sending', 'uncertain') AND o.edits IS NULL ORDER BY o.id",
            {"question": question},
        )
        return [_showing(row) for row in rows]


def _showing(row: Row) -> Showing:
    values = dict(zip(Showing.__slots__, row, strict=True))
    return Showing(**{**values, "edited": bool(values["edited"])})
