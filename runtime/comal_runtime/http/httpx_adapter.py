"""`HttpClient` over httpx; the only module that imports it."""

import asyncio
import logging
import ssl
from collections.abc import Iterator, Mapping
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Self

import httpx

from .client import HttpError, HttpResponse

MAX_BYTES = 32 * 1024 * 1024
CONNECT_TIMEOUT = 10.0  # seconds; a host that does not answer a handshake is not slow, it is away
# of the timeout, once for TCP and once for TLS: httpx's own timer closes the socket, ours would not
_CONNECT_SHARE = 0.45
LIMITS = httpx.Limits(max_connections=100, max_keepalive_connections=20, keepalive_expiry=30.0)
_LOOPBACK = ("all://localhost", "all://127.0.0.1", "all://[::1]")
_UNSENT = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.ProxyError,
    httpx.UnsupportedProtocol,
    httpx.LocalProtocolError,
    httpx.InvalidURL,
)


class HttpxClient:
    """`HttpClient` with pooled connections, no redirects and no cookies.

    Proxies come from the environment, except for this machine. A given `client` stays its owner's:
    it is used as it is and `aclose` leaves it open.
    """

    def __init__(
        self, client: httpx.AsyncClient | None = None, *, max_bytes: int = MAX_BYTES
    ) -> None:
        logging.getLogger("httpx").addFilter(_only_hosts)
        self._owned = client is None
        self._client = _fresh_client() if client is None else client
        self._max_bytes = max_bytes

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def request(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
        timeout: float,
    ) -> HttpResponse:
        """Send one request and return the whole answer; see `HttpClient.request`."""
        watch = _Watch()
        try:
            async with asyncio.timeout(timeout):
                request = self._client.build_request(
                    method,
                    url,
                    headers=headers,
                    content=body,
                    timeout=_timeouts(timeout),
                    extensions={"trace": watch},
                )
                return await self._exchange(request)
        except TimeoutError:
            raise HttpError(f"no answer within {timeout:g} s", sent=watch.may_have_left) from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            # httpx words its errors with URLs and header values, so neither is passed on
            sent = watch.left or not isinstance(error, _UNSENT)
            raise HttpError(_reason(error), sent=sent) from None
        except UnicodeError as error:
            raise HttpError(_reason(error), sent=watch.left) from None

    async def aclose(self) -> None:
        """Close every connection of our own client."""
        if self._owned:
            await self._client.aclose()

    async def _exchange(self, request: httpx.Request) -> HttpResponse:
        response = await self._client.send(request, stream=True, follow_redirects=False)
        try:
            body = bytearray()
            async for chunk in response.aiter_bytes():
                body += chunk
                if len(body) > self._max_bytes:
                    raise HttpError(f"the answer is larger than {self._max_bytes} bytes", sent=True)
        finally:
            await response.aclose()
        return HttpResponse(
            status=response.status_code, headers=dict(response.headers), body=bytes(body)
        )


class _Watch:
    """Notices the moment a request starts to leave; a transport may also tell nothing."""

    def __init__(self) -> None:
        self.left = False
        self._told = False

    async def __call__(self, event: str, _details: Mapping[str, object]) -> None:
        self._told = True
        if event.endswith("send_request_headers.started"):
            self.left = True

    @property
    def may_have_left(self) -> bool:
        return self.left or not self._told


def _fresh_client() -> httpx.AsyncClient:
    return httpx.AsyncClient(
        follow_redirects=False,
        limits=LIMITS,
        mounts=dict.fromkeys(_LOOPBACK, None),
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
    )


def _timeouts(whole: float) -> httpx.Timeout:
    return httpx.Timeout(whole, connect=min(whole * _CONNECT_SHARE, CONNECT_TIMEOUT))


def _only_hosts(record: logging.LogRecord) -> bool:
    """Let a log record through with hosts in place of URLs, which may carry tokens."""
    if isinstance(record.args, tuple):
        record.args = tuple(a.host if isinstance(a, httpx.URL) else a for a in record.args)
    return True


def _reason(error: Exception) -> str:
    kind = type(error).__name__
    if any(isinstance(cause, ssl.SSLError) for cause in _causes(error)):
        return f"the TLS handshake failed; check the host's certificate ({kind})"
    if isinstance(error, UnicodeError | httpx.LocalProtocolError):
        return f"a header holds what HTTP cannot carry ({kind})"
    if isinstance(error, httpx.InvalidURL | httpx.UnsupportedProtocol):
        return f"the address is not a full http:// or https:// URL ({kind})"
    if isinstance(error, _UNSENT):
        return f"no connection could be made ({kind})"
    if isinstance(error, httpx.DecodingError):
        return f"the answer's encoding could not be read ({kind})"
    return f"the connection broke before the whole answer came ({kind})"


def _causes(error: BaseException) -> Iterator[BaseException]:
    current: BaseException | None = error
    while current is not None:
        yield current
        current = current.__cause__ or current.__context__
