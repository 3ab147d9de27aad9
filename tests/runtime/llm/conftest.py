"""A strict host, and services that talk to it over a real socket."""

from collections.abc import AsyncIterator
from typing import Any, Protocol

import pytest

from comal_runtime.http.httpx_adapter import HttpxClient
from comal_runtime.llm import LlmService
from comal_runtime.testing import FakeClock
from tests.support.chat_server import ChatServer, chat_server


class Service(Protocol):
    def __call__(self, **settings: Any) -> LlmService: ...


@pytest.fixture
async def server() -> AsyncIterator[ChatServer]:
    async with chat_server() as serving:
        yield serving


@pytest.fixture
async def http() -> AsyncIterator[HttpxClient]:
    async with HttpxClient() as client:
        yield client


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def service(server: ChatServer, http: HttpxClient, clock: FakeClock) -> Service:
    """Build a service for the strict host; waits pass on the fake clock."""

    def build(**settings: Any) -> LlmService:
        given: dict[str, Any] = {
            "api_key": server.api_key,
            "model": "m-1",
            "base_url": server.base_url,
            "http": http,
            "clock": clock,
            "sleep": clock.sleep,
            "jitter": lambda: 0.0,
        }
        return LlmService(**(given | settings))

    return build
