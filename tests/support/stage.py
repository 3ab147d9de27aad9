"""A whole stage: the emulated Bot API, its people and chats, and the host on real sockets."""

import asyncio
import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from comal_bot import Comal, Settings
from comal_bot.simulator.bot_api import bot_api_app
from comal_bot.simulator.faults import Faults
from comal_bot.simulator.people import Person
from comal_bot.simulator.serving import serve
from comal_bot.simulator.values import Bot, Chat, MessageView
from comal_bot.simulator.world import TelegramWorld
from comal_runtime.clock import SystemClock
from comal_runtime.llm import AssistantMessage, LlmServiceInterface, ToolCallRequest
from comal_runtime.testing import Rule, ScriptedModel

TOKEN = "7001:scenario-token-0123456789abcdefghij"
Predicate = Callable[[MessageView], bool]


def says(text: str) -> Predicate:
    """Match a message of the bot that holds this text."""
    return lambda view: view.sender.is_bot and text in view.text and not view.deleted


def has_buttons(view: MessageView) -> bool:
    """Match a message with buttons."""
    return bool(view.buttons)


@dataclass
class Stage:
    """People, chats and the server; `rosa` asks, `ana` and `andres` approve, `bruno` stands by."""

    world: TelegramWorld
    faults: Faults
    url: str
    folder: Path
    bot: Bot
    rosa: Person
    bruno: Person
    ana: Person
    andres: Person
    group: Chat
    approvers: Chat
    children: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def private(self) -> Chat:
        """Rosa's private chat with the bot."""
        return self.rosa.chat_with(self.bot)

    @property
    def database(self) -> Path:
        """The record's file."""
        return self.folder / "comal.db"

    def settings(self, **changes: Any) -> dict[str, Any]:
        """Return the settings of the host as a table."""
        return {
            "data": {"url": f"sqlite:///{self.database}"},
            "model": {"provider": "scripted"},
            "channels": {"main": {"token": TOKEN, "api_base": self.url, "poll_timeout": 5}},
            "host": {"lease": 2, "grace": 0.5},
            "people": [
                {"name": "Rosa", "identities": [f"telegram:{self.rosa.id}"]},
                {"name": "Ana", "identities": [f"telegram:{self.ana.id}"], "roles": ["finance"]},
                {"name": "Andrés", "identities": [f"telegram:{self.andres.id}"]},
            ],
            "routes": [
                {
                    "tool": "refund",
                    "approvers": ["role:finance", f"telegram:{self.andres.id}"],
                    "cards": [f"main:{self.approvers.id}"],
                }
            ],
            **changes,
        }

    @asynccontextmanager
    async def hosting(
        self, tools: Sequence[object], model: LlmServiceInterface, **changes: Any
    ) -> AsyncIterator[Comal]:
        """Serve in this process until the block ends."""
        settings = Settings.model_validate(self.settings(**changes))
        async with Comal(settings, tools, model=model) as app:
            running = asyncio.create_task(app.run())
            try:
                yield app
            finally:
                running.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await running

    def rows(self, query: str, *params: object) -> list[tuple[Any, ...]]:
        """Read the record, as an outsider with the file could."""
        with contextlib.closing(sqlite3.connect(self.database)) as connection:
            return connection.execute(query, params).fetchall()

    def spawn(self, tools: Path, **changes: Any) -> subprocess.Popen[bytes]:
        """Start `comal run` as a process of its own."""
        config = self.folder / "comal.toml"
        config.write_text(toml_of(self.settings(**changes)))
        command = [sys.executable, "-m", "comal_bot", "run", "--config", str(config)]
        log = (self.folder / "bot.log").open("ab")
        child = subprocess.Popen(
            [*command, "--tools", str(tools)],
            stdout=log,
            stderr=log,
            stdin=subprocess.DEVNULL,
            cwd=self.folder,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        )
        log.close()
        self.children.append(child)
        return child


@asynccontextmanager
async def stage(folder: Path) -> AsyncIterator[Stage]:
    """Set the stage; every child process is dead when the block ends."""
    world = TelegramWorld(SystemClock())
    faults = Faults(world)
    bot = world.add_bot(TOKEN, "comal_bot")
    names = {"Rosa": 1001, "Bruno": 1002, "Ana": 1003, "Andrés": 1004}
    rosa, bruno, ana, andres = (Person(world, number, name) for name, number in names.items())
    group = world.create_group("Shop floor", [rosa.id, bruno.id, ana.id, bot.user.id])
    members = [rosa.id, bruno.id, ana.id, andres.id, bot.user.id]
    approvers = world.create_group("Approvers", members, supergroup=True)
    async with serve(bot_api_app(world, faults)) as url:
        made = Stage(world, faults, url, folder, bot, rosa, bruno, ana, andres, group, approvers)
        try:
            yield made
        finally:
            for child in made.children:
                kill(child)


def kill(child: subprocess.Popen[bytes]) -> None:
    """`kill -9` a child process and reap it."""
    if child.poll() is None:
        child.send_signal(signal.SIGKILL)
    child.wait(timeout=10)


async def eventually(check: Callable[[], Any], timeout: float = 15.0) -> Any:
    """Return the first truthy value of `check`, or fail after `timeout` seconds."""
    give_up = time.monotonic() + timeout
    while True:
        with contextlib.suppress(sqlite3.OperationalError):
            value = check()
            if value:
                return value
        assert time.monotonic() < give_up, f"{check} never became true"
        await asyncio.sleep(0.02)


def asks(*calls: tuple[str, Mapping[str, Any]]) -> AssistantMessage:
    """Return a model's message that calls tools."""
    requests = tuple(
        ToolCallRequest(id=f"call_{number}", name=name, arguments=json.dumps(arguments))
        for number, (name, arguments) in enumerate(calls)
    )
    return AssistantMessage(content=None, tool_calls=requests)


def scripted(*rules: tuple[str, Callable[..., Any]]) -> ScriptedModel:
    """Return a model that follows (pattern, reply) pairs."""
    return ScriptedModel([Rule(pattern=pattern, reply=reply) for pattern, reply in rules])


def toml_of(table: Mapping[str, Any]) -> str:
    """Write a table as TOML, as JSON values under dotted keys allow it."""
    return "\n".join(_lines((), table)) + "\n"


def _lines(path: tuple[str, ...], table: Mapping[str, Any]) -> Iterator[str]:
    simple = {key: value for key, value in table.items() if not _is_table(value)}
    if path:
        yield f"[{'.'.join(path)}]"
    for key, value in simple.items():
        yield f"{key} = {json.dumps(value)}"
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _lines((*path, key), value)
        elif _is_table(value):
            for one in value:
                yield f"[[{'.'.join((*path, key))}]]"
                yield from (f"{name} = {json.dumps(inner)}" for name, inner in one.items())


def _is_table(value: Any) -> bool:
    return isinstance(value, Mapping) or (
        isinstance(value, list) and bool(value) and isinstance(value[0], Mapping)
    )
