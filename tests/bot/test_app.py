"""The application: entered before use, patient with servers, strict with settings."""

import asyncio
import contextlib
import sqlite3
import time
from functools import partial
from pathlib import Path

import pytest

from comal_bot import Comal, Settings
from comal_bot.channels.channel import Denied
from comal_runtime.errors import ComalError
from comal_runtime.tools import tool
from tests.support.stage import Stage, eventually, says, scripted, stage


@tool
def weather(city: str) -> str:
    """Tell the weather."""
    return f"sun in {city}"


@tool(name="weather")
def other_weather(city: str) -> str:
    """Tell another weather."""
    return "rain"


def turns(at: Stage, number: int) -> bool:
    return at.rows("SELECT COUNT(*) FROM turns") == [(number,)]


def settings(at: Stage, **channel: object) -> Settings:
    table = at.settings()
    table["channels"]["main"].update(channel)
    return Settings.model_validate(table)


def test_it_must_be_entered_before_it_has_tools() -> None:
    app = Comal(Settings())

    with pytest.raises(RuntimeError, match="async with"):
        _ = app.registry


async def test_it_must_be_entered_before_it_runs() -> None:
    with pytest.raises(RuntimeError, match="async with"):
        await Comal(Settings()).run()


async def test_tools_are_registered_and_run_under_the_hosts_law(tmp_path: Path) -> None:
    async with stage(tmp_path) as at, Comal(settings(at), [weather], model=scripted()) as app:
        result = await app.registry.call("weather", {"city": "Oaxaca"})

    assert result.data == "sun in Oaxaca"


async def test_two_tools_of_one_name_are_refused_before_anybody_is_served(tmp_path: Path) -> None:
    async with stage(tmp_path) as at:
        with pytest.raises(ComalError, match="weather"):
            async with Comal(settings(at), [weather, other_weather], model=scripted()):
                raise AssertionError("it must not be entered")


async def test_a_refused_token_ends_the_start_and_names_the_setting_and_not_the_token(
    tmp_path: Path,
) -> None:
    wrong = "7001:wrong-token-0123456789abcdefghijklmn"
    async with stage(tmp_path) as at:
        with pytest.raises(Denied, match="COMAL_CHANNELS__MAIN__TOKEN") as refused:
            async with Comal(settings(at, token=wrong), [], model=scripted()):
                raise AssertionError("it must not be entered")

    assert wrong not in str(refused.value)


async def test_a_server_that_is_not_there_yet_is_waited_for(tmp_path: Path) -> None:
    async with stage(tmp_path) as at:
        at.faults.server_error(502, method="getMe", times=1)
        began = time.monotonic()
        async with Comal(settings(at), [], model=scripted()) as app:
            assert app.registry
        took = time.monotonic() - began

    assert took >= 0.5


async def test_cancelled_while_it_waits_for_a_server_it_leaves_nothing_open(
    tmp_path: Path,
) -> None:
    async with stage(tmp_path) as at:
        entering = asyncio.create_task(
            Comal(settings(at, api_base="http://127.0.0.1:9"), [], model=scripted()).__aenter__()
        )
        await asyncio.sleep(0.1)
        entering.cancel()
        with pytest.raises(asyncio.CancelledError):
            await entering
        with contextlib.closing(sqlite3.connect(at.database, timeout=0)) as other:
            other.execute("BEGIN EXCLUSIVE")


async def test_it_can_end_and_another_begins_where_it_stood(tmp_path: Path) -> None:
    model = scripted(("hello", lambda *_: "hello yourself"))
    async with stage(tmp_path) as at:
        for number in (1, 2):
            async with at.hosting([], model) as app:
                at.rosa.send(at.private, "hello")
                await eventually(partial(turns, at, number))
                await app.until_idle()

        answers = [v for v in at.rosa.transcript(at.private) if says("hello yourself")(v)]

    assert len(answers) == 2


async def test_without_a_model_of_its_own_it_uses_the_scripted_one(tmp_path: Path) -> None:
    async with stage(tmp_path) as at, Comal(settings(at), []) as app:
        running = asyncio.create_task(app.run())
        at.rosa.send(at.private, "hello")
        answered = await at.rosa.wait_for(at.private, lambda view: view.sender.is_bot)
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running

    assert answered.text
