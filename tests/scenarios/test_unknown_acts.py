"""What becomes of an act whose outcome nobody knows: each remedy, and the service's own word."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event

import pytest

from comal_runtime.context import ToolContext
from comal_runtime.testing import ScriptedModel
from comal_runtime.tools import tool
from tests.support.stage import Stage, eventually, has_buttons, kill, says, scripted

from .conftest import told

BUTTONS = ["It was done", "Do it again", "Leave it"]

SERVICE = '''
"""A tool that leaves a mark as it begins, and whose service tells afterwards what was applied."""

import time
from pathlib import Path

from comal_runtime import tool
from comal_runtime.context import ToolContext

HERE = Path(__file__).parent


def knows(idempotency_key: str):
    """Answer True if the service has this key."""
    (HERE / "asked").write_text(idempotency_key)
    return (HERE / "applied").exists() and (HERE / "applied").read_text() == idempotency_key


@tool(mutating=True, timeout=1.0, reconcile=knows)
def delete_note(note_id: int, ctx: ToolContext) -> str:
    """Delete a note; its answer takes long."""
    if (HERE / "applies").exists():
        (HERE / "applied").write_text(ctx.idempotency_key)
    with (HERE / "begun").open("a") as file:
        file.write("x")
    while (HERE / "hold").exists():
        time.sleep(0.05)
    return "gone"
'''


@dataclass
class Bank:
    """A tool whose first answer takes longer than it may."""

    keys: list[str | None] = field(default_factory=list)
    hold: Event = field(default_factory=Event)

    @tool(mutating=True, timeout=0.2)
    def transfer(self, amount: int, ctx: ToolContext) -> str:
        """Send money."""
        self.keys.append(ctx.idempotency_key)
        if len(self.keys) == 1:
            self.hold.wait(20)
        return f"sent {amount}"


@pytest.fixture
def bank() -> Iterator[Bank]:
    made = Bank()
    yield made
    made.hold.set()


@pytest.fixture
def clerk() -> ScriptedModel:
    return scripted(
        (r"^\[comal:event\]", told),
        (r"transfer (\d+)", lambda m, *_: [("transfer", {"amount": int(m[1])})]),
    )


@pytest.mark.parametrize(
    ("button", "says_then", "state"),
    [
        ("It was done", "done (says Rosa)", "settled_done"),
        ("Leave it", "outcome unknown, left so by Rosa", "unknown"),
    ],
)
@pytest.mark.failure_mode(14)
async def test_a_tool_that_was_too_slow_is_settled_or_left_by_whoever_confirmed_it(
    set_stage: Stage, bank: Bank, clerk: ScriptedModel, button: str, says_then: str, state: str
) -> None:
    rosa, chat = set_stage.rosa, set_stage.private
    async with set_stage.hosting([bank], clerk):
        rosa.send(chat, "transfer 5")
        card = await rosa.wait_for(chat, has_buttons)
        await rosa.press(chat, card.id, "Confirm").answered()
        unknown = await rosa.wait_for(chat, says("outcome unknown"))
        offered = [one.label for one in unknown.buttons]
        await rosa.press(chat, card.id, button).answered()
        closed = await rosa.wait_for(chat, says(says_then))

    assert unknown.id == closed.id == card.id
    assert offered == BUTTONS
    assert not closed.buttons
    assert set_stage.rows("SELECT state FROM acts") == [(state,)]
    assert len(bank.keys) == 1


@pytest.mark.failure_mode(6, 31, 32)
async def test_what_is_done_again_waits_for_a_new_yes_and_carries_the_same_key(
    set_stage: Stage, bank: Bank, clerk: ScriptedModel
) -> None:
    rosa, chat = set_stage.rosa, set_stage.private
    async with set_stage.hosting([bank], clerk):
        rosa.send(chat, "transfer 5")
        card = await rosa.wait_for(chat, has_buttons)
        await rosa.press(chat, card.id, "Confirm").answered()
        await rosa.wait_for(chat, says("outcome unknown"))
        await rosa.press(chat, card.id, "Do it again").answered()
        again = await rosa.wait_for(chat, says("The first attempt may still be running"))
        ran_before_the_yes = len(bank.keys)
        await rosa.press(chat, again.id, "Confirm").answered()
        await rosa.wait_for(chat, says("executed"))

    assert again.id != card.id
    assert ran_before_the_yes == 1
    assert len(bank.keys) == 2
    assert len(set(bank.keys)) == 1


@pytest.fixture
def service(tmp_path: Path) -> Path:
    file = tmp_path / "service_tools.py"
    file.write_text(SERVICE)
    return file


@pytest.mark.parametrize(
    ("applies", "says_then", "state"),
    [
        (True, "done (confirmed by the service)", "settled_done"),
        (False, "not done (says the service)", "settled_not_done"),
    ],
)
@pytest.mark.failure_mode(6, 31)
async def test_a_kill_inside_the_tool_is_cleared_up_by_its_service(
    set_stage: Stage, service: Path, applies: bool, says_then: str, state: str
) -> None:
    rosa, chat, folder = set_stage.rosa, set_stage.private, set_stage.folder
    (folder / "hold").touch()
    if applies:
        (folder / "applies").touch()
    first = set_stage.spawn(service)
    rosa.send(chat, "delete note 2")
    card = await rosa.wait_for(chat, has_buttons, timeout=30)
    rosa.press(chat, card.id, "Confirm")
    await eventually((folder / "begun").exists)
    kill(first)

    set_stage.spawn(service)
    closed = await rosa.wait_for(chat, says(says_then), timeout=40)

    assert closed.id == card.id
    assert not closed.buttons
    assert (folder / "begun").read_text() == "x"
    assert set_stage.rows("SELECT state, settled_by FROM acts") == [(state, "service")]
    assert set_stage.rows("SELECT idempotency_key FROM acts") == [((folder / "asked").read_text(),)]
