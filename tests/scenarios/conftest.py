"""A stage for every story, and a small shop whose tools tell what ran."""

import json
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from comal_runtime.errors import ToolError
from comal_runtime.testing import ScriptedModel
from comal_runtime.tools import tool
from tests.support.stage import Stage, scripted, stage


@dataclass
class Shop:
    """Tools that write down what they did."""

    ran: list[tuple[Any, ...]] = field(default_factory=list)

    @tool
    async def notes(self) -> list[str]:
        """List the notes."""
        return ["milk", "bread"]

    @tool(mutating=True)
    async def delete_note(self, note: int) -> str:
        """Delete a note."""
        if note > 9:
            raise ToolError(f"there is no note {note}")
        self.ran.append(("delete_note", note))
        return f"note {note} is gone"

    @tool(mutating=True)
    async def refund(self, order: int, amount: float = 10.0) -> str:
        """Give money back."""
        self.ran.append(("refund", order, amount))
        return f"refunded {amount} of {order}"


def event_of(text: str) -> dict[str, Any]:
    """Read a host event."""
    fields: dict[str, Any] = json.loads(text.removeprefix("[comal:event] "))
    return fields


def told(match: re.Match[str], tools: object, messages: Any) -> str:
    """Say what a host event said."""
    fields = event_of(messages[-1].content)
    return f"I heard: {fields['state']} {fields.get('result', '')} {fields.get('reason', '')}"


@pytest.fixture
def shop() -> Shop:
    return Shop()


@pytest.fixture
def model() -> ScriptedModel:
    return scripted(
        (r"^\[comal:event\]", told),
        (r"\blist\b", lambda *_: [("notes", {})]),
        (r"delete note (\d+)", lambda m, *_: [("delete_note", {"note": int(m[1])})]),
        (r"refund order (\d+)", lambda m, *_: [("refund", {"order": int(m[1])})]),
        (
            r"both (\d+) (\d+)",
            lambda m, *_: [("delete_note", {"note": int(n)}) for n in m.groups()],
        ),
    )


@pytest.fixture
async def set_stage(tmp_path: Path) -> AsyncIterator[Stage]:
    async with stage(tmp_path) as made:
        yield made
