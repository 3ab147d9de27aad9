"""Receiving a command about people: what every such command begins and ends with."""

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from comal_renderers.i18n import text
from comal_runtime.call import Request
from comal_runtime.context import ToolContext
from comal_runtime.record import Transaction
from comal_runtime.result import ErrorCode, ToolResult

from .channels.channel import Inbound
from .copies import heard_from
from .inbox import place_of
from .owners import chats_of, owner_chats
from .speech import Speech
from .wiring import House

_PRINCIPAL: Final = re.compile(r"([a-z0-9_-]+):([0-9]{1,20})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Reply:
    """What somebody is told; `done` tells whether they got what they asked for."""

    key: str
    done: bool = False
    values: Mapping[str, object] | None = None


class Reception:
    """Takes commands in and answers them, in one transaction with what they do."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._speech = Speech(house.channels)

    @asynccontextmanager
    async def open(self, inbound: Inbound) -> AsyncIterator[Transaction]:
        """Open the transaction of a command, with everybody known as they are by now."""
        place = place_of(inbound)
        async with self.house.record.transaction() as tx:
            await self.house.people.refresh(tx)
            await heard_from(tx, place.channel, place.chat)
            if inbound.sender is not None and inbound.sender_name:
                now = self.house.clock.now()
                await tx.people.see(inbound.sender, inbound.sender_name, now=now)
            yield tx

    async def answer(self, tx: Transaction, update: int, inbound: Inbound, reply: Reply) -> None:
        """Answer a command where it was given; answered twice, it is said once."""
        said, now = self.words(reply), self.house.clock.now()
        await self._speech.plain(tx, f"update:{update}", place_of(inbound), said, now)

    async def tell(self, tx: Transaction, key: str, principal: str, reply: Reply) -> None:
        """Tell somebody something in their private chat, if they have one with the bot."""
        for place in await chats_of(self.house, tx, [principal]):
            spot = f"{key}:{place.channel}:{place.chat}"
            now = self.house.clock.now()
            await self._speech.plain(tx, spot, place, self.words(reply), now)

    async def tell_owners(self, tx: Transaction, key: str, reply: Reply) -> None:
        """Tell every owner something, in private."""
        for place in await owner_chats(self.house, tx):
            spot = f"{key}:{place.channel}:{place.chat}"
            now = self.house.clock.now()
            await self._speech.plain(tx, spot, place, self.words(reply), now)

    def words(self, reply: Reply) -> str:
        """Return a reply in the host's language."""
        return text(reply.key, self.house.language, **(reply.values or {}))

    def called(self, principal: str) -> str:
        """Return how somebody is called in these replies: never as they call themselves."""
        name = self.house.people.name(principal)
        return principal if name is None else f"{name} ({principal})"

    def named(self, words: str) -> str | None:
        """Return the principal that somebody wrote, of a channel there is; None for anything else.

        One spelling each: `telegram:042` is nobody.
        """
        found = _PRINCIPAL.fullmatch(words.strip())
        kinds = {channel.descriptor.name for channel in self.house.channels.values()}
        if found is None or found[1] not in kinds or found[2] != str(int(found[2])):
            return None
        return found[0]

    def witness(self, who: str | None, what: str, said: Mapping[str, str], reply: Reply) -> None:
        """Leave an audit record of what somebody asked for here, whether or not it was done."""
        decision = reply.key.replace(".", "_")
        request = Request(what, dict(said), ToolContext(principal=who, channel="host"))
        result = ToolResult.success()
        if not reply.done:
            result = ToolResult.error(decision, code=ErrorCode.FORBIDDEN)
        audit = self.house.registry.audit
        audit.hand_over(audit.outcome(request, request.args, result, decision))


def spoken_time(at: float) -> str:
    """Say a moment to the minute, in UTC."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M UTC")
