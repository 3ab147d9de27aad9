"""Who may speak to the demo: this machine's browser at the page's own address, with the token."""

import hmac
from collections.abc import Iterable, Sequence
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.routing import BaseRoute, Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

OPEN: Final = frozenset({"/", "/healthz", "/favicon.ico"})
OPEN_BELOW: Final = ("/static/", "/bot")  # the Bot API asks for its own token
_NAMES: Final = ("127.0.0.1", "localhost")
_HEADERS: Final = {
    "content-security-policy": (
        "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
        "object-src 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


class Guard:
    """Passes on what may pass; every route that is not open needs `Authorization: Bearer`."""

    def __init__(self, app: ASGIApp, routes: Sequence[BaseRoute], token: str) -> None:
        self._app = app
        self._routes = routes
        self._token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        refusal = self._refusal(scope)
        answer = self._app if refusal is None else refusal

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        await answer(scope, receive, send_guarded)

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        headers = Headers(scope=scope)
        port: int = scope["server"][1]
        hosts = {f"{name}:{port}" for name in _NAMES} | (set(_NAMES) if port == 80 else set())
        if not _all_in(headers.getlist("host"), hosts, needed=True):
            return _no(403, f"this demo answers at http://127.0.0.1:{port} only, not at that host")
        if not _all_in(headers.getlist("origin"), {f"http://{host}" for host in hosts}):
            return _no(403, "this demo answers its own page only, not pages of another origin")
        path: str = scope["path"]
        if path in OPEN or path.startswith(OPEN_BELOW):
            return None
        if all(route.matches(scope)[0] is Match.NONE for route in self._routes):
            return _no(404, "nothing is served at this address")
        if not self._knows(headers.getlist("authorization")):
            return _no(401, "the token is missing or wrong; use the link the terminal printed last")
        return None

    def _knows(self, given: list[str]) -> bool:
        scheme, _, token = (given[0] if len(given) == 1 else "").partition(" ")
        same = hmac.compare_digest(token.strip().encode("utf-8", "surrogateescape"), self._token)
        return same and scheme.lower() == "bearer"


def _all_in(given: list[str], allowed: Iterable[str], *, needed: bool = False) -> bool:
    if needed and len(given) != 1:
        return False
    return all(one.lower() in allowed for one in given)


def _no(status: int, sentence: str) -> PlainTextResponse:
    return PlainTextResponse(sentence + "\n", status_code=status)
