"""The embedded lanes, held to the contract of all engines."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from pathlib import Path

import pytest

from comal_runtime.clock import SystemClock
from comal_runtime.lanes import SqliteLanes
from comal_runtime.record import Job, Record, SqliteRecord

from .contract import LanesContract, Make, defer, idle, job, until, working


@pytest.fixture
async def record(tmp_path: Path) -> AsyncIterator[SqliteRecord]:
    made = SqliteRecord(tmp_path / "lanes.db")
    yield made
    await made.aclose()


@pytest.fixture
def make(record: Record) -> Make:
    return lambda owner: SqliteLanes(record, SystemClock(), owner, lease=0.6)


@pytest.fixture
def died(record: Record) -> Callable[[], Awaitable[None]]:
    """Return what claims everything as a worker that is never heard of again."""

    async def claim() -> None:
        now = time.time()
        async with record.transaction() as tx:
            assert await tx.jobs.claim("dead", now=now, lease_until=now + 0.3, limit=9)

    return claim


class TestSqliteLanes(LanesContract):
    """Everything the contract says."""


async def test_a_job_that_keeps_failing_is_set_aside_and_frees_its_lane(
    record: SqliteRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("comal_runtime.lanes.sqlite._LONGEST_PAUSE", 0.01)
    seen: list[str] = []

    async def note(key: str) -> None:
        seen.append(key)
        if key == "poison":
            raise ValueError("never")

    await defer(record, job("a", "poison"), job("a", "after"))
    lanes = SqliteLanes(record, SystemClock(), "one", lease=5)
    async with working(lanes, {"note": note}):
        await idle(lanes)

    assert seen == ["poison"] * 8 + ["after"]


class Exit(BaseException):
    """What no `except Exception` catches."""


@pytest.mark.parametrize("fault", [Exit(), SystemExit(1), asyncio.CancelledError()])
async def test_a_handler_that_ends_everything_has_failed_and_its_burial_is_told_once(
    record: SqliteRecord, monkeypatch: pytest.MonkeyPatch, fault: BaseException
) -> None:
    monkeypatch.setattr("comal_runtime.lanes.sqlite._LONGEST_PAUSE", 0.01)
    seen: list[str] = []
    buried: list[Job] = []

    async def note(key: str) -> None:
        seen.append(key)
        if key == "poison":
            raise fault

    async def mourn(dead: Job) -> None:
        buried.append(dead)
        raise ConnectionError("nobody can be told")

    await defer(record, job("a", "poison"), job("a", "after"))
    lanes = SqliteLanes(record, SystemClock(), "one", lease=5, on_buried=mourn)
    async with working(lanes, {"note": note}):
        await idle(lanes)

    assert seen == ["poison"] * 8 + ["after"]
    assert buried == [job("a", "poison")]


async def test_a_job_that_no_worker_lives_to_end_is_set_aside(record: SqliteRecord) -> None:
    buried: list[Job] = []
    begun: list[str] = []

    async def note(key: str) -> None:
        begun.append(key)
        await asyncio.Event().wait()

    def reached(tries: int) -> bool:
        return len(begun) == tries

    async def mourn(dead: Job) -> None:
        buried.append(dead)

    await defer(record, job("a", "endless"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("comal_runtime.lanes.sqlite._FINISH", 0.01)
        for tries in range(1, 29):
            lanes = SqliteLanes(record, SystemClock(), "one", on_buried=mourn)
            async with working(lanes, {"note": note}):
                await until(partial(reached, tries))
    before = list(buried)
    lanes = SqliteLanes(record, SystemClock(), "one", on_buried=mourn)
    async with working(lanes, {"note": note}):
        await idle(lanes)

    assert (before, buried) == ([], [job("a", "endless")])
    assert len(begun) == 28
