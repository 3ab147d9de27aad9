"""The server on loopback: starts on a free port and ends without leftovers."""

import asyncio
import contextlib
import time

import httpx
import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from comal_bot.simulator.bot_api import bot_api_app
from comal_bot.simulator.serving import serve


async def test_a_waiting_poll_does_not_hold_up_the_end(world, faults, bot):
    async with httpx.AsyncClient() as client:
        async with serve(bot_api_app(world, faults)) as url:
            poll = asyncio.create_task(
                client.get(f"{url}/bot{bot.token}/getUpdates", params={"timeout": 50})
            )
            await asyncio.sleep(0.05)
            began = time.monotonic()

        answer = await poll
        assert answer.json() == {"ok": True, "result": []}
        assert time.monotonic() - began < 1.5
        with pytest.raises(httpx.ConnectError):
            await client.get(url)


async def test_two_servers_stand_side_by_side_and_leave_no_task_behind():
    before = asyncio.all_tasks()
    app = Starlette(routes=[Route("/", lambda request: PlainTextResponse("hi"))])

    async with serve(app) as one, serve(app) as two, httpx.AsyncClient() as client:
        answers = [(await client.get(url)).text for url in (one, two)]

    await asyncio.sleep(0)
    assert one != two
    assert answers == ["hi", "hi"]
    assert asyncio.all_tasks() == before


async def test_an_app_that_fails_at_start_up_is_told():
    @contextlib.asynccontextmanager
    async def lifespan(app):
        raise ValueError("no")
        yield

    with pytest.raises(RuntimeError, match="failed at start-up"):
        async with serve(Starlette(lifespan=lifespan)):
            pass
