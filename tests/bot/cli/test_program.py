"""The console script: exit codes, quiet ends, and a bot that is really served."""

import asyncio
import signal
import socket
import subprocess
import sys
from asyncio.subprocess import Process
from importlib.metadata import version
from pathlib import Path

import pytest

from comal_bot.simulator.bot_api import bot_api_app
from comal_bot.simulator.faults import Faults
from comal_bot.simulator.serving import serve
from comal_bot.simulator.world import TelegramWorld
from comal_runtime.clock import SystemClock

from .conftest import Console

TOKEN = "7000000009:AAemulated"
SETTINGS = """
[model]
provider = "scripted"
[channels.main]
token = "{token}"
api_base = "{base}"
poll_timeout = 1
"""


def test_the_version_is_that_of_the_distribution(console: Console):
    shown = console("--version")

    assert (shown.returncode, shown.stdout) == (0, f"comal {version('comal')}\n")


def test_the_module_is_the_command(folder: Path):
    shown = subprocess.run(
        [sys.executable, "-m", "comal_bot", "--help"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )

    assert "Usage: comal [OPTIONS] COMMAND" in shown.stdout


def test_an_unknown_option_is_a_misuse(console: Console):
    assert console("run", "--bogus").returncode == 2


def test_settings_that_cannot_be_used_are_told_without_a_traceback(console: Console):
    told = console("run", env={"COMAL_HOST__LOG": "xml"})

    assert told.returncode == 2
    assert told.stdout == ""
    assert told.stderr.splitlines() == [
        "comal: COMAL_HOST__LOG is 'xml'; it must be 'text' or 'json'",
        "comal: COMAL_CHANNELS__MAIN__TOKEN is not set; @BotFather gives one",
        "comal: COMAL_MODEL__NAME is not set; it is the model's name at its host, such as 'qwen3'",
    ]


def test_tools_that_do_not_import_are_told_without_a_traceback(console: Console, folder: Path):
    (folder / "bad.py").write_text("\nimport nothing_of_this_name\n")
    env = {"COMAL_CHANNELS__MAIN__TOKEN": TOKEN, "COMAL_MODEL__PROVIDER": "scripted"}

    told = console("run", "--tools", "bad.py", env=env)

    assert told.returncode == 2
    assert told.stderr == (
        f"comal: {folder / 'bad.py'}, line 2: "
        "ModuleNotFoundError: No module named 'nothing_of_this_name'\n"
    )


def test_a_demo_on_a_taken_port_is_told_of_the_port_and_the_option(console: Console, folder: Path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        told = console("demo", "--no-browser", "--data", str(folder / "d"), "--port", port)

    assert told.returncode == 1
    assert port in told.stderr
    assert "--port" in told.stderr
    assert "Traceback" not in told.stderr


@pytest.fixture
def world() -> TelegramWorld:
    world = TelegramWorld(SystemClock())
    world.add_bot(TOKEN, "acme_bot")
    return world


async def started(folder: Path, base: str, *options: str, token: str = TOKEN) -> Process:
    (folder / "comal.toml").write_text(SETTINGS.format(base=base, token=token))
    script = Path(sys.executable).with_name("comal")
    return await asyncio.create_subprocess_exec(
        script, "run", *options, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


@pytest.mark.parametrize(("ending", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
async def test_a_served_bot_ends_quietly_when_told(
    ending: signal.Signals, code: int, world: TelegramWorld, folder: Path
):
    async with serve(bot_api_app(world, Faults(world))) as base:
        host = await started(folder, base, "--data", "kept/here")
        assert host.stderr is not None
        while b"host.serving" not in await host.stderr.readuntil(b"\n"):
            pass

        host.send_signal(ending)
        out, err = await host.communicate()

    assert (host.returncode, out) == (code, b"")
    assert b"Traceback" not in err
    assert TOKEN.encode() not in err
    assert (folder / "kept" / "here" / "comal.db").is_file()


async def test_a_token_that_telegram_refuses_is_told(world: TelegramWorld, folder: Path):
    async with serve(bot_api_app(world, Faults(world))) as base:
        host = await started(folder, base, token="7000000010:AAunknown")
        out, err = await host.communicate()

    assert (host.returncode, out) == (1, b"")
    assert b"Traceback" not in err
    assert err.startswith(b"comal: ")


async def test_once_idle_ends_by_itself(world: TelegramWorld, folder: Path):
    async with serve(bot_api_app(world, Faults(world))) as base:
        host = await started(folder, base, "--once-idle")
        out, err = await host.communicate()

    assert (host.returncode, out) == (0, b"")
    assert b"Traceback" not in err


async def test_a_record_with_no_place_is_told(world: TelegramWorld, folder: Path):
    (folder / "taken").write_text("a file")

    async with serve(bot_api_app(world, Faults(world))) as base:
        host = await started(folder, base, "--data", "taken")
        _, err = await host.communicate()

    assert host.returncode == 1
    assert err.startswith(b"comal: the folder ")
    assert b"name another with --data" in err
