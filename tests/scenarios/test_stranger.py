"""A stranger's tools file, with a Chat Completions server that is not ours: only the wires meet."""

import json
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.support.stage import Stage, eventually, has_buttons, kill, says

TOOLS = """
import pathlib
from dataclasses import dataclass
from typing import Annotated, Literal

from comal_runtime import Param, ToolContext, tool

SHELF = pathlib.Path(__file__).parent / "shelf.txt"

@dataclass
class Book:
    title: str
    pages: int = 100

@tool
def titles(order: Literal["new", "old"] = "new") -> list[str]:
    "Titles on the shelf."
    return SHELF.read_text().split() if SHELF.exists() else []

@tool(mutating=True)
async def shelve(book: Book, copies: Annotated[int, Param(clamp=(1, 3))], ctx: ToolContext) -> str:
    "Put a book on the shelf."
    SHELF.write_text(f"{book.title} {ctx.principal}\\n" * copies)
    return f"{copies} x {book.title}"
"""

FIXTURES = {
    "fixtures": [
        {
            "match": {"userMessage": "put Momo there"},
            "response": {
                "toolCalls": [
                    {"name": "shelve", "arguments": {"book": {"title": "Momo"}, "copies": 9}}
                ]
            },
        },
        {"match": {"userMessage": "[comal:event]"}, "response": {"content": "Momo is **there**."}},
        {"match": {"userMessage": "hello"}, "response": {"content": "Hello from afar."}},
    ]
}


def program() -> str:
    """Find the foreign server, or say why it is not there."""
    installed = Path(__file__).parents[2] / ".venv/aimock/node_modules/.bin/llmock"
    found = os.environ.get("COMAL_AIMOCK") or (str(installed) if installed.exists() else None)
    if found is None or node_version() < 20:
        pytest.skip("the foreign Chat Completions server needs node 20 and npm, not here")
    return found


def node_version() -> int:
    """Return the major version of node, 0 where there is none."""
    node = shutil.which("node")
    if node is None:
        return 0
    told = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    return int(told.strip().lstrip("v").split(".")[0] or 0)


@pytest.fixture
def foreign_model(tmp_path: Path) -> Iterator[str]:
    """Run the foreign server and return its base address."""
    fixtures = tmp_path / "fixtures.json"
    fixtures.write_text(json.dumps(FIXTURES))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [program(), "-p", str(port), "-h", "127.0.0.1", "-f", str(fixtures)]
    log = (tmp_path / "model.log").open("wb")
    server = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        kill(server)
        log.close()


async def test_a_strangers_tools_run_with_a_foreign_model(
    set_stage: Stage, foreign_model: str
) -> None:
    tools = set_stage.folder / "shelf_tools.py"
    tools.write_text(TOOLS)
    rosa, chat = set_stage.rosa, set_stage.private
    await eventually(lambda: answers(foreign_model))
    model = {"provider": "openai-chat", "base_url": f"{foreign_model}/v1", "name": "any-model"}
    set_stage.spawn(tools, model={**model, "api_key": "none-needed"})

    rosa.send(chat, "hello")
    await rosa.wait_for(chat, says("Hello from afar."), timeout=30)
    rosa.send(chat, "put Momo there")
    card = await rosa.wait_for(chat, has_buttons, timeout=30)
    rosa.press(chat, card.id, "Confirm")
    await rosa.wait_for(chat, says("executed"), timeout=30)
    told = await rosa.wait_for(chat, says("Momo is there."), timeout=30)

    assert "Momo" in card.text
    assert "copies: 3" in card.text  # what runs is what was shown, bounds included
    assert (set_stage.folder / "shelf.txt").read_text() == f"Momo telegram:{rosa.id}\n" * 3
    assert any(entity.kind == "bold" for entity in told.content.entities)


def answers(url: str) -> bool:
    """Tell whether a server is up."""
    try:
        return httpx.get(url, timeout=1).status_code < 500
    except httpx.HTTPError:
        return False
