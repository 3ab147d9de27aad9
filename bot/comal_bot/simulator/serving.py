"""Serves an ASGI app on loopback inside the running event loop."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Iterator
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn import Config, Server
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

LOOPBACK = "127.0.0.1"
GRACE = 1  # second that requests get to end at shutdown
IDLE = 75  # seconds an unused connection is kept
_BREAK: Final = "comal.break_connection"

Connections = dict[tuple[str, int], asyncio.Transport]


async def break_connection(scope: Scope, receive: Receive) -> None:
    """Cut a request's connection without an answer; one cut already is no error.

    Raises:
        ConnectionAbortedError: The app is not under `serve`, so there is nothing to cut.
    """
    connections: Connections | None = scope.get(_BREAK)
    if connections is None:
        raise ConnectionAbortedError("the app is not under serve(); no connection to break")
    transport = connections.get(scope["client"])
    if transport is not None:
        transport.abort()
    while (await receive())["type"] != "http.disconnect":
        pass


@contextlib.asynccontextmanager
async def serve(app: ASGIApp, *, port: int = 0) -> AsyncIterator[str]:
    """Serve `app` on 127.0.0.1 and give its base URL; port 0 takes a free one.

    At the end every waiting request is told that its client left, then the server stops.
    """
    connections: Connections = {}
    gate = _Gate(app, connections)
    with socket.create_server((LOOPBACK, port)) as listener:
        config = Config(
            gate,
            http=_protocol(connections),
            ws="websockets-sansio",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            timeout_keep_alive=IDLE,
            timeout_graceful_shutdown=GRACE,
        )
        server = _Server(config)
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        try:
            await server.up(serving)
            yield f"http://{LOOPBACK}:{listener.getsockname()[1]}"
        finally:
            gate.closing.set()
            server.should_exit = True
            await serving


class _Server(Server):
    """A server that leaves the process's signals alone."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self._ready = asyncio.Event()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        try:
            await super().startup(sockets)
        except SystemExit as leaving:
            raise RuntimeError("the app failed at start-up; its error is logged") from leaving
        self._ready.set()

    async def up(self, serving: asyncio.Task[None]) -> None:
        """Return when requests can come; raise what kept the server from starting."""
        ready = asyncio.create_task(self._ready.wait())
        await asyncio.wait((ready, serving), return_when=asyncio.FIRST_COMPLETED)
        ready.cancel()
        if serving.done():
            await serving
            raise RuntimeError("the app failed at start-up; its error is logged")


def _protocol(connections: Connections) -> type[HttpToolsProtocol]:
    """Make a protocol that keeps its open connections where `break_connection` finds them."""

    class Connection(HttpToolsProtocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn narrows it
            super().connection_made(transport)
            if self.client is not None:
                connections[self.client] = transport

        def connection_lost(self, exc: Exception | None) -> None:
            if self.client is not None:
                connections.pop(self.client, None)
            super().connection_lost(exc)

    return Connection


class _Gate:
    """Passes requests on and, once closing, tells those who wait that their client left."""

    def __init__(self, app: ASGIApp, connections: Connections) -> None:
        self._app = app
        self._connections = connections
        self.closing = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        complete = False

        async def receive_until_closing() -> Message:
            nonlocal complete
            if complete:
                return await self._unless_closing(receive)
            message = await receive()
            complete = not message.get("more_body", False)
            return message

        await self._app({**scope, _BREAK: self._connections}, receive_until_closing, send)

    async def _unless_closing(self, receive: Receive) -> Message:
        message = asyncio.ensure_future(receive())
        closing = asyncio.ensure_future(self.closing.wait())
        try:
            await asyncio.wait((message, closing), return_when=asyncio.FIRST_COMPLETED)
            return message.result() if message.done() else {"type": "http.disconnect"}
        finally:
            message.cancel()
            closing.cancel()
