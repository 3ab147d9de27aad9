"""Cards: where a question is shown. A card's id is what its buttons carry."""

from dataclasses import dataclass, field

from .sql import Row, Sql


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A question shown in one chat, to its `requester` or its `approver`s.

    `message` is None until the send was acknowledged; `shown` names what it shows now.
    """

    id: str = field(repr=False)
    question: str
    role: str
    channel: str
    chat: str
    thread: str = ""
    message: str | None = None
    shown: str | None = None
    created_at: float = 0.0


_COLUMNS = "id, question, role, channel, chat, thread, message, shown, created_at"


class Cards:
    """Named queries on `cards`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def add(self, card: Card) -> None:
        """Store a card before its message is sent."""
        await self._sql.execute(
            f"INSERT INTO cards ({_COLUMNS}) VALUES (:id, :question, :role, :channel, :chat, "
            ":thread, :message, :shown, :created_at)",
            {name: getattr(card, name) for name in Card.__slots__},
        )

    async def get(self, card: str) -> Card | None:
        """Return the card with this id."""
        row = await self._sql.one(f"SELECT {_COLUMNS} FROM cards WHERE id = :id", {"id": card})
        return None if row is None else _card(row)

    async def of(self, question: str) -> list[Card]:
        """Return every card of a question, oldest first."""
        rows = await self._sql.all(
            f"SELECT {_COLUMNS} FROM cards WHERE question = :question ORDER BY created_at, id",
            {"question": question},
        )
        return [_card(row) for row in rows]

    async def hung(self, channel: str, chat: str, *, unseen: str) -> list[Card]:
        """Return the cards of a chat that are of open questions, or whose `shown` ends in `unseen`.

        The oldest first.
        """
        rows = await self._sql.all(
            f"SELECT {_COLUMNS} FROM cards WHERE channel = :channel AND chat = :chat "
            "AND (shown LIKE '%' || :unseen OR EXISTS (SELECT 1 FROM questions q "
            "WHERE q.id = cards.question AND q.state = 'open')) ORDER BY created_at, id",
            {"channel": channel, "chat": chat, "unseen": unseen},
        )
        return [_card(row) for row in rows]

    async def at(self, channel: str, chat: str, message: str) -> Card | None:
        """Return the card that a message shows, or shows a part of."""
        found = await self._sql.one(
            f"SELECT {_COLUMNS} FROM cards WHERE id = (SELECT id FROM cards "
            "WHERE channel = :channel AND chat = :chat AND message = :message UNION ALL "
            "SELECT card FROM outbox WHERE card IS NOT NULL AND channel = :channel "
            "AND chat = :chat AND message = :message LIMIT 1)",
            {"channel": channel, "chat": chat, "message": message},
        )
        return None if found is None else _card(found)

    async def adopt(self, card: str, message: str) -> bool:
        """Give a card its message id, unless it has one; True when it is new."""
        return (
            await self._sql.execute(
                "UPDATE cards SET message = :message WHERE id = :id AND message IS NULL",
                {"id": card, "message": message},
            )
            == 1
        )

    async def show(self, card: str, shown: str) -> bool:
        """Note what a card is about to show; False when it shows that already."""
        return (
            await self._sql.execute(
                "UPDATE cards SET shown = :shown "
                "WHERE id = :id AND (shown IS NULL OR shown <> :shown)",
                {"id": card, "shown": shown},
            )
            == 1
        )


def _card(row: Row) -> Card:
    return Card(**dict(zip(Card.__slots__, row, strict=True)))
