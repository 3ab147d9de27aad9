"""Who was seen, and the conversations that channel addresses map to."""

from dataclasses import dataclass, replace
from typing import Final

from .sql import Sql

_MOST_MOVES: Final = 5  # a chat moves once in its life; more is a circle


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A channel address of a conversation."""

    channel: str
    chat: str
    thread: str = ""


class People:
    """Named queries on `people`, `conversations` and `addresses`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def see(self, principal: str, name: str, *, now: float) -> None:
        """Remember what a principal calls itself; a label for people, never a right."""
        await self._sql.execute(
            "INSERT INTO people (principal, name, seen_at) VALUES (:principal, :name, :now) "
            "ON CONFLICT (principal) DO UPDATE SET name = excluded.name, "
            "seen_at = excluded.seen_at",
            {"principal": principal, "name": name, "now": now},
        )

    async def name(self, principal: str) -> str | None:
        """Return what a principal last called itself."""
        query = "SELECT name FROM people WHERE principal = :principal"
        row = await self._sql.one(query, {"principal": principal})
        return None if row is None else str(row[0])

    async def conversation(self, place: Place) -> str | None:
        """Return the conversation at an address."""
        row = await self._sql.one(
            "SELECT conversation FROM addresses "
            "WHERE channel = :channel AND chat = :chat AND thread = :thread",
            {"channel": place.channel, "chat": place.chat, "thread": place.thread},
        )
        return None if row is None else str(row[0])

    async def settle(self, place: Place, conversation: str, *, private: bool, now: float) -> str:
        """Return the conversation at an address, making `conversation` if there is none."""
        found = await self.conversation(place)
        if found is not None:
            return found
        await self._sql.execute(
            "INSERT INTO conversations (id, private, created_at) VALUES (:id, :private, :now) "
            "ON CONFLICT DO NOTHING",
            {"id": conversation, "private": int(private), "now": now},
        )
        await self._sql.execute(
            "INSERT INTO addresses (channel, chat, thread, conversation) "
            "VALUES (:channel, :chat, :thread, :conversation) ON CONFLICT DO NOTHING",
            {
                "channel": place.channel,
                "chat": place.chat,
                "thread": place.thread,
                "conversation": conversation,
            },
        )
        return await self.conversation(place) or conversation

    async def places(self, conversation: str) -> list[Place]:
        """Return the addresses of a conversation."""
        rows = await self._sql.all(
            "SELECT channel, chat, thread FROM addresses WHERE conversation = :conversation",
            {"conversation": conversation},
        )
        return [Place(channel=c, chat=chat, thread=t) for c, chat, t in rows]

    async def current(self, place: Place) -> Place:
        """Return where a place is now, as far as its chat was seen to move."""
        for _ in range(_MOST_MOVES):
            row = await self._sql.one(
                "SELECT moved_to FROM chats WHERE channel = :channel AND chat = :chat",
                {"channel": place.channel, "chat": place.chat},
            )
            if row is None or row[0] is None:
                break
            place = replace(place, chat=str(row[0]))
        return place

    async def is_private(self, conversation: str) -> bool:
        """Tell whether a conversation has one person in it."""
        query = "SELECT private FROM conversations WHERE id = :id"
        row = await self._sql.one(query, {"id": conversation})
        return row is not None and bool(row[0])

    async def move(self, channel: str, old: str, new: str) -> int:
        """Give every address of a chat its new id; how many moved. Nothing else changes."""
        params = {"channel": channel, "old": old, "new": new}
        await self._sql.execute(
            "INSERT INTO chats (channel, chat, moved_to) VALUES (:channel, :old, :new) "
            "ON CONFLICT (channel, chat) DO UPDATE SET moved_to = excluded.moved_to",
            params,
        )
        for table in ("cards", "outbox"):
            await self._sql.execute(
                f"UPDATE {table} SET chat = :new WHERE channel = :channel AND chat = :old",
                params,
            )
        return await self._sql.execute(
            "UPDATE OR REPLACE addresses SET chat = :new WHERE channel = :channel AND chat = :old",
            params,
        )
