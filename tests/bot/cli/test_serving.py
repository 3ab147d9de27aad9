"""`comal run`: a bot that is really served, what it says at its start and how it ends."""

import asyncio
import signal
import subprocess
import sys
import time
from asyncio.subprocess import Process
from pathlib import Path

import pytest

from comal_bot.simulator.bot_api import bot_api_app
from comal_bot.simulator.faults import Faults
from comal_bot.simulator.people import Person
from comal_bot.simulator.serving import serve
from comal_bot.simulator.world import TelegramWorld
from comal_runtime.clock import SystemClock

TOKEN = "7000000009:AAemulated"
SETTINGS = """
[model]
{model}
[channels.main]
token = "{token}"
api_base = "{base}"
poll_timeout = 1
"""
SCRIPTED = 'provider = "scripted"'
OPENAI_CHAT = 'name = "qwen3"\napi_key = "sk-private"\nbase_url = "{url}"'


@pytest.fixture
def world() -> TelegramWorld:
    world = TelegramWorld(SystemClock())
    world.add_bot(TOKEN, "acme_bot")
    return world


async def started(
    folder: Path,
    base: str,
    *options: str,
    token: str = TOKEN,
    model: str = SCRIPTED,
    more: str = "",
) -> Process:
    text = SETTINGS.format(base=base, token=token, model=model)
    (folder / "comal.toml").write_text(f"{text}{more}\n")
    script = Path(sys.executable).with_name("comal")
    return await asyncio.create_subprocess_exec(
        script, "run", *options, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


async def line_with(host: Process, word: bytes) -> str:
    """Read the log until a line holds the word, and return it."""
    assert host.stderr is not None
    while word not in (line := await host.stderr.readuntil(b"\n")):
        pass
    return line.decode()


@pytest.mark.parametrize(("ending", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
async def test_a_served_bot_ends_quietly_when_told(
    ending: signal.Signals, code: int, world: TelegramWorld, folder: Path
):
    async with serve(bot_api_app(world, Faults(world))) as base:
        host = await started(folder, base, "--data", "kept/here")
        await line_with(host, b"host.serving")

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

    assert host.returncode == 2
    assert (
        err == b"comal: --data names 'taken', which is a file; name a folder to keep comal.db in\n"
    )


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("place", b"is a folder; [data] url names a file in it"),
        ("taken/comal.db", b"for the record cannot be made: "),
    ],
)
async def test_a_record_whose_url_names_no_place_is_told(place: str, said: bytes, folder: Path):
    (folder / "place").mkdir()
    (folder / "taken").write_text("a file")

    host = await started(folder, "http://127.0.0.1:9", more=f'[data]\nurl = "sqlite:///{place}"')
    _, err = await host.communicate()

    assert host.returncode == 1
    assert err.startswith(f"comal: the {'folder' if 'taken' in place else 'record'} ".encode())
    assert said in err


async def test_the_start_line_tells_what_is_served_and_no_secret(
    world: TelegramWorld, folder: Path, tools_file: Path
):
    async with serve(bot_api_app(world, Faults(world))) as base:
        model = OPENAI_CHAT.format(url="http://127.0.0.1:9/v1")
        host = await started(folder, base, "--tools", "my_tools.py", model=model)
        line = await line_with(host, b"host.serving")
        host.send_signal(signal.SIGTERM)
        await host.communicate()

    assert "bots=['main:7000000009']" in line
    assert "model=qwen3 model_address=http://127.0.0.1:9/v1" in line
    assert f"record={folder / 'comal.db'} tools=2" in line
    assert TOKEN.partition(":")[2] not in line
    assert "sk-private" not in line


@pytest.mark.parametrize(("cards", "warned"), [("[]", True), ('["main:-1001000000001"]', False)])
async def test_a_route_without_cards_is_warned_of(
    cards: str, warned: bool, world: TelegramWorld, folder: Path
):
    route = f'[[routes]]\ntool = "refund"\napprovers = ["telegram:43"]\ncards = {cards}\n'
    async with serve(bot_api_app(world, Faults(world))) as base:
        host = await started(folder, base, "--once-idle", more=route)
        _, err = await host.communicate()

    assert host.returncode == 0
    assert (b"route.without_cards" in err) is warned


@pytest.mark.parametrize(
    ("first", "more", "code"),
    [(signal.SIGINT, [signal.SIGINT], 130), (signal.SIGINT, [], 130), (signal.SIGTERM, [], 0)],
)
async def test_ending_waits_for_running_work_and_says_so_unless_told_twice(
    first: signal.Signals, more: list[signal.Signals], code: int, world: TelegramWorld, folder: Path
):
    asked = asyncio.Event()

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.set()
        await reader.read()  # a model that never answers
        writer.close()

    rosa, bot = Person(world, 1001, "Rosa"), world.add_bot(TOKEN, "acme_bot")
    async with (
        await asyncio.start_server(silent, "127.0.0.1", 0) as model,
        serve(bot_api_app(world, Faults(world))) as base,
    ):
        url = f"http://127.0.0.1:{model.sockets[0].getsockname()[1]}/v1"
        host = await started(folder, base, model=OPENAI_CHAT.format(url=url))
        await line_with(host, b"host.serving")
        rosa.send(rosa.chat_with(bot), "hello")
        await asked.wait()

        began = time.monotonic()
        host.send_signal(first)
        line = await line_with(host, b"host.finishing")
        for one in more:
            host.send_signal(one)
        _, err = await host.communicate()
        took = time.monotonic() - began

    assert "jobs=1" in line
    assert (host.returncode, b"Traceback" in err) == (code, False)
    assert (took < 1) is bool(more)


@pytest.mark.parametrize(("ending", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
async def test_ending_while_tools_are_imported_is_quiet(
    ending: signal.Signals, code: int, folder: Path
):
    (folder / "slow.py").write_text(
        "import sys, time\nprint('importing', file=sys.stderr, flush=True)\ntime.sleep(60)\n"
    )
    host = await started(folder, "http://127.0.0.1:9", "--tools", "slow.py")
    await line_with(host, b"importing")

    host.send_signal(ending)
    out, err = await host.communicate()

    assert (host.returncode, out, err) == (code, b"", b"")
