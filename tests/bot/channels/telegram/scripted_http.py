"""An `HttpClient` that answers Bot API methods from a script and keeps what it was asked."""

import json
from collections import deque
from collections.abc import Mapping
from typing import Any

from comal_bot.channels.telegram import BotApi, TelegramChannel
from comal_runtime.http.client import HttpError, HttpResponse

TOKEN = "7000000009:AAsecret-part"
ME = {"id": 7000000009, "is_bot": True, "first_name": "Acme", "username": "acme_bot"}
LOST = HttpError("the connection broke", sent=True)
UNSENT = HttpError("no connection could be made", sent=False)


def answer(body: object, *, status: int = 200, headers: Mapping[str, str] | None = None):
    """Make an answer with `body` as JSON, or as it is if it is bytes."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return HttpResponse(status=status, headers=headers or {}, body=raw)


def refusal(code: int, description: str, **parameters: Any) -> HttpResponse:
    """Make a refusal in the Bot API's shape."""
    body = {"ok": False, "error_code": code, "description": description, "parameters": parameters}
    return answer(body, status=code)


class ScriptedHttp:
    """Answers each method from its own queue, then with a plain success."""

    def __init__(self, **script: list[object]) -> None:
        self.script = {method: deque(answers) for method, answers in script.items()}
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.urls: list[str] = []
        self.timeouts: list[float] = []

    async def request(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
        timeout: float,
    ) -> HttpResponse:
        assert (method, dict(headers or {})) == ("POST", {"content-type": "application/json"})
        name = url.rpartition("/")[2]
        self.urls.append(url)
        self.timeouts.append(timeout)
        self.calls.append((name, json.loads(body or b"{}")))
        queue = self.script.get(name)
        item = queue.popleft() if queue else self.plain(name)
        if isinstance(item, BaseException):
            raise item
        return item if isinstance(item, HttpResponse) else answer({"ok": True, "result": item})

    async def aclose(self) -> None:
        return None

    def plain(self, method: str) -> object:
        return {"getMe": ME, "sendMessage": {"message_id": 55}, "getUpdates": []}.get(method, True)

    def asked(self, method: str) -> list[dict[str, Any]]:
        """Return the parameters of every call of `method`."""
        return [params for name, params in self.calls if name == method]


def channel(http: ScriptedHttp, **options: Any) -> TelegramChannel:
    return TelegramChannel("main", BotApi(TOKEN, http), **options)
