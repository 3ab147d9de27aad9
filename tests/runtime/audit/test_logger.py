"""The logger: outcomes are taken without waiting and stored once, whatever happens meanwhile."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from comal_runtime.audit import ToolAuditLogger
from comal_runtime.record import SqliteRecord, memory_record
from comal_runtime.registry import ToolRegistry
from comal_runtime.result import ToolResult
from comal_runtime.testing import FakeClock
from tests.runtime.stations.arranging import (
    LosableRecord,
    Ran,
    in_code,
    made,
    records,
    registry_with,
)

SCHEMA = {"type": "object", "properties": {"disk": {"type": "string"}}, "required": ["disk"]}
DISK = {"disk": "a"}


@pytest.fixture
async def record(tmp_path: Path) -> AsyncIterator[SqliteRecord]:
    record = SqliteRecord(tmp_path / "c.db", clock=FakeClock())
    yield record
    await record.aclose()


async def handed_over(registry: ToolRegistry, count: int) -> None:
    for number in range(count):
        await registry.call("wipe", {}, in_code(call_key=None, ip=str(number)))


async def test_a_record_is_stored_a_moment_later_without_a_flush(record: SqliteRecord) -> None:
    registry = registry_with(made(Ran()), record=record)
    await handed_over(registry, 3)

    await asyncio.sleep(0.15)

    async with record.reading() as stored:
        assert len(await stored.audit.after(0, limit=9)) == 3


async def test_after_a_flush_everything_is_stored_even_what_another_flush_had_begun(
    record: SqliteRecord,
) -> None:
    registry = registry_with(made(Ran()), record=record)
    await handed_over(registry, 3)
    other = asyncio.ensure_future(registry.audit.flush())
    await asyncio.sleep(0)

    await registry.audit.flush()

    async with record.reading() as stored:
        assert len(await stored.audit.after(0, limit=9)) == 3
    await other


@pytest.mark.parametrize("ticks", range(6))
async def test_a_cancelled_flush_loses_and_doubles_nothing(
    record: SqliteRecord, ticks: int
) -> None:
    registry = registry_with(made(Ran()), record=record)
    await handed_over(registry, 5)
    flushing = asyncio.ensure_future(registry.audit.flush())
    for _ in range(ticks):
        await asyncio.sleep(0)
    flushing.cancel()
    await asyncio.wait([flushing])

    found = await records(registry)

    assert [one.ip for one in found] == [str(n) for n in range(5)]


async def test_what_cannot_be_stored_now_is_stored_once_the_store_is_back() -> None:
    clock = FakeClock()
    record = LosableRecord(memory_record(clock=clock))
    registry = registry_with(made(Ran()), record=record, clock=clock)
    await handed_over(registry, 2)
    record.gone = True
    await registry.audit.flush()
    record.gone = False

    assert len(await records(registry)) == 2


async def test_a_registry_in_memory_keeps_the_newest_records_only() -> None:
    record = memory_record()
    audit = ToolAuditLogger(record, FakeClock(), keep=3)
    registry = registry_with(made(Ran()), record=record, audit=audit)
    await handed_over(registry, 5)

    assert [one.ip for one in await records(registry)] == ["2", "3", "4"]


def test_records_survive_the_loop_that_made_them() -> None:
    registry = registry_with(made(Ran()))

    async def called() -> ToolResult:
        return await registry.call("wipe", {}, in_code())

    asyncio.run(called())
    asyncio.run(called())

    assert len(asyncio.run(records(registry))) == 2


async def test_the_oldest_are_dropped_when_too_many_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("comal_runtime.audit.logger._MOST", 10)
    monkeypatch.setattr("comal_runtime.audit.logger._DROPPED_AT_ONCE", 4)
    registry = registry_with(made(Ran()), record=(record := LosableRecord(memory_record())))
    record.gone = True
    await handed_over(registry, 11)
    record.gone = False

    said, *kept = await records(registry)
    assert (said.tool, said.decision, said.args) == ("(audit)", "dropped", '{"records":4}')
    assert [one.ip for one in kept] == [str(n) for n in range(4, 11)]


async def test_arguments_too_large_to_look_into_are_refused_and_recorded_by_size() -> None:
    ran = Ran()
    registry = registry_with(made(ran), max_argument_bytes=100)

    result = await registry.call("wipe", {"note": "ñ" * 60}, in_code())
    fits = await registry.call("wipe", {"note": "ñ" * 30}, in_code())

    first, _ = await records(registry)
    assert result.error == "The arguments have 131 bytes, at most 100 are taken"
    assert fits.success
    assert len(ran.calls) == 1
    assert first.decision == "refused_at_validate"
