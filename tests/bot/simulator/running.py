"""A demo that runs as people start it, and what tests do with it."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

_PATIENCE = 20.0  # seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Demo:
    """A running demo and its page's way in."""

    process: subprocess.Popen[str]
    url: str
    client: httpx.Client
    folder: Path

    def state(self) -> dict[str, Any]:
        return dict(self.client.get("/api/state").raise_for_status().json())

    def chat(self, title: str) -> dict[str, Any]:
        return next(one for one in self.state()["chats"] if one["title"] == title)

    def texts(self, title: str) -> list[str]:
        return [message["text"] for message in self.chat(title)["messages"]]

    def send(self, text: str) -> None:
        fields = {"person": 1001, "chat": self.chat("Rosa")["key"], "text": text}
        self.client.post("/api/send", json=fields).raise_for_status()

    def cheat(self, name: str) -> str:
        answer = self.client.post("/api/cheat", json={"name": name})
        assert answer.status_code == 200, answer.text
        return str(answer.json()["came_back"])

    def until(self, true: Callable[[], bool]) -> None:
        deadline = time.monotonic() + _PATIENCE
        while not true():
            assert time.monotonic() < deadline, (self.folder / "bot.log").read_text()
            time.sleep(0.1)


def command(folder: Path, port: int = 0) -> tuple[str, ...]:
    arguments = ("demo", "--port", str(port), "--no-browser", "--data", str(folder))
    return (sys.executable, "-m", "comal_bot", *arguments)


def bot_pid(demo: Demo) -> int:
    demo.until(lambda: demo.state()["bot"]["pid"] is not None)
    return int(demo.state()["bot"]["pid"])


def press(demo: Demo, card: dict[str, Any]) -> None:
    yes = next(button["data"] for row in card["buttons"] for button in row)
    where = {"chat": demo.chat("Rosa")["key"], "message": card["id"]}
    demo.client.post("/api/press", json={"person": 1001, "data": yes, **where}).raise_for_status()


def audited(demo: Demo, tool: str) -> list[str]:
    return [row["args"] for row in demo.state()["stored"]["audit"] if row["tool"] == tool]


def gone(pid: int, within: float) -> bool:
    deadline = time.monotonic() + within
    while time.monotonic() < deadline:
        with suppress(ProcessLookupError):
            os.kill(pid, 0)
            time.sleep(0.05)
            continue
        return True
    return False
