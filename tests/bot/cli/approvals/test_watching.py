"""`comal approvals watch`: every change of a question is a line, and only a change."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from comal_bot.cli.approvals.watching import changes
from comal_runtime.record import QuestionState, SqliteRecord
from comal_runtime.record.standings import Standing

from .test_listing import question, stored


def stands(state: str = "open", votes: int = 0, act: str | None = None) -> dict[str, Standing]:
    return {"q": Standing(id="q", state=state, votes=votes, act=act, summary="pay()")}


@pytest.mark.parametrize(
    ("before", "now", "told"),
    [
        ({}, stands(), ["asked"]),
        (stands(), stands(), []),
        (stands(), stands(votes=1), ["voted"]),
        (stands(votes=1), stands("approved", 2, "approved"), ["approved", "act approved"]),
        (stands("approved", 2, "started"), stands("approved", 2, "done"), ["act done"]),
        ({}, stands("approved", 1, "done"), ["asked", "act done"]),
        (stands(), {}, []),
    ],
)
def test_a_change_is_told_once(before, now, told: list[str]):
    assert [change.what for change in changes(before, now)] == told


def test_what_waits_and_what_changes_is_printed_until_ctrl_c(folder: Path):
    asked, _ = question()
    asyncio.run(stored(folder / "comal.db", asked))
    command = [sys.executable, "-u", "-m", "comal_bot", "approvals", "watch", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ}) as child:
        assert child.stdout is not None
        first = json.loads(child.stdout.readline())
        asyncio.run(_reject(folder, asked.id))
        second = json.loads(child.stdout.readline())
        child.send_signal(signal.SIGINT)
        code = child.wait(timeout=20)

    assert (first["event"], first["id"]) == ("open", asked.id)
    assert (second["event"], second["state"]) == ("rejected", "rejected")
    assert code == 130


async def _reject(folder: Path, key: str) -> None:
    record = SqliteRecord(folder / "comal.db", hosted=False)
    async with record.transaction() as tx:
        await tx.questions.close(key, QuestionState.REJECTED, now=1.0, reason=None)
    await record.aclose()
