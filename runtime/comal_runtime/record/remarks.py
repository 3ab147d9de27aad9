"""Remarks and intents: what people wrote about a question, and which press waits for words."""

from dataclasses import dataclass, field

from .sql import Sql


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """What one person wrote about a question; it goes with their answer, and decides nothing."""

    question: str
    person: str
    identity: str
    text: str = field(repr=False)
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """A choice that somebody pressed on a card and that only their words can complete."""

    identity: str
    question: str
    card: str = field(repr=False)
    choice: str
    at: float


class Remarks:
    """Named queries on `remarks` and `intents`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def keep(self, remark: Remark) -> None:
        """Store what a person wrote about a question; the newest takes the place of the last."""
        await self._sql.execute(
            "INSERT INTO remarks (question, person, identity, text, at) "
            "VALUES (:question, :person, :identity, :text, :at) "
            "ON CONFLICT (question, person) DO UPDATE SET identity = excluded.identity, "
            "text = excluded.text, at = excluded.at",
            {name: getattr(remark, name) for name in Remark.__slots__},
        )

    async def of(self, question: str, person: str) -> Remark | None:
        """Return what a person wrote about a question."""
        row = await self._sql.one(
            "SELECT question, person, identity, text, at FROM remarks "
            "WHERE question = :question AND person = :person",
            {"question": question, "person": person},
        )
        return None if row is None else Remark(**dict(zip(Remark.__slots__, row, strict=True)))

    async def intend(self, intent: Intent) -> None:
        """Store what somebody pressed; it takes the place of what they pressed before."""
        await self._sql.execute(
            "INSERT INTO intents (identity, question, card, choice, at) "
            "VALUES (:identity, :question, :card, :choice, :at) "
            "ON CONFLICT (identity) DO UPDATE SET question = excluded.question, "
            "card = excluded.card, choice = excluded.choice, at = excluded.at",
            {name: getattr(intent, name) for name in Intent.__slots__},
        )

    async def intent(self, identity: str) -> Intent | None:
        """Return what somebody pressed that waits for their words."""
        row = await self._sql.one(
            "SELECT identity, question, card, choice, at FROM intents WHERE identity = :identity",
            {"identity": identity},
        )
        return None if row is None else Intent(**dict(zip(Intent.__slots__, row, strict=True)))

    async def drop(self, identity: str) -> bool:
        """Forget what somebody pressed; False when nothing waited."""
        query = "DELETE FROM intents WHERE identity = :identity"
        return await self._sql.execute(query, {"identity": identity}) == 1
