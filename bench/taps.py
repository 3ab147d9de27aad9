"""How long an approver waits for the answer to a tap while very many questions are open.

From the update's arrival (it is stored with a durable commit first) to the answer handed to the
channel; what the taps approve runs meanwhile. The channel is in memory, all else is the host's own.
"""

import asyncio
import gc
import random
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from comal_bot.channels.channel import Ack, Address, Body, Inbound, Raw, Receipt, Signal, Sink
from comal_bot.channels.telegram.parse import parse
from comal_bot.host import Host
from comal_bot.inbox import Intake
from comal_bot.outbox import Outbox, Pace
from comal_bot.questions import QuestionCards
from comal_bot.receipts.filing import Filing
from comal_bot.receipts.signing import new_key, signer_from
from comal_bot.settings import Settings
from comal_bot.tooling import directory, host_registry
from comal_bot.wiring import House, Premises
from comal_renderers.descriptor import TELEGRAM, Descriptor
from comal_runtime import ToolContext, Wiring, tool
from comal_runtime.agent import TurnRunner
from comal_runtime.clock import SystemClock
from comal_runtime.consent.question import call_question, new_id
from comal_runtime.lanes import SqliteLanes
from comal_runtime.record import Card, SqliteRecord
from comal_runtime.testing import ScriptedModel

OPEN: Final = 100_000
PEOPLE: Final = 50
TAPS: Final = 400
TARGET: Final = 100.0
"""Milliseconds that the slowest of a hundred taps may take."""

_CHAT: Final = -2002


class Ears:
    """A channel in memory that notes when it is told to answer each tap."""

    name = "main"
    descriptor: Descriptor = TELEGRAM

    def __init__(self) -> None:
        self.answered: dict[str, asyncio.Future[float]] = {}
        self.sent = 0

    def parse(self, raw: Raw) -> list[Inbound]:
        return parse(raw, channel=self.name, bot_id=7001, bot_username="comal_bot")

    async def listen(self, sink: Sink) -> None:
        await asyncio.Event().wait()

    async def deliver(self, target: Address, body: Body) -> Receipt:
        self.sent += 1
        return Receipt(address=target, message=str(self.sent))

    async def amend(self, receipt: Receipt, body: Body) -> None:
        return None

    async def signal(self, target: Address, signal: Signal) -> None:
        if isinstance(signal, Ack):
            self.answered[signal.callback].set_result(time.perf_counter())


@tool(mutating=True)
async def refund(order: int) -> str:
    """Give money back."""
    return f"refunded {order}"


def settings() -> Settings:
    """Return a house whose approvers are many."""
    people = [
        {"name": f"Person {one}", "identities": [f"telegram:{one}"], "roles": ["finance"]}
        for one in range(1, PEOPLE + 1)
    ]
    route = {"tool": "refund", "approvers": ["role:finance"], "cards": [f"main:{_CHAT}"]}
    channels = {"main": {"token": "7001:bench-token-0123456789abcdefghijklmn"}}
    given = {"channels": channels, "people": people, "routes": [route]}
    return Settings.model_validate(given)


async def filled(house: House, given: Settings) -> list[Card]:
    """Store the open questions, each with a card that hangs; return the cards."""
    found, [route] = house.registry.get("refund"), given.routing()
    assert found is not None
    now, cards = house.clock.now(), []
    ctx = ToolContext(principal="telegram:900", channel="telegram", conversation="c1")
    for start in range(0, OPEN, 1_000):
        async with house.record.transaction(durable=False) as tx:
            for order in range(start, start + 1_000):
                question, _ = call_question(
                    found, {"order": order}, ctx, route=route, now=now, ttl=86_400.0
                )
                await tx.questions.open(question)
                card = Card(
                    id=new_id(),
                    question=question.id,
                    role="approver",
                    channel="main",
                    chat=str(_CHAT),
                    message=str(order + 1),
                    shown="open",
                )
                await tx.cards.add(card)
                cards.append(card)
    return cards


def pressed(number: int, card: Card, person: int) -> dict[str, Any]:
    """Return the update of one tap."""
    message = {"message_id": int(card.message or 0), "chat": {"id": _CHAT, "type": "supergroup"}}
    query = {
        "id": str(number),
        "from": {"id": person, "is_bot": False, "first_name": f"Person {person}"},
        "message": {**message, "date": 0},
        "chat_instance": "1",
        "data": f"q1:{card.id}:y",
    }
    return {"update_id": number, "callback_query": query}


async def tapped(ears: Ears, intake: Intake, cards: Sequence[Card]) -> list[float]:
    """Press one card after another, two people at a time; the milliseconds until each answer."""
    took: list[float] = []
    numbers = iter(range(1, len(cards) + 1))

    async def pressing() -> None:
        for number in numbers:
            ears.answered[str(number)] = asyncio.get_running_loop().create_future()
            began = time.perf_counter()
            await intake([pressed(number, cards[number - 1], number % PEOPLE + 1)])
            took.append((await ears.answered[str(number)] - began) * 1000)

    await asyncio.gather(pressing(), pressing())
    return took


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        given, clock, ears = settings(), SystemClock(), Ears()
        record = SqliteRecord(Path(folder) / "bench.db", clock=clock)
        premises = Premises(
            record=record,
            clock=clock,
            channels={ears.name: ears},
            people=directory(given),
            instance="bench",
            language="en",
        )
        cards = QuestionCards(premises)
        registry = host_registry(
            given,
            [refund],
            Wiring(clock=clock, instance="bench", directory=premises.people),
            record,
        )
        runner = TurnRunner(record, ScriptedModel([]), registry, clock)
        house = House.on(premises, registry, runner)
        hanging = await filled(house, given)
        lanes = SqliteLanes(record, clock, "bench", lease=15.0)
        outbox = Outbox(record, clock, house.channels, "bench", Pace.telegram())
        filing = Filing(premises, signer_from(new_key().encode(), "the bench's"))
        running = asyncio.create_task(
            Host(house, cards, lanes, outbox, filing, 15.0).run(listen=False)
        )
        gc.freeze()
        chosen = random.Random(7).sample(hanging, TAPS)
        took = sorted(await tapped(ears, Intake(record, clock, ears), chosen))
        running.cancel()
        await asyncio.wait([running])
        await registry.audit.flush()
        await record.aclose()
    slowest = took[int(len(took) * 0.99) - 1]
    print(f"tap -> answered, {OPEN:,} open questions, {TAPS} taps, two at a time, milliseconds")
    print(f"median {statistics.median(took):.1f}, p99 {slowest:.1f}   (target p99 {TARGET:g})")


if __name__ == "__main__":
    asyncio.run(main())
