"""The Bot API as it is: a method and a dict in, the result out."""

import json
from collections.abc import Mapping
from typing import Any

from comal_runtime.http.client import HttpClient, HttpError, HttpResponse

_FORBIDDEN_IN_TOKEN = frozenset("/?#%\\")


class BotApiError(Exception):
    """The Bot API refused: `code` and `description` are the server's own.

    `retry_after` is in seconds; `migrate_to` is the chat's new id. Each is None if not told.
    """

    def __init__(
        self,
        code: int,
        description: str,
        retry_after: float | None = None,
        migrate_to: str | None = None,
    ) -> None:
        super().__init__(f"{code}: {description}")
        self.code = code
        self.description = description
        self.retry_after = retry_after
        self.migrate_to = migrate_to


class BotApi:
    """One bot's door to a Bot API server; the token shows in no text this class makes."""

    def __init__(
        self, token: str, http: HttpClient, base: str = "https://api.telegram.org"
    ) -> None:
        if not token or not token.isprintable() or not _FORBIDDEN_IN_TOKEN.isdisjoint(token):
            raise ValueError("the bot token is empty or holds /, ?, #, %; @BotFather gives one")
        if " " in token:
            raise ValueError("the bot token holds a space; copy it again from @BotFather")
        self._token = token
        self._http = http
        self._base = base.rstrip("/")

    def __repr__(self) -> str:
        return f"<BotApi {self._base}>"

    async def call(self, method: str, params: Mapping[str, Any], *, timeout: float = 30.0) -> Any:
        """Call one method and return its `result`.

        Args:
            method: In the Bot API's spelling, such as `sendMessage`.
            params: JSON-shaped.
            timeout: Seconds for the whole exchange.

        Raises:
            BotApiError: The server refused.
            HttpError: No usable answer; `sent` tells whether it may have been acted upon.
        """
        body = json.dumps(dict(params)).encode()
        try:
            response = await self._http.request(
                "POST",
                f"{self._base}/bot{self._token}/{method}",
                headers={"content-type": "application/json"},
                body=body,
                timeout=timeout,
            )
        except HttpError as error:
            # The cause is cut off: a client library's own error may hold the URL.
            raise HttpError(self._scrub(f"{method}: {error}"), sent=error.sent) from None
        return self._result(method, response)

    def _result(self, method: str, response: HttpResponse) -> Any:
        match _decode(response.body):
            case {"ok": True, "result": result}:
                return result
            case {"ok": False} as refusal:
                raise self._refusal(refusal, response)
            case _ if 200 <= response.status < 300:
                raise HttpError(f"{method}: the answer is not a Bot API answer", sent=True)
            case _:
                raise self._refusal({}, response)

    def _refusal(self, fields: Mapping[str, Any], response: HttpResponse) -> BotApiError:
        code = _whole(fields.get("error_code"))
        description = fields.get("description")
        parameters = fields.get("parameters")
        known = parameters if isinstance(parameters, Mapping) else {}
        moved = _whole(known.get("migrate_to_chat_id"))
        return BotApiError(
            response.status if code is None else code,
            self._scrub(description if isinstance(description, str) else "no description"),
            _retry_after(known.get("retry_after"), response.headers),
            None if moved is None else str(moved),
        )

    def _scrub(self, text: str) -> str:
        return text.replace(self._token, "<token>")


def _decode(body: bytes) -> Any:
    """Read JSON; bytes that are not UTF-8 become U+FFFD, so that one bad name blocks nothing."""
    try:
        return json.loads(body.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _retry_after(value: object, headers: Mapping[str, str]) -> float | None:
    """Return seconds, from the answer or from the header that a proxy in between may set."""
    seconds = _whole(value)
    if seconds is not None and seconds >= 0:
        return float(seconds)
    header = headers.get("retry-after", "")
    return float(header) if header.isascii() and header.isdigit() else None
