"""What is asked again, when, and what is not, over a real socket."""

import asyncio
import socket
from collections.abc import Callable
from email.utils import formatdate

import pytest

from comal_runtime.http import HttpClient, HttpError, HttpResponse
from comal_runtime.llm import LlmOverloaded, LlmRateLimited, LlmService, LlmUnavailable
from comal_runtime.testing import FakeClock
from tests.runtime.llm.failing import failure
from tests.support.chat_server import ChatServer, completion, fault

Build = Callable[..., LlmService]


async def test_a_failure_that_passes_is_not_seen(server: ChatServer, service: Build) -> None:
    server.will(fault(503), fault(429), completion("At last."))

    answer = await service().generate_response("Hi")

    assert answer.content == "At last."
    assert server.requests[0] == server.requests[2]


async def test_waits_double_and_jitter_takes_a_quarter_at_most(
    server: ChatServer, service: Build
) -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    server.will(*[fault(500)] * 6)
    await failure(service(sleep=sleep))
    await failure(service(sleep=sleep, jitter=lambda: 1.0))

    assert waits == [0.5, 1.0, 0.375, 0.75]


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after-ms": "250", "retry-after": "7"}, 0.25),
        ({"retry-after": formatdate(1_796_040_030, usegmt=True)}, 30.0),
        ({"retry-after": "soon"}, 0.5),
        ({"retry-after": "-1"}, 0.5),
        ({"retry-after": "nan"}, 0.5),
    ],
)
async def test_the_host_says_how_long_to_wait(
    server: ChatServer, service: Build, clock: FakeClock, headers: dict[str, str], wait: float
) -> None:
    server.will(fault(429, headers=headers), completion())
    before = clock.boot()

    await service().generate_response("Hi")

    assert clock.boot() - before == wait


async def test_a_wait_above_two_minutes_is_left_to_the_caller(
    server: ChatServer, service: Build, clock: FakeClock
) -> None:
    server.will(fault(429, headers={"retry-after": "121"}))
    before = clock.boot()

    error = await failure(service())

    assert isinstance(error, LlmRateLimited)
    assert error.retry_after == 121.0
    assert clock.boot() == before


async def test_no_wait_goes_past_the_deadline(
    server: ChatServer, service: Build, clock: FakeClock
) -> None:
    server.will(*[fault(503, headers={"retry-after": "40"})] * 3)
    before = clock.boot()

    error = await failure(service(timeout=60.0))

    assert isinstance(error, LlmOverloaded)
    assert clock.boot() - before == 40.0


@pytest.mark.parametrize(("told", "status", "asked"), [("false", 503, 1), ("true", 400, 3)])
async def test_the_host_decides_with_x_should_retry(
    server: ChatServer, service: Build, told: str, status: int, asked: int
) -> None:
    server.will(*[fault(status, headers={"x-should-retry": told})] * 3)

    await failure(service())

    assert len(server.requests) == asked


async def test_an_empty_purse_is_not_tried_again(server: ChatServer, service: Build) -> None:
    server.will(fault(429, "You exceeded your current quota.", code="insufficient_quota"))

    error = await failure(service())

    assert isinstance(error, LlmRateLimited)
    assert (error.code, error.retryable) == ("insufficient_quota", False)
    assert len(server.requests) == 1


async def test_a_host_that_is_not_there_is_tried_three_times(
    service: Build, clock: FakeClock
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    before = clock.boot()

    error = await failure(service(base_url=f"http://127.0.0.1:{port}"))

    assert type(error) is LlmUnavailable
    assert isinstance(error.__cause__, HttpError)
    assert str(error).startswith("openai-chat gave no answer: ")
    assert clock.boot() - before == 1.5


async def test_a_request_that_may_have_been_read_is_not_repeated(service: Build) -> None:
    met = 0

    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal met
        met += 1
        await reader.readuntil(b"\r\n\r\n")
        writer.close()

    host = await asyncio.start_server(hang_up, "127.0.0.1", 0)
    base = f"http://127.0.0.1:{host.sockets[0].getsockname()[1]}"

    error = await failure(service(base_url=base))
    host.close()

    assert type(error) is LlmUnavailable
    assert error.retryable is False
    assert met == 1


async def test_each_attempt_gets_only_the_time_that_is_left(
    service: Build, clock: FakeClock
) -> None:
    class Slow:
        """A client whose connections are refused after 20 s each."""

        def __init__(self) -> None:
            self.timeouts: list[float] = []

        async def request(
            self, method: str, url: str, *, timeout: float, **_: object
        ) -> HttpResponse:
            self.timeouts.append(timeout)
            clock.advance(20.0)
            raise HttpError("no connection could be made", sent=False)

        async def aclose(self) -> None:
            return None

    slow = Slow()
    client: HttpClient = slow

    await failure(service(http=client, timeout=50.0))

    assert slow.timeouts == [50.0, 29.5, 8.5]
