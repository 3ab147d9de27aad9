"""`comal demo` as people start it: the real product behind it, its attempts, and its end."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

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


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Demo]:
    running = subprocess.Popen(command(tmp_path / "demo"), stdout=subprocess.PIPE, text=True)
    assert running.stdout is not None
    try:
        line = running.stdout.readline()
        link = next(word for word in line.split() if word.startswith("http"))
        url, _, token = link.partition("/#token=")
        headers = {"Authorization": f"Bearer {token}"}
        with httpx.Client(base_url=url, headers=headers, timeout=60, trust_env=False) as client:
            yield Demo(process=running, url=url, client=client, folder=tmp_path / "demo")
    finally:
        running.kill()
        running.wait()
        running.stdout.close()


def bot_pid(demo: Demo) -> int:
    demo.until(lambda: demo.state()["bot"]["pid"] is not None)
    return int(demo.state()["bot"]["pid"])


def gone(pid: int, within: float) -> bool:
    deadline = time.monotonic() + within
    while time.monotonic() < deadline:
        with suppress(ProcessLookupError):
            os.kill(pid, 0)
            time.sleep(0.05)
            continue
        return True
    return False


def test_a_refund_that_ana_approves_is_paid_once_whatever_is_tried(demo):
    demo.send("refund order 1007")
    demo.until(lambda: len(demo.texts("Approvers")) == 1)

    assert "not yours" in demo.cheat("bystander")
    assert "The card is still open." in demo.cheat("own-request")
    assert "Refunds paid: 0" in demo.cheat("forged")
    assert demo.state()["stored"]["refunds"] == 0

    assert "Refunds paid: 1" in demo.cheat("twice")
    assert "Refunds paid by the replay: 0" in demo.cheat("replay")
    demo.until(lambda: "64.50 is paid back" in demo.texts("Rosa")[-1])
    assert "executed" in demo.texts("Approvers")[0]
    assert demo.chat("Approvers")["messages"][0]["buttons"] == []
    assert demo.state()["stored"]["refunds"] == 1
    decisions = {(row["principal"], row["tool"]) for row in demo.state()["stored"]["audit"]}
    assert ("telegram:1001", "refund_order") in decisions
    assert ("telegram:1003", "resolve_verification") in decisions


def test_neither_kill_nor_a_second_delivery_makes_anything_happen_twice(demo):
    before = bot_pid(demo)

    assert "answered once" in demo.cheat("redelivery")
    assert "Refunds paid: 1" in demo.cheat("both")
    assert "took over. Refunds paid: 1" in demo.cheat("kill")

    assert bot_pid(demo) != before
    assert demo.state()["stored"]["refunds"] == 2


def test_a_look_waits_until_something_is_new(demo):
    bot_pid(demo)
    version = demo.state()["version"]
    demo.send("/help")

    newer = demo.client.get("/api/state", params={"after": version}).json()

    assert newer["version"] > version
    assert any(m["text"] == "/help" for chat in newer["chats"] for m in chat["messages"])


@pytest.mark.parametrize("which", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_everything_within_five_seconds(demo, which):
    pid = bot_pid(demo)
    began = time.monotonic()
    demo.process.send_signal(which)

    assert demo.process.wait(5) == 0
    assert time.monotonic() - began < 5
    assert gone(pid, 0.5)
    with pytest.raises(httpx.ConnectError):
        httpx.get(demo.url, trust_env=False)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process of its parent")
def test_a_killed_demo_leaves_no_bot_behind(demo):
    pid = bot_pid(demo)

    demo.process.kill()

    assert gone(pid, 5)


def test_the_folder_of_a_run_that_was_killed_can_be_used_again(demo):
    bot_pid(demo)
    demo.process.kill()
    demo.process.wait()

    with subprocess.Popen(command(demo.folder), stdout=subprocess.PIPE, text=True) as again:
        assert again.stdout is not None
        line = again.stdout.readline()
        again.terminate()

    assert "http://127.0.0.1:" in line
    assert again.returncode == 0


def test_a_port_in_use_is_said_with_the_option_that_names_another(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ended = subprocess.run(
            command(tmp_path / "demo", port), capture_output=True, text=True, check=False
        )

    assert ended.returncode == 1
    assert f"port {port}" in ended.stderr
    assert "--port" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_folder_with_somebodys_settings_is_refused_before_anything_runs(tmp_path):
    own = tmp_path / "comal.toml"
    own.write_text('[channels.main]\ntoken = "1:mine"\n')

    ended = subprocess.run(command(tmp_path), capture_output=True, text=True, check=False)

    assert ended.returncode == 1
    assert "--data" in ended.stderr
    assert own.read_text() == '[channels.main]\ntoken = "1:mine"\n'
    assert list(tmp_path.iterdir()) == [own]
