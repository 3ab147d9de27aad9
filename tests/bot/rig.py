"""A host in this process: its own record and clock, a channel in memory, jobs done by hand."""

import asyncio
import contextlib
import json
import sqlite3
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from comal_bot.channels.channel import Raw
from comal_bot.host import Host
from comal_bot.inbox import Intake
from comal_bot.outbox import Outbox, Pace
from comal_bot.questions import QuestionCards
from comal_bot.receipts.filing import Filing
from comal_bot.receipts.signing import new_key, signer_from
from comal_bot.settings import Settings
from comal_bot.tooling import directory, entrance, host_registry
from comal_bot.wiring import House, Premises
from comal_runtime.agent import TurnRunner
from comal_runtime.errors import ToolError
from comal_runtime.lanes import Handlers
from comal_runtime.llm import LlmServiceInterface
from comal_runtime.rate_limit import GcraRateLimiter
from comal_runtime.record import Record, SqliteRecord
from comal_runtime.testing import FakeClock, ScriptedModel
from comal_runtime.tools import tool
from comal_runtime.wiring import Wiring
from tests.support.stage import scripted

from .wire import ANA, ANDRES, APPROVERS, BOT, ROSA, Sent, Wire, tapped, written


@dataclass
class Shop:
    """Tools that write down what they did."""

    ran: list[Any] = field(default_factory=list)

    @tool
    async def notes(self) -> list[str]:
        """List the notes."""
        return ["milk", "bread"]

    @tool(mutating=True)
    async def delete_note(self, note: int) -> str:
        """Delete a note."""
        if note > 9:
            raise ToolError(f"there is no note {note}")
        self.ran.append(note)
        return f"note {note} is gone"

    @tool(mutating=True)
    async def save(self, text: str, password: str = "") -> str:
        """Keep a text."""
        self.ran.append(text)
        return "kept"

    @tool(mutating=True)
    async def refund(self, order: int) -> str:
        """Give money back; other people approve."""
        self.ran.append(order)
        return f"refunded {order}"

    @tool(mutating=True, scopes=("disk:write",))
    async def wipe(self) -> str:
        """Wipe the disk."""
        self.ran.append("wiped")
        return "wiped"


class Hands:
    """Lanes whose jobs run when a test says so, in the order they were deferred."""

    def __init__(self, record: Record, clock: FakeClock) -> None:
        self._record = record
        self._clock = clock
        self.handlers: Handlers = {}
        self.failures: list[Exception] = []

    async def run(self, handlers: Handlers) -> None:
        self.handlers = handlers
        await asyncio.Event().wait()

    async def idle(self) -> bool:
        async with self._record.reading() as stored:
            return await stored.jobs.count() == 0

    async def work(self) -> None:
        """Do everything that is due; a failed job is kept in `failures` and not tried again."""
        while True:
            now = self._clock.now()
            async with self._record.transaction() as tx:
                claimed = await tx.jobs.claim("hands", now=now, lease_until=now + 1e6, limit=1)
            if not claimed:
                return
            try:
                await self.handlers[claimed[0].job.kind](claimed[0].job.key)
            except Exception as error:
                self.failures.append(error)
            async with self._record.transaction() as tx:
                await tx.jobs.finish(claimed[0].id, "hands")


@dataclass
class Rig:
    """A running host and what a test looks at."""

    path: Path
    clock: FakeClock
    wire: Wire
    record: Record
    house: House
    cards: QuestionCards
    hands: Hands
    outbox: Outbox
    host: Host
    shop: Shop
    updates: int = 100

    async def hear(self, *batch: Raw) -> None:
        """Take updates in as one batch, and do all that follows."""
        await Intake(self.record, self.clock, self.wire)(batch)
        await self.settle()

    async def say(self, words: str, sender: int = ROSA, chat: int | None = None) -> None:
        """Let a person write; a private chat has the person's id."""
        self.updates += 1
        await self.hear(written(self.updates, words, sender, chat))

    async def tap(
        self, data: str, on: Sent | str, sender: int = ROSA, chat: int | None = None
    ) -> str:
        """Let a person press; what they are told."""
        self.updates += 1
        message = on if isinstance(on, str) else on.message
        where = chat if chat is not None else ROSA if isinstance(on, str) else int(on.chat)
        before = len(self.wire.answers)
        await self.hear(tapped(self.updates, data, sender, where, message))
        return "".join(self.wire.answers[before:])

    async def reply(self, words: str, to: Sent, sender: int = ROSA) -> str:
        """Let a person write in reply to a message; what the host says then, in that chat."""
        self.updates += 1
        before = len(self.wire.texts(int(to.chat)))
        replied = {"message_id": int(to.message), "from": BOT}
        await self.hear(
            written(self.updates, words, sender, int(to.chat), reply_to_message=replied)
        )
        return "\n".join(self.wire.texts(int(to.chat))[before:])

    async def settle(self) -> None:
        """Do all jobs and send all messages that are due now."""
        self.outbox.wake()
        async with asyncio.timeout(3):
            while True:
                await self.hands.work()
                if not await self.busy():
                    return
                await asyncio.sleep(0.001)

    async def busy(self) -> bool:
        """Tell whether a job or the next message of a chat is due, or a message is being sent."""
        now = self.clock.now()
        async with self.record.reading() as stored:
            job = await stored.jobs.next_due()
        return (job is not None and job <= now) or bool(self.rows(_DUE, now, now))

    def rows(self, query: str, *params: object) -> list[tuple[Any, ...]]:
        """Read the record's file."""
        with contextlib.closing(sqlite3.connect(self.path, timeout=20)) as connection:
            return connection.execute(query, params).fetchall()

    def one(self, query: str, *params: object) -> Any:
        """Read one value from the record's file."""
        return self.rows(query, *params)[0][0]

    def write(self, query: str, *params: object) -> None:
        """Change the record's file behind the host's back."""
        with contextlib.closing(sqlite3.connect(self.path, timeout=20)) as connection:
            connection.execute(query, params)
            connection.commit()


def house_settings(**changes: Any) -> Settings:
    """Return the people and routes of the rig's house."""
    return Settings.model_validate(
        {
            "channels": {"main": {"token": "7001:rig-token-0123456789abcdefghijklmno"}},
            "people": [
                {"name": "Rosa", "identities": [f"telegram:{ROSA}"], "roles": ["desk"]},
                {"name": "Ana", "identities": [f"telegram:{ANA}"], "roles": ["finance"]},
                {"name": "Andrés", "identities": [f"telegram:{ANDRES}"]},
            ],
            "roles": {"desk": {"scopes": ["disk:write"]}},
            "routes": [
                {
                    "tool": "refund",
                    "approvers": ["role:finance", f"telegram:{ANDRES}"],
                    "cards": [f"main:{APPROVERS}"],
                }
            ],
            **changes,
        }
    )


_DUE = """
SELECT 1 FROM outbox o LEFT JOIN chats c ON c.channel = o.channel AND c.chat = o.chat
WHERE o.state = 'sending' OR (o.state = 'waiting' AND o.not_before <= ?
AND COALESCE(c.not_before, 0) <= ? AND NOT EXISTS (SELECT 1 FROM outbox b
WHERE b.channel = o.channel AND b.chat = o.chat AND b.state = 'waiting'
AND (b.priority, b.id) < (o.priority, o.id)))
"""


def free_pace() -> Pace:
    """Return a pace that holds nothing back."""
    return Pace(*(GcraRateLimiter(10_000, 1) for _ in range(3)))


def rules() -> ScriptedModel:
    """Return a model that calls what `call NAME {json}` says and repeats what a host event says."""
    return scripted(
        (r"^\[comal:event\]", lambda m, tools, messages: f"I heard: {_state(messages)}"),
        (r"call (\w+) (\{.*\})", lambda m, *_: [(m[1], json.loads(m[2]))]),
        (r"say (.*)", lambda m, *_: m[1]),
    )


def _state(messages: Any) -> str:
    fields = json.loads(messages[-1].content.removeprefix("[comal:event] "))
    return " ".join(str(fields.get(name, "")) for name in ("state", "why", "reason")).strip()


@asynccontextmanager
async def rig(
    folder: Path,
    *,
    settings: Settings | None = None,
    tools: Callable[[Shop], Sequence[object]] = lambda shop: [shop],
    model: LlmServiceInterface | None = None,
    pace: Pace | None = None,
    clock: FakeClock | None = None,
    name: str = "rig",
    listen: bool = False,
    lease: float = 2.0,
) -> AsyncIterator[Rig]:
    """Run a host on the record in `folder`; a second one there is the first one restarted."""
    given, clock, wire, shop = settings or house_settings(), clock or FakeClock(), Wire(), Shop()
    path = folder / "comal.db"
    record = SqliteRecord(path, clock=clock)
    premises = Premises(
        record=record,
        clock=clock,
        channels={wire.name: wire},
        people=directory(given),
        instance=name,
        language=given.host.language,
        entrance=entrance(given),
    )
    cards = QuestionCards(premises)
    wiring = Wiring(
        clock=clock,
        on_progress=cards.progress,
        instance=name,
        directory=premises.people,
        grace=0.5,
    )
    registry = host_registry(given, tools(shop), wiring, record)
    house = House.on(premises, registry, TurnRunner(record, model or rules(), registry, clock))
    outbox = Outbox(record, clock, house.channels, name, pace or free_pace())
    hands = Hands(record, clock)
    filing = Filing(premises, signer_from(new_key().encode(), "the rig's"))
    host = Host(house, cards, hands, outbox, filing, lease)
    running = asyncio.create_task(host.run(listen=listen))
    while not hands.handlers:
        await asyncio.sleep(0)
    try:
        yield Rig(path, clock, wire, record, house, cards, hands, outbox, host, shop)
        assert not running.done()
    finally:
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running
        await registry.audit.flush()
        await record.aclose()
