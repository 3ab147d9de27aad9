"""A bank whose tools fail so that nobody knows what they did, and a host that keeps it."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Any

from comal_runtime.context import ToolContext
from comal_runtime.tools import tool

from .rig import Rig, Shop, house_settings, rig
from .wire import ANA, APPROVERS, ROSA, Sent

CONFIRMED = 'call pay {"amount": 5}'
VERIFIED = 'call refund {"order": 7}'
STRANGER = 1009


@dataclass
class Bank:
    """A service and its tools: `says` is what it answers when it is asked afterwards."""

    keys: list[str | None] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    says: list[Any] = field(default_factory=list)
    faults: int = 1
    hold: Event = field(default_factory=Event)

    async def knows(self, idempotency_key: str) -> Any:
        """Answer whether something was done."""
        self.asked.append(idempotency_key)
        said = self.says.pop(0) if self.says else None
        if isinstance(said, Exception):
            raise said
        return said

    def _fail(self, ctx: ToolContext) -> None:
        self.keys.append(ctx.idempotency_key)
        if self.faults:
            self.faults -= 1
            raise ConnectionError("the line is dead")

    @tool(mutating=True, reconcile=knows)
    async def pay(self, amount: int, ctx: ToolContext) -> str:
        """Pay."""
        self._fail(ctx)
        return f"paid {amount}"

    @tool(mutating=True)
    async def refund(self, order: int, ctx: ToolContext) -> str:
        """Give money back; other people approve."""
        self._fail(ctx)
        return f"refunded {order}"

    @tool(mutating=True, timeout=0.05)
    def wire(self, amount: int) -> str:
        """Send money in a thread that nobody can stop."""
        self.keys.append(None)
        self.hold.wait(10)
        return f"sent {amount}"


OWNED = [
    {"name": "Rosa", "identities": [f"telegram:{ROSA}"], "roles": ["desk"]},
    {"name": "Ana", "identities": [f"telegram:{ANA}"], "roles": ["finance"]},
    {"name": "Olga", "identities": ["telegram:1008"], "roles": ["owner"]},
]
OWNER = 1008


@asynccontextmanager
async def at_bank(folder: Path, bank: Bank, **changes: Any) -> AsyncIterator[Rig]:
    def tools(shop: Shop) -> Sequence[object]:
        return [bank]

    given = {"settings": house_settings(people=OWNED), **changes}
    async with rig(folder, tools=tools, **given) as at:
        yield at


async def unknown(at: Rig, words: str = CONFIRMED, asker: int = ROSA, chat: int = ROSA) -> Sent:
    """Let somebody ask, and somebody say yes; the card of an act of unknown outcome."""
    await at.say(words, sender=asker)
    card = at.wire.card(chat)
    await at.tap(card.data[0], card, sender=ANA if chat == APPROVERS else asker)
    card = at.wire.sent[card.message]
    assert "outcome unknown" in card.text
    return card


def button(card: Sent, choice: str) -> str:
    (data,) = [one for one in card.data if one.endswith(f":{choice}")]
    return data


async def press(at: Rig, card: Sent, choice: str, sender: int) -> str:
    return await at.tap(button(card, choice), card, sender=sender, chat=int(card.chat))


def states(at: Rig) -> list[str]:
    return [state for (state,) in at.rows("SELECT state FROM acts ORDER BY created_at, key")]


def audited(at: Rig) -> list[tuple[Any, ...]]:
    query = "SELECT decision, principal FROM audit WHERE tool = 'settle_act'"
    return at.rows(query)


async def left_undone(key: str) -> None:
    """Leave a job undone."""


async def until(at: Rig, query: str) -> None:
    async with asyncio.timeout(5):
        while not at.rows(query):
            await asyncio.sleep(0.005)
