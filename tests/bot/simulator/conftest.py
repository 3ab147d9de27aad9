"""A small emulated Telegram, served over a real socket."""

import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from comal_bot.simulator.bot_api import bot_api_app
from comal_bot.simulator.faults import Faults
from comal_bot.simulator.people import Person
from comal_bot.simulator.serving import serve
from comal_bot.simulator.values import Bot, Chat
from comal_bot.simulator.world import TelegramWorld
from comal_runtime.testing import FakeClock

from .running import Demo, command

TOKEN = "7001:secret"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One Bot API answer."""

    status: int
    body: dict

    @property
    def result(self) -> object:
        assert self.body["ok"] is True, self.body
        return self.body["result"]

    @property
    def refused(self) -> tuple[int, str]:
        assert self.body["ok"] is False, self.body
        assert self.body["error_code"] == self.status
        return self.status, self.body["description"]


Api = Callable[..., Awaitable[Answer]]


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def world(clock: FakeClock) -> TelegramWorld:
    return TelegramWorld(clock)


@pytest.fixture
def faults(world: TelegramWorld) -> Faults:
    return Faults(world)


@pytest.fixture
def bot(world: TelegramWorld) -> Bot:
    return world.add_bot(TOKEN, "comal_bot")


@pytest.fixture
def ada(world: TelegramWorld) -> Person:
    return Person(world, 42, "Ada", "ada")


@pytest.fixture
def ben(world: TelegramWorld) -> Person:
    return Person(world, 43, "Ben")


@pytest.fixture
async def url(world: TelegramWorld, faults: Faults) -> AsyncIterator[str]:
    async with serve(bot_api_app(world, faults)) as url:
        yield url


@pytest.fixture
async def api(url: str, bot: Bot) -> AsyncIterator[Api]:
    async with httpx.AsyncClient(base_url=f"{url}/bot{bot.token}/") as client:

        async def ask(method: str, **parameters: object) -> Answer:
            response = await client.post(method, json=parameters)
            return Answer(status=response.status_code, body=response.json())

        yield ask


SendCard = Callable[[Chat], Awaitable[int]]


@pytest.fixture
def send_card(api: Api) -> SendCard:
    """Send a question with two buttons as the bot; give its message id."""

    async def send(chat: Chat) -> int:
        yes = {"text": "✅ Yes", "callback_data": "q1:abc:yes"}
        rows = [[yes, {"text": "No", "callback_data": "n"}]]
        markup = {"inline_keyboard": rows}
        sent = await api("sendMessage", chat_id=chat.id, text="Sure?", reply_markup=markup)
        assert isinstance(sent.result, dict)
        return int(sent.result["message_id"])

    return send


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Demo]:
    running = subprocess.Popen(
        command(tmp_path / "demo"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
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
        running.communicate()
