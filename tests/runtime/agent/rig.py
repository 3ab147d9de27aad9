"""A shop of small tools, a turn to run and a record that can be killed."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from comal_runtime.agent import TurnRunner, person_entry
from comal_runtime.consent import Routes
from comal_runtime.context import ToolContext
from comal_runtime.errors import ToolError
from comal_runtime.llm import AssistantMessage, LlmServiceInterface, Message, UserMessage
from comal_runtime.record import (
    Entry,
    Record,
    Repositories,
    SqliteRecord,
    StoreUnavailable,
    Transaction,
    Turn,
)
from comal_runtime.registry import ToolRegistry
from comal_runtime.testing import FakeClock, Reply, Rule, ScriptedModel
from comal_runtime.testing.scripted import Answered
from comal_runtime.tools import Tool, ToolOptions
from comal_runtime.wiring import Wiring

CHAT = "c1"
TURN = "t1"


class Killed(BaseException):
    """The process is dead."""


class MortalRecord:
    """A record whose process dies with its n-th transaction, just before or after its commit."""

    def __init__(self, inner: SqliteRecord, *, dies_at: int, stored: bool) -> None:
        self._inner = inner
        self._left = dies_at
        self._stored = stored
        self.dead = False

    @asynccontextmanager
    async def transaction(self, *, durable: bool = True) -> AsyncIterator[Transaction]:
        if not durable and self.dead:
            raise StoreUnavailable("the process is dead")  # the audit's own task; nobody awaits it
        self._breathe()
        self._left -= durable  # the audit of reads is stored at any time and does not count
        last = durable and self._left == 0
        async with self._inner.transaction(durable=durable) as tx:
            yield tx
            self.dead = self.dead or (last and not self._stored)
            self._breathe()
        self.dead = self.dead or last
        self._breathe()

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Repositories]:
        self._breathe()
        async with self._inner.reading() as stored:
            yield stored

    def on_work(self, listener: Callable[[], None]) -> None:
        self._inner.on_work(listener)

    async def aclose(self) -> None:
        await self._inner.aclose()

    def _breathe(self) -> None:
        if self.dead:
            raise Killed


@dataclass
class Shop:
    """What its tools did, in order."""

    did: list[str] = field(default_factory=list)
    reading: int = 0
    most_reading: int = 0
    hold: asyncio.Event | None = None
    entered: asyncio.Event = field(default_factory=asyncio.Event)

    async def look(self, what: str) -> dict[str, object]:
        self.reading += 1
        self.most_reading = max(self.most_reading, self.reading)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        self.reading -= 1
        self.did.append(f"look {what}")
        return {"what": what, "left": 3}

    async def order(self, what: str) -> str:
        self.entered.set()
        if self.hold is not None:
            await self.hold.wait()
        self.did.append(f"order {what}")
        return f"ordered {what}"

    async def refund(self, what: str) -> str:
        self.did.append(f"refund {what}")
        return f"refunded {what}"

    async def break_(self, what: str) -> str:
        raise ToolError(f"{what} is glued to the shelf")

    def tools(self) -> list[Tool]:
        return [
            tool("look", self.look),
            tool("order", self.order, ToolOptions(mutating=True)),
            tool("refund", self.refund, ToolOptions(mutating=True, confirm=True)),
            tool("break", self.break_, ToolOptions(mutating=True)),
            tool("secret", self.look, ToolOptions(scopes=("vault",))),
        ]


def tool(name: str, callback: Callable[..., object], options: ToolOptions | None = None) -> Tool:
    return Tool(
        name=name,
        description=f"To {name} something.",
        input_schema={
            "type": "object",
            "properties": {"what": {"type": "string"}},
            "required": ["what"],
        },
        callback=callback,
        options=options or ToolOptions(),
    )


def sqlite(folder: Path, clock: FakeClock) -> SqliteRecord:
    return SqliteRecord(folder / "comal.db", clock=clock)


def registry(
    record: Record, clock: FakeClock, shop: Shop, routes: Routes | None = None
) -> ToolRegistry:
    made = ToolRegistry(Wiring(record=record, clock=clock, routes=routes or Routes()))
    made.add_all(shop.tools())
    return made


def caller() -> ToolContext:
    return ToolContext(principal="cli:ana", channel="cli", conversation=CHAT)


def call(name: str, what: str) -> tuple[str, dict[str, object]]:
    return name, {"what": what}


def model(*steps: Reply) -> ScriptedModel:
    """A model that takes these steps, each after the answers of the one before; then 'done'.

    It knows where it stands from the calls just answered, so no two steps call the same tools.
    """
    plan: list[Reply] = [*steps, "done"]
    called = [calls_of(step) for step in plan]

    def go_on(answered: Answered) -> Reply:
        return plan[called.index([(one.name, one.arguments) for one, _ in answered]) + 1]

    return ScriptedModel([Rule(pattern=".", reply=lambda *_: plan[0])], conclude=go_on)


def calls_of(step: Reply) -> list[tuple[str, str]]:
    match step:
        case str():
            return []
        case AssistantMessage():
            return [(one.name, one.arguments) for one in step.tool_calls]
        case _:
            return [(name, json.dumps(arguments)) for name, arguments in step]


def steps_in(messages: Sequence[Message]) -> int:
    """How many steps the turn that is asked about has behind it."""
    count = 0
    for message in reversed(messages):
        if isinstance(message, UserMessage):
            break
        count += isinstance(message, AssistantMessage)
    return count


def runner(
    record: Record, service: LlmServiceInterface, clock: FakeClock, shop: Shop, **options
) -> TurnRunner:
    return TurnRunner(record, service, registry(record, clock, shop), clock, **options)


async def open_turn(record: Record, text: str = "go", *, turn: str = TURN) -> str:
    await open_with(record, person_entry(turn, text))
    return turn


async def open_with(record: Record, entry: Entry) -> None:
    async with record.transaction() as tx:
        await tx.turns.open(
            Turn(
                id=entry.turn,
                conversation=CHAT,
                principal="cli:ana",
                channel="cli",
                origin_event=f"event of {entry.turn}",
                state="running",
                reason=None,
                step=0,
                epoch=0,
                stop=False,
                started_at=0.0,
            )
        )
        await tx.turns.write(entry, epoch=0, now=0.0)


async def lines(record: Record) -> list[Entry]:
    async with record.reading() as stored:
        return await stored.turns.history(CHAT)


async def the_turn(record: Record, turn: str = TURN) -> Turn:
    async with record.reading() as stored:
        found = await stored.turns.get(turn)
    assert found is not None
    return found


async def answers(record: Record, turn: str = TURN) -> list[dict]:
    """What the model reads of each call, in the order of the calls."""
    tools = [line for line in await lines(record) if line.role == "tool" and line.turn == turn]
    tools.sort(key=lambda line: (line.step, line.place))
    return [json.loads(json.loads(line.body)["content"]) for line in tools]
