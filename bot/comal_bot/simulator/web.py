"""The demo's HTTP face: the page, what it shows and does, and the emulated Bot API beside it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from .board import Board
from .bot_api import bot_api_app
from .cast import Player
from .cheating import CheatFailed
from .cheats import CHEATS, Cheats
from .faults import Faults
from .guard import Guard
from .people import Person
from .values import Chat

PAGE: Final = Path(__file__).with_name("page")
_LONGEST = 25.0  # seconds a look at the state may wait for news
_BODY = 65_536  # bytes of a request, at most

Fields = Mapping[str, object]


class Misasked(Exception):
    """A request of the page that cannot be carried out; the text says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoApi:
    """What the page asks for and does."""

    board: Board
    cheats: Cheats

    def routes(self) -> list[BaseRoute]:
        """Return the routes that need the token."""
        return [
            Route("/api/state", self.state),
            Route("/api/cheats", self.list_cheats),
            Route("/api/send", self.send, methods=["POST"]),
            Route("/api/press", self.press, methods=["POST"]),
            Route("/api/cheat", self.cheat, methods=["POST"]),
            Route("/api/restart", self.restart, methods=["POST"]),
            Route("/api/start-over", self.start_over, methods=["POST"]),
        ]

    async def state(self, request: Request) -> Response:
        """Return everything, once it is newer than `after`; at once without `after`."""
        after = request.query_params.get("after", "-1")
        number = int(after) if after.isascii() and after.isdigit() else -1
        return JSONResponse(await self.board.state(number, _LONGEST))

    async def list_cheats(self, request: Request) -> Response:
        """Return the attempts the page offers."""
        return JSONResponse(
            [{"name": n, "title": c.title, "tries": c.tries} for n, c in CHEATS.items()]
        )

    async def send(self, request: Request) -> Response:
        """Write a text as one of the people."""
        fields = await _fields(request)
        person, chat = self._person(fields), self._chat(fields)
        reply_to = fields.get("reply_to")
        sent = person.send(
            chat, _text(fields, "text"), reply_to=reply_to if isinstance(reply_to, int) else None
        )
        return JSONResponse({"message": sent})

    async def press(self, request: Request) -> Response:
        """Press a button as one of the people."""
        fields = await _fields(request)
        player, chat, data = self._player(fields), self._chat(fields), _text(fields, "data")
        number = fields.get("message")
        seen = {view.id: view for view in player.person.transcript(chat) if not view.deleted}
        view = seen.get(number) if isinstance(number, int) else None
        if view is None or all(button.data != data for button in view.buttons):
            raise Misasked("that button is gone; the card has changed meanwhile")
        return JSONResponse({"tap": self.board.tap(player, view, data).id})

    async def cheat(self, request: Request) -> Response:
        """Make one attempt and say what came back."""
        name = _text(await _fields(request), "name")
        return JSONResponse({"came_back": await self.cheats.attempt(name)})

    async def restart(self, request: Request) -> Response:
        """Start the bot again, at once."""
        self.board.child.restart()
        return JSONResponse({})

    async def start_over(self, request: Request) -> Response:
        """Put the shop's data back to how they were at the start."""
        await self.board.start_over()
        return JSONResponse({})

    def _player(self, fields: Fields) -> Player:
        number = fields.get("person")
        player = self.board.cast.player(number) if isinstance(number, int) else None
        if player is None:
            raise Misasked(f"there is no person {number!r} here")
        return player

    def _person(self, fields: Fields) -> Person:
        return self._player(fields).person

    def _chat(self, fields: Fields) -> Chat:
        key = _text(fields, "chat")
        for chat in self.board.cast.chats:
            if chat.key == key:
                return chat
        raise Misasked(f"there is no chat {key!r} here")


def demo_app(board: Board, faults: Faults, token: str) -> ASGIApp:
    """Return the whole face, guarded."""
    routes = demo_routes(board, faults)
    return Guard(Starlette(routes=routes, exception_handlers=_HANDLERS), routes, token)


def demo_routes(board: Board, faults: Faults) -> list[BaseRoute]:
    """Return every route: the open ones, the page's own and the Bot API's."""
    return [
        Route("/", _page),
        Route("/healthz", _health),
        Route("/favicon.ico", _icon),
        Mount("/static", StaticFiles(directory=PAGE)),
        *DemoApi(board=board, cheats=Cheats(board, faults)).routes(),
        *bot_api_app(board.cast.world, faults).routes,
    ]


async def _page(request: Request) -> Response:
    return FileResponse(PAGE / "index.html")


async def _icon(request: Request) -> Response:
    return FileResponse(PAGE / "icon.svg")


async def _health(request: Request) -> Response:
    return PlainTextResponse("ok")


async def _fields(request: Request) -> Fields:
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > _BODY:  # before the rest of it is read
            raise Misasked(f"a request holds at most {_BODY} bytes")
    try:
        fields: object = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Misasked("the request is not JSON") from error
    if not isinstance(fields, dict):
        raise Misasked("the request is not a JSON object")
    return fields


def _text(fields: Fields, name: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str) or not value:
        raise Misasked(f"{name!r} is missing")
    if any("\ud800" <= letter <= "\udfff" for letter in value):
        raise Misasked(f"{name!r} holds half a character (a lone surrogate)")
    return value


async def _sentence(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, status_code=400)


_HANDLERS: Final = {Misasked: _sentence, CheatFailed: _sentence, ValueError: _sentence}
