"""The command line is a door like any other: a running host, and answers given at the machine."""

import asyncio
import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from comal_bot.cli.acting import os_login
from tests.support.stage import Stage, eventually, has_buttons, says

TOOLS = '''
"""A tool that leaves a mark."""

from pathlib import Path

from comal_runtime import tool

HERE = Path(__file__).parent


@tool(mutating=True)
def delete_note(note_id: int) -> str:
    """Delete a note."""
    with (HERE / "ran").open("a") as file:
        file.write(f"{note_id};")
    return f"note {note_id} is gone"
'''


@dataclass
class Door:
    """A running host and the command line beside it."""

    stage: Stage
    tools: Path
    changes: dict[str, Any] = field(default_factory=dict)

    @property
    def ran(self) -> str:
        """What the tool did, call by call."""
        file = self.stage.folder / "ran"
        return file.read_text() if file.exists() else ""

    @property
    def asked(self) -> str:
        """The id of the newest question."""
        rows = self.stage.rows("SELECT id FROM questions ORDER BY created_at DESC")
        return str(rows[0][0])

    async def ask(self, note: int = 2) -> str:
        """Let Rosa ask for a deletion; the question's id, once its card hangs."""
        await asyncio.to_thread(self.start)
        stage = self.stage
        stage.rosa.send(stage.private, f"delete note {note}")
        await eventually(lambda: stage.rows("SELECT 1 FROM cards WHERE message IS NOT NULL"), 30)
        return self.asked

    def start(self) -> None:
        """Start the host, unless it runs."""
        if not self.stage.children:
            self.stage.spawn(self.tools, **self.changes)

    async def comal(self, *words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        """Run a command where the settings are."""
        command = [sys.executable, "-m", "comal_bot", *words]
        return await asyncio.to_thread(
            subprocess.run,
            command,
            cwd=cwd or self.stage.folder,
            env={**os.environ, "COLUMNS": "200", "USER": "root", "LOGNAME": "somebody"},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    async def answer(self, verb: str, question: str, *words: str):
        """Answer a question at the machine, with the host's tools."""
        tools = ("--tools", str(self.tools))
        return await self.comal("approvals", verb, *words, *tools, "--json", "--", question)


@pytest.fixture
def door(set_stage: Stage) -> Door:
    """Give a door whose OS user is Ana's, where Ana and Bo approve deletions and Olga owns all."""
    tools = set_stage.folder / "mark_tools.py"
    tools.write_text(TOOLS)
    return Door(set_stage, tools, changes(set_stage, of="Ana"))


def changes(stage: Stage, of: str, policy: str = "single", **route: Any) -> dict[str, Any]:
    """Return people and a route; the OS user of this machine is `of`'s."""
    people = [
        {"name": "Rosa", "identities": [f"telegram:{stage.rosa.id}"]},
        {"name": "Ana", "identities": [f"telegram:{stage.ana.id}"], "roles": ["finance"]},
        {"name": "Andrés", "identities": [f"telegram:{stage.andres.id}"], "roles": ["finance"]},
        {"name": "Olga", "identities": [f"telegram:{stage.bruno.id}"], "roles": ["owner"]},
    ]
    for person in people:
        if person["name"] == of:
            person["identities"] = [*person["identities"], f"os:{os_login()}"]
    found = {
        "tool": "delete_note",
        "approvers": ["role:finance"],
        "cards": [f"main:{stage.approvers.id}"],
        "policy": policy,
    }
    return {"people": people, "routes": [found | route]}


async def test_an_approver_at_the_machine_decides_as_a_tap_does(door: Door):
    stage = door.stage
    question = await door.ask()

    told = await door.answer("approve", question[:6], "--as", "Ana", "--reason", "it is old")
    closed = await stage.ana.wait_for(stage.approvers, says("executed"), timeout=30)
    await stage.rosa.wait_for(stage.private, says("executed"), timeout=30)

    assert told.returncode == 0, told.stderr
    assert json.loads(told.stdout)["verdict"] == "approved"
    assert json.loads(told.stdout)["actor"] == f"os:{os_login()}"
    assert "Approved by Ana" in closed.text
    assert door.ran == "2;"
    votes = stage.rows("SELECT identity, choice, reason FROM votes")
    assert votes == [(f"os:{os_login()}", "yes", "it is old")]


@pytest.mark.failure_mode(4)
async def test_a_command_gives_nobody_a_right_that_they_lack(door: Door):
    door.changes = changes(door.stage, of="Olga")
    question = await door.ask()

    nobody = await door.answer("approve", question)
    as_ana = await door.answer("approve", question, "--as", "Ana")
    as_owner = await door.answer("approve", question, "--as", "Olga")

    assert [one.returncode for one in (nobody, as_ana, as_owner)] == [3, 3, 3]
    assert "--as PERSON" in nobody.stderr
    assert f"add 'os:{os_login()}' to the identities of Ana" in as_ana.stderr
    assert "Olga may not answer this question" in as_owner.stderr
    assert door.stage.rows("SELECT * FROM votes") == []
    assert door.ran == ""


@pytest.mark.failure_mode(39)
async def test_the_requesters_own_os_user_approves_nothing_even_breaking_the_glass(door: Door):
    """AP-17: separation of duties cannot be switched off, at no door."""
    door.changes = changes(door.stage, of="Rosa")
    question = await door.ask()

    by_right = await door.answer("approve", question, "--as", "Rosa")
    by_force = await door.answer("approve", question, "--break-glass", "--reason", "hurry")

    assert (by_right.returncode, by_force.returncode) == (3, 3)
    assert "somebody else must decide" in by_force.stderr
    assert door.stage.rows("SELECT state FROM questions") == [("open",)]
    assert door.ran == ""


@pytest.mark.failure_mode(39)
async def test_breaking_the_glass_decides_alone_and_everybody_concerned_hears_why(door: Door):
    stage = door.stage
    door.changes = changes(stage, of="nobody", policy="dual")
    await asyncio.to_thread(door.start)
    owner_chat = stage.bruno.chat_with(stage.bot)
    stage.bruno.send(owner_chat, "/start")
    await stage.bruno.wait_for(owner_chat, says("Hello"), timeout=30)
    question = await door.ask()

    silent = await door.answer("approve", question, "--break-glass", "--reason", "  ")
    told = await door.answer("approve", question, "--break-glass", "--reason", "disk is full")
    closed = await stage.ana.wait_for(stage.approvers, says("executed"), timeout=30)
    owner = await stage.bruno.wait_for(owner_chat, says("BREAK-GLASS"), timeout=30)
    requester = await stage.rosa.wait_for(stage.private, says("acted at the machine"), timeout=30)
    await eventually(lambda: stage.rows("SELECT 1 FROM receipts"))
    shown = await door.comal("receipt", "show", "--json", "--", question)

    assert silent.returncode == 1
    assert told.returncode == 0, told.stderr
    assert f"BREAK-GLASS ({os_login()})" in closed.text
    assert "Reason: disk is full" in closed.text
    assert "disk is full" in owner.text
    assert "delete_note(note_id=2)" in requester.text
    assert door.ran == "2;"
    vote = json.loads(shown.stdout)["account"]["votes"][0]
    assert (vote["breakGlass"], vote["reason"]) == (True, "disk is full")
    audited = stage.rows("SELECT principal, tool FROM audit WHERE decision = 'break_glass'")
    assert audited == [(f"break-glass:{os_login()}", "answer_question")]


async def test_a_confirmation_is_its_requesters_at_the_machine_too(door: Door):
    door.changes = changes(door.stage, of="Rosa", tool="something_else")
    question = await door.ask()

    by_force = await door.answer("approve", question, "--break-glass", "--reason", "hurry")
    told = await door.answer("approve", question, "--as", "Rosa")
    await door.stage.rosa.wait_for(door.stage.private, says("executed"), timeout=30)

    assert by_force.returncode == 3
    assert told.returncode == 0, told.stderr
    assert door.ran == "2;"


async def test_a_tool_that_is_another_by_now_is_not_approved_at_the_machine(door: Door):
    question = await door.ask()
    door.tools.write_text(TOOLS.replace("Delete a note.", "Delete every note."))

    told = await door.answer("approve", question, "--as", "Ana")

    assert told.returncode == 3
    assert "the definition of delete_note changed" in told.stderr
    assert door.stage.rows("SELECT * FROM votes") == []
    assert door.ran == ""


async def test_a_command_that_lacks_the_hosts_tools_ends_nothing(door: Door):
    question = await door.ask()

    lacking = await door.comal("approvals", "approve", "--as", "Ana", "--", question)
    told = await door.answer("approve", question, "--as", "Ana")

    assert lacking.returncode == 3
    assert "give it the same --config and --tools as `comal run`" in lacking.stderr
    assert told.returncode == 0, told.stderr


@pytest.mark.failure_mode(6)
async def test_two_doors_at_once_are_one_decision_and_one_act(door: Door):
    stage = door.stage
    question = await door.ask()
    card = await stage.andres.wait_for(stage.approvers, has_buttons, timeout=30)

    told, _ = await asyncio.gather(
        door.answer("approve", question, "--as", "Ana"),
        stage.andres.press(stage.approvers, card.id, "Approve").answered(timeout=30),
    )
    await stage.rosa.wait_for(stage.private, says("executed"), timeout=30)

    assert told.returncode in (0, 3)
    assert door.ran == "2;"
    assert stage.rows("SELECT COUNT(*) FROM acts") == [(1,)]
    assert stage.rows("SELECT COUNT(*) FROM votes") == [(1,)]


async def test_what_was_tried_at_the_machine_in_vain_is_audited(door: Door):
    door.changes = changes(door.stage, of="Rosa")
    question = await door.ask()

    await door.answer("reject", question, "--break-glass", "--reason", "mine")

    audited = door.stage.rows("SELECT decision FROM audit WHERE tool = 'answer_question'")
    assert audited == [("refused_own_request",)]


async def test_a_rejection_at_the_machine_is_told_in_both_chats(door: Door):
    question = await door.ask()

    told = await door.answer("reject", question, "--as", "Ana", "--reason", "not this one")
    await door.stage.rosa.wait_for(door.stage.private, says("Rejected by Ana"), timeout=30)
    again = await door.answer("approve", question, "--as", "Ana")

    assert told.returncode == 0, told.stderr
    assert again.returncode == 3
    assert door.ran == ""


async def test_an_auditor_verifies_a_receipt_with_nothing_but_the_public_key(
    door: Door, tmp_path_factory: pytest.TempPathFactory
):
    elsewhere = tmp_path_factory.mktemp("auditor")
    question = await door.ask()
    await door.answer("approve", question, "--as", "Ana")
    await eventually(lambda: door.stage.rows("SELECT 1 FROM receipts"))
    key = (await door.comal("receipt", "key")).stdout.strip()
    out = elsewhere / "receipt.jsonl"
    await door.comal("receipt", "show", "--out", str(out), "--", question)

    held = await door.comal("receipt", "verify", str(out), "--key", key, "--json", cwd=elsewhere)
    keyless = await door.comal("receipt", "verify", str(out), cwd=elsewhere)
    out.write_text(out.read_text().replace("note_id", "note_ID"))
    broken = await door.comal("receipt", "verify", str(out), "--key", key, cwd=elsewhere)

    account = json.loads(held.stdout)["account"]
    assert held.returncode == 0
    assert {card["role"] for card in account["cards"]} == {"approver", "requester"}
    assert all("Delete note" in card["text"] for card in account["cards"])
    assert account["act"]["state"] == "done"
    assert (keyless.returncode, broken.returncode) == (1, 1)
    assert "--key KEY" in keyless.stderr
    assert "does not hold: its signature" in broken.stdout
