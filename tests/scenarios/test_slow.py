"""Turns and tools that take long: they hold up no other chat, no press and no /stop."""

import asyncio
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from comal_runtime.testing import ScriptedModel
from comal_runtime.tools import tool
from tests.support.stage import Stage, eventually, has_buttons, says, scripted

from .conftest import told


@dataclass
class Depot:
    """Tools that take as long as a test lets them."""

    ran: list[int] = field(default_factory=list)
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    go_on: asyncio.Event = field(default_factory=asyncio.Event)
    hold: threading.Event = field(default_factory=threading.Event)

    @tool(mutating=True)
    async def transfer(self, amount: int) -> str:
        """Send money, slowly."""
        self.begun.set()
        await self.go_on.wait()
        self.ran.append(amount)
        return f"sent {amount}"

    @tool
    def survey(self) -> str:
        """Look at everything, in a thread that takes its time."""
        self.hold.wait(10)
        return "surveyed"


@pytest.fixture
def depot() -> Iterator[Depot]:
    made = Depot()
    yield made
    made.hold.set()


@pytest.fixture
def clerk() -> ScriptedModel:
    return scripted(
        (r"^\[comal:event\]", told),
        (r"transfer (\d+)", lambda m, *_: [("transfer", {"amount": int(m[1])})]),
        (r"survey", lambda *_: [("survey", {})]),
        (r"hi", lambda *_: "hello there"),
    )


async def test_others_are_answered_and_stop_works_while_a_turn_runs(
    set_stage: Stage, depot: Depot, clerk: ScriptedModel
) -> None:
    """AP-06: a turn that takes long holds its own conversation and nothing else."""
    rosa, bruno = set_stage.rosa, set_stage.bruno
    async with set_stage.hosting([depot], clerk) as app:
        rosa.send(set_stage.private, "survey")
        await eventually(lambda: set_stage.rows("SELECT 1 FROM turns WHERE state = 'running'"))
        began = time.monotonic()
        bruno.send(bruno.chat_with(set_stage.bot), "hi")
        await bruno.wait_for(bruno.chat_with(set_stage.bot), says("hello there"))
        rosa.send(set_stage.private, "/stop")
        await rosa.wait_for(set_stage.private, says("Stopped."))
        took = time.monotonic() - began
        depot.hold.set()
        await app.until_idle()

    assert took < 1
    assert set_stage.rows("SELECT reason FROM turns ORDER BY started_at") == [
        ("interrupted",),
        ("final_answer",),
    ]
    assert not [v for v in rosa.transcript(set_stage.private) if says("surveyed")(v)]


async def test_a_tap_is_answered_at_once_while_the_turn_of_its_chat_runs(
    set_stage: Stage, depot: Depot, clerk: ScriptedModel
) -> None:
    """AP-06: the press is not queued behind the conversation."""
    rosa = set_stage.rosa
    async with set_stage.hosting([depot], clerk) as app:
        rosa.send(set_stage.private, "transfer 5")
        card = await rosa.wait_for(set_stage.private, has_buttons)
        rosa.send(set_stage.private, "survey")
        await eventually(lambda: set_stage.rows("SELECT 1 FROM turns WHERE state = 'running'"))
        began = time.monotonic()
        answer = await rosa.press(set_stage.private, card.id, "Confirm").answered()
        await depot.begun.wait()
        took = time.monotonic() - began
        depot.go_on.set()
        depot.hold.set()
        await app.until_idle()

    assert answer.text == "Recorded."
    assert took < 1
    assert depot.ran == [5]


async def test_a_slow_tool_leaves_its_card_in_progress_and_further_presses_harmless(
    set_stage: Stage, depot: Depot, clerk: ScriptedModel
) -> None:
    """AP-19."""
    rosa = set_stage.rosa
    async with set_stage.hosting([depot], clerk) as app:
        rosa.send(set_stage.private, "transfer 5")
        card = await rosa.wait_for(set_stage.private, has_buttons)
        data = card.buttons[0].data
        assert data is not None
        began = time.monotonic()
        first = await rosa.press(set_stage.private, card.id, "Confirm").answered()
        took = time.monotonic() - began
        waiting = await rosa.wait_for(set_stage.private, says("Confirmed by Rosa"))
        presses = [rosa.press_raw(set_stage.private, card.id, data) for _ in range(5)]
        more = [(await press.answered()).text for press in presses]
        ran_before = list(depot.ran)
        depot.go_on.set()
        await rosa.wait_for(set_stage.private, says("executed"))
        await app.until_idle()

    assert first.text == "Recorded."
    assert took < 1
    assert not waiting.buttons
    assert all(one.startswith("Already decided: ⏳") and "running" in one for one in more)
    assert len(more) == 5
    assert ran_before == []
    assert depot.ran == [5]
