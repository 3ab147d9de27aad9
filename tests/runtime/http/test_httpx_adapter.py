"""`HttpxClient` over real sockets."""

import asyncio
import contextlib
import gzip
import logging
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable

import httpx
import pytest

from comal_runtime.http import HttpClient, HttpError, HttpResponse
from comal_runtime.http.httpx_adapter import HttpxClient

SECRET = "12345:bot-token"

Handle = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def wire(body: bytes = b"", *headers: str, status: str = "200 OK") -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


@contextlib.asynccontextmanager
async def host(handle: Handle) -> AsyncIterator[str]:
    """Serve raw bytes on loopback; the address carries a secret in its path."""

    tasks: list[asyncio.Task[None]] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            await handle(reader, writer)
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        tasks.append(asyncio.create_task(serve(reader, writer)))

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/{SECRET}/getMe"
    finally:
        server.close()
        await asyncio.gather(*tasks)


def answering(answer: bytes) -> Handle:
    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        await writer.drain()

    return handle


def refused_address() -> str:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    return f"http://127.0.0.1:{port}/{SECRET}"


async def get(url: str, *, timeout: float = 5.0, max_bytes: int = 1000) -> HttpResponse:
    async with HttpxClient(max_bytes=max_bytes) as client:
        return await client.request("GET", url, timeout=timeout)


async def fault_of(url: str, *, timeout: float = 5.0, max_bytes: int = 1000) -> HttpError:
    with pytest.raises(HttpError) as caught:
        await get(url, timeout=timeout, max_bytes=max_bytes)
    assert SECRET not in repr(caught.value)
    assert "127.0.0.1" not in repr(caught.value)
    assert caught.value.__cause__ is None
    return caught.value


async def test_an_answer_comes_whole_with_lower_case_header_names() -> None:
    async with host(answering(wire(b"no such bot", "X-Why: gone", status="404 No"))) as url:
        response = await get(url)

    assert response.status == 404
    assert response.headers["x-why"] == "gone"
    assert response.body == b"no such bot"


async def test_method_headers_and_body_arrive_as_given() -> None:
    seen: list[bytes] = []

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.append(await reader.readuntil(b"\r\n\r\n"))
        seen.append(await reader.readexactly(4))
        writer.write(wire())

    client: HttpClient = HttpxClient()
    async with host(handle) as url:
        await client.request("POST", url, headers={"x-a": "b"}, body=b"\x00\xffok", timeout=5)
        await client.aclose()

    assert seen[0].startswith(f"POST /{SECRET}/getMe HTTP/1.1\r\n".encode())
    assert b"\r\nx-a: b\r\n" in seen[0]
    assert seen[1] == b"\x00\xffok"


async def test_a_refused_connection_was_not_sent() -> None:
    error = await fault_of(refused_address())

    assert error.sent is False


async def test_a_connection_that_closes_without_an_answer_may_have_been_acted_upon() -> None:
    async with host(answering(b"")) as url:
        error = await fault_of(url)

    assert error.sent is True


async def test_a_failed_handshake_was_not_sent_and_says_so() -> None:
    async def plain(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(wire(b"no TLS here"))

    async with host(plain) as url:
        error = await fault_of(url.replace("http:", "https:"))

    assert error.sent is False
    assert "TLS handshake failed" in str(error)


async def test_a_handshake_without_an_answer_is_given_up_and_closed() -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while await reader.read(4096):
            pass

    async with host(silent) as url:  # leaving the block waits for the handler to see the end
        error = await fault_of(url.replace("http:", "https:"), timeout=0.5)

    assert error.sent is False


async def test_an_answer_that_breaks_off_is_no_answer() -> None:
    async with host(answering(b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf")) as url:
        error = await fault_of(url)

    assert error.sent is True


async def test_the_timeout_is_for_the_whole_exchange_however_lively_it_is() -> None:
    async def drip(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        for _ in range(1000):
            writer.write(b".")
            await writer.drain()
            await asyncio.sleep(0.02)

    async with host(drip) as url:
        error = await asyncio.wait_for(fault_of(url, timeout=0.2), 3)

    assert error.sent is True


@pytest.mark.parametrize("packed", [False, True])
async def test_a_body_above_the_limit_is_an_error(packed: bool) -> None:
    body = gzip.compress(b"x" * 1001) if packed else b"x" * 1001
    header = "Content-Encoding: gzip" if packed else "X-A: b"

    async with host(answering(wire(body, header))) as url:
        error = await fault_of(url, max_bytes=1000)
        response = await get(url, max_bytes=1001)

    assert "larger than 1000 bytes" in str(error)
    assert len(response.body) == 1001


async def test_a_redirect_is_answered_and_not_followed() -> None:
    async with host(answering(wire(b"", "Location: /other", status="302 Found"))) as url:
        response = await get(url)

    assert response.status == 302


async def test_no_cookie_goes_back() -> None:
    seen: list[bytes] = []

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for _ in range(2):
            seen.append(await reader.readuntil(b"\r\n\r\n"))
            writer.write(wire(b"", "Set-Cookie: a=b"))

    async with host(handle) as url, HttpxClient() as client:
        await client.request("GET", url, timeout=5)
        await client.request("GET", url, timeout=5)

    assert len(seen) == 2
    assert b"cookie" not in seen[1].lower()


async def test_a_proxy_of_the_environment_is_not_asked_for_this_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, refused_address())
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)

    async with host(answering(wire(b"direct"))) as url:
        response = await get(url)

    assert response.body == b"direct"


@pytest.mark.parametrize("url", [f"ftp://x/{SECRET}", f"/{SECRET}", f"http://h:{SECRET}"])
async def test_an_address_that_is_none_was_not_sent(url: str) -> None:
    error = await fault_of(url)

    assert error.sent is False
    assert "http://" in str(error)


@pytest.mark.parametrize("value", [f"{SECRET}\n", f"{SECRET}é"])
async def test_a_header_that_cannot_be_written_is_not_quoted(value: str) -> None:
    async with host(answering(wire())) as url, HttpxClient() as client:
        with pytest.raises(HttpError) as caught:
            await client.request("GET", url, headers={"authorization": value}, timeout=5)

    assert SECRET not in repr(caught.value)


async def test_logs_name_the_host_and_never_the_path(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO), caplog.at_level(logging.INFO, logger="httpx"):
        async with host(answering(wire())) as url:
            await get(url)

    assert "127.0.0.1" in caplog.text
    assert SECRET not in caplog.text


async def test_a_transport_that_tells_nothing_counts_as_having_sent() -> None:
    def broken(request: httpx.Request) -> httpx.Response:
        raise httpx.ReadError("lost", request=request)

    inner = httpx.AsyncClient(transport=httpx.MockTransport(broken))
    with pytest.raises(HttpError) as caught:
        await HttpxClient(inner).request("GET", "http://models.test/", timeout=5)

    assert caught.value.sent is True
    await inner.aclose()


async def test_a_given_client_is_left_open() -> None:
    inner = httpx.AsyncClient()

    await HttpxClient(inner).aclose()

    assert not inner.is_closed
    await inner.aclose()


@pytest.mark.parametrize("module", ["comal_runtime.http", "comal_runtime.llm"])
def test_importing_the_package_loads_no_http_library(module: str) -> None:
    code = f"import sys, {module}; sys.exit(bool({{'httpx', 'aiohttp'}} & set(sys.modules)))"

    ended = subprocess.run([sys.executable, "-c", code], check=False)

    assert ended.returncode == 0
