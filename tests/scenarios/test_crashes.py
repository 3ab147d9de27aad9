"""Death and freezing at the worst moments: nothing is lost, nothing repeats, the rest is said."""

import asyncio
import os
import signal
from pathlib import Path

import pytest

from tests.support.stage import Stage, eventually, has_buttons, kill, says

TOOLS = '''
"""Tools that leave a mark when they begin and when they end."""

import time
from pathlib import Path

from comal_runtime import tool

HERE = Path(__file__).parent


def mark(name):
    with (HERE / name).open("a") as file:
        file.write("x")


@tool(mutating=True, timeout=1.0)
def delete_note(note_id: int) -> str:
    """Delete a note, and take long about it while a file says so."""
    mark("begun")
    while (HERE / "hold").exists():
        time.sleep(0.05)
    mark("ended")
    return f"note {note_id} is gone"
'''


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    file = tmp_path / "slow_tools.py"
    file.write_text(TOOLS)
    return file


def marks(folder: Path, name: str) -> int:
    """Count how often a tool left a mark."""
    file = folder / name
    return len(file.read_text()) if file.exists() else 0


async def test_a_tap_after_a_kill_between_question_and_tap_runs_once(
    set_stage: Stage, tools: Path
) -> None:
    """AP-05: open questions survive a restart."""
    rosa, chat = set_stage.rosa, set_stage.private
    first = set_stage.spawn(tools)
    rosa.send(chat, "delete note 2")
    card = await rosa.wait_for(chat, has_buttons, timeout=30)
    kill(first)

    press = rosa.press(chat, card.id, "Confirm")
    set_stage.spawn(tools)
    await press.answered(timeout=30)
    await rosa.wait_for(chat, says("executed"), timeout=30)

    assert marks(set_stage.folder, "ended") == 1


async def test_a_kill_inside_the_tool_is_said_to_be_unknown_and_nothing_repeats(
    set_stage: Stage, tools: Path
) -> None:
    rosa, chat, hold = set_stage.rosa, set_stage.private, set_stage.folder / "hold"
    hold.touch()
    first = set_stage.spawn(tools)
    rosa.send(chat, "delete note 2")
    card = await rosa.wait_for(chat, has_buttons, timeout=30)
    rosa.press(chat, card.id, "Confirm")
    await eventually(lambda: marks(set_stage.folder, "begun"))
    kill(first)
    hold.unlink()

    set_stage.spawn(tools)
    await rosa.wait_for(chat, says("outcome unknown"), timeout=40)
    await asyncio.sleep(3)

    assert marks(set_stage.folder, "begun") == 1
    assert marks(set_stage.folder, "ended") == 0
    assert set_stage.rows("SELECT state FROM acts") == [("unknown",)]


async def test_a_frozen_sync_tool_that_wakes_late_is_done_late_on_the_card(
    set_stage: Stage, tools: Path
) -> None:
    rosa, chat, hold = set_stage.rosa, set_stage.private, set_stage.folder / "hold"
    hold.touch()
    only = set_stage.spawn(tools)
    rosa.send(chat, "delete note 2")
    card = await rosa.wait_for(chat, has_buttons, timeout=30)
    rosa.press(chat, card.id, "Confirm")
    await eventually(lambda: marks(set_stage.folder, "begun"))
    only.send_signal(signal.SIGSTOP)
    await asyncio.sleep(3)
    hold.unlink()
    only.send_signal(signal.SIGCONT)

    closed = await rosa.wait_for(chat, says("done late"), timeout=30)

    assert closed.id == card.id
    assert marks(set_stage.folder, "begun") == marks(set_stage.folder, "ended") == 1


async def test_a_frozen_worker_is_replaced_and_its_late_result_amends_the_card(
    set_stage: Stage, tools: Path
) -> None:
    rosa, chat, hold = set_stage.rosa, set_stage.private, set_stage.folder / "hold"
    hold.touch()
    frozen = set_stage.spawn(tools)
    rosa.send(chat, "delete note 2")
    card = await rosa.wait_for(chat, has_buttons, timeout=30)
    rosa.press(chat, card.id, "Confirm")
    await eventually(lambda: marks(set_stage.folder, "begun"))
    await rosa.wait_for(chat, says("Confirmed by"))
    await asyncio.sleep(0.3)  # a process frozen inside a write would hold the file's lock
    frozen.send_signal(signal.SIGSTOP)
    set_stage.spawn(tools)
    await rosa.wait_for(chat, says("outcome unknown"), timeout=40)
    hold.unlink()
    os.kill(frozen.pid, signal.SIGCONT)

    await rosa.wait_for(chat, says("done late"), timeout=40)

    assert marks(set_stage.folder, "begun") == marks(set_stage.folder, "ended") == 1
