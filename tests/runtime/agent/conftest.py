"""Fixtures of the agent's tests."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from comal_runtime.record import SqliteRecord
from comal_runtime.testing import FakeClock
from tests.runtime.agent.rig import Shop, sqlite


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def shop() -> Shop:
    return Shop()


@pytest.fixture
async def record(tmp_path: Path, clock: FakeClock) -> AsyncIterator[SqliteRecord]:
    opened = sqlite(tmp_path, clock)
    yield opened
    await opened.aclose()
