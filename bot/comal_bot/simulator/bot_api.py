"""The Bot API's HTTP face: any client that lets its base URL be set can talk to it."""

import asyncio
from collections.abc import Coroutine
from typing import TypeVar

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from .faults import DropAnswer, Faults, Hang, Refuse
from .methods import METHODS, Asked, get_updates, run
from .parameters import read_parameters
from .refusal import Refusal
from .serving import break_connection
from .world import TelegramWorld

POLL = "getupdates"
T = TypeVar("T")


def bot_api_app(world: TelegramWorld, faults: Faults) -> Starlette:
    """Serve `/bot<token>/<method>` for every bot of the world, by GET and POST."""
    return Starlette(routes=[Route("/bot{token}/{method}", _Endpoint(world, faults))])


class _Endpoint:
    """Answers one method call, or breaks the connection where a fault says so."""

    def __init__(self, world: TelegramWorld, faults: Faults) -> None:
        self._world = world
        self._faults = faults

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = await self._answer(Request(scope, receive))
        if answer is None:
            await break_connection(scope, receive)
        else:
            await answer(scope, receive, send)

    async def _answer(self, request: Request) -> Response | None:
        try:
            return await self._carry(request)
        except Refusal as refusal:
            headers = {}
            if refusal.retry_after is not None:
                headers["Retry-After"] = str(refusal.retry_after)
            return JSONResponse(refusal.wire(), status_code=refusal.code, headers=headers)

    async def _carry(self, request: Request) -> Response | None:
        parameters = await read_parameters(request)
        bot = self._world.bot_by_token(request.path_params["token"])
        if bot is None:
            raise Refusal(401, "Unauthorized")
        method = str(request.path_params["method"]).lower()
        if method != POLL and method not in METHODS:
            raise Refusal(404, "Not Found")
        trouble = self._faults.take(method)
        match trouble:
            case Refuse():
                raise trouble.refusal
            case Hang():
                await _while_there(request, asyncio.sleep(trouble.seconds), None)
                return None
            case DropAnswer() | None:
                pass
        asked = Asked(world=self._world, bot=bot, parameters=parameters)
        result: object
        if method == POLL:
            result = await _while_there(request, get_updates(asked), [])
        else:
            result = run(method, asked)
        if trouble is not None:
            return None
        return JSONResponse({"ok": True, "result": result})


async def _while_there(request: Request, work: Coroutine[object, object, T], gone: T) -> T:
    """Wait for `work` as long as the client does; `gone` if the client left first."""
    working = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_left(request))
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else gone
    finally:
        working.cancel()
        leaving.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
