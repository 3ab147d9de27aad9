"""The protocol that models, the Bot API and callbacks speak through."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpResponse:
    """A whole answer: `headers` with lower-case names, `body` as the bytes that came."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)


class HttpError(Exception):
    """No usable answer came.

    `sent` is False only when nothing of the request can have reached the server (refused, no
    route, name unknown), so that repeating it is safe; otherwise it may have been acted upon.
    """

    def __init__(self, reason: str, *, sent: bool) -> None:
        super().__init__(reason)
        self.sent = sent


class HttpClient(Protocol):
    """One request, one whole answer."""

    async def request(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
        timeout: float,
    ) -> HttpResponse:
        """Send one request and return the whole answer, whatever its status.

        Args:
            method: `GET`, `POST`, ...
            url: Absolute; never followed to another place (no redirects).
            timeout: Seconds for the whole exchange.

        Raises:
            HttpError: No answer; its text never holds the URL, which may carry a token.
        """
        ...

    async def aclose(self) -> None:
        """Close every connection."""
        ...
