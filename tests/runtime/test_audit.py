"""The audit: one record a call whatever ended it, and nothing secret or forged in it."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from comal_runtime.audit import ToolAuditLogger
from comal_runtime.consent.question import digest
from comal_runtime.context import ToolContext
from comal_runtime.record import SqliteRecord, memory_record
from comal_runtime.registry import ToolRegistry
from comal_runtime.result import ToolResult
from comal_runtime.testing import FakeClock

from .stations.arranging import (
    LosableRecord,
    Ran,
    by_ana,
    in_code,
    made,
    records,
    registry_with,
)

SCHEMA = {"type": "object", "properties": {"disk": {"type": "string"}}, "required": ["disk"]}
DISK = {"disk": "a"}


async def test_a_record_says_who_where_what_and_how_big() -> None:
    clock = FakeClock()
    registry = registry_with(made(Ran(gives="añ"), schema=SCHEMA, confirm=False), clock=clock)
    ctx = replace(by_ana(), ip="::1", origin="service")

    result = await registry.call("wipe", DISK, ctx)

    [one] = await records(registry)
    assert (one.at, one.request_id, one.ip) == (clock.now(), "r1", "::1")
    assert (one.channel, one.principal) == ("telegram", "telegram:1")
    assert (one.conversation, one.origin, one.tool) == ("telegram:1", "service", "wipe")
    assert (one.args, one.args_digest) == ('{"disk":"a"}', digest('{"disk":"a"}'))
    assert one.output_bytes == len(result.to_json().encode())


async def test_secrets_are_masked_at_any_depth_and_the_digest_covers_the_true_arguments() -> None:
    record, clock = memory_record(), FakeClock()
    audit = ToolAuditLogger(record, clock, extra_keys=frozenset({"pin"}))
    registry = registry_with(made(Ran()), record=record, clock=clock, audit=audit)
    args = {
        "user": {"passWord": "hunter2", "list": [{"API-Key": "abcdef"}]},
        "note": "Bearer abcdefghijklmnop",
        "pin": "1234",
        "kept": "plain",
    }

    await registry.call("wipe", args, in_code())

    [one] = await records(registry)
    kept = json.loads(one.args)
    true = json.dumps(args, sort_keys=True, separators=(",", ":"))
    assert kept["kept"] == "plain"
    assert not [s for s in ("hunter2", "abcdef", "1234") if s in one.args]
    assert one.args_digest == digest(true)


@pytest.mark.parametrize("break_", ["\n", "\r", "\u2028", "\x1b[2K", "\x00", "\u202e", "\ud800"])
async def test_a_name_cannot_forge_a_line(break_: str) -> None:
    registry = registry_with(made(Ran()))
    ctx = ToolContext(principal=f"a{break_}b", channel=f"c{break_}d", request_id=f"r{break_}s")

    await registry.call(f"wipe{break_}2026 INFO executed", {f"k{break_}": f"v{break_}"}, ctx)

    [one] = await records(registry)
    for text in (one.tool, one.principal, one.channel, one.request_id):
        assert text is not None
        assert break_ not in text
    assert "\n" not in one.args


async def test_arguments_that_are_no_json_are_recorded_by_kind() -> None:
    registry = registry_with(made(Ran()))

    await registry.call("wipe", {"x": object()}, in_code())

    [one] = await records(registry)
    assert "object" in one.args


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


class Unsayable(str):
    """A text that raises when it is written out."""

    __slots__ = ()

    def __str__(self) -> str:
        raise ZeroDivisionError


@pytest.mark.parametrize("mutating", [False, True])
@pytest.mark.parametrize("code", ["E\ud83d", Unsayable("x"), 5])
async def test_a_code_that_cannot_be_stored_stops_no_other_record(
    mutating: bool, code: str
) -> None:
    odd = made(Ran(gives=ToolResult.error("no", code=code)), "odd", mutating=mutating)
    registry = registry_with(made(Ran()), odd)

    result = await registry.call("odd", {}, in_code())
    await registry.call("wipe", {}, in_code())

    assert result.error == "no"
    assert sorted(one.tool for one in await records(registry)) == ["odd", "wipe"]


@pytest.mark.parametrize("field", ["conversation", "ip", "request_id", "channel", "principal"])
async def test_half_a_character_in_a_callers_field_is_recorded_visibly(field: str) -> None:
    registry = registry_with(made(Ran()))

    await registry.call("wipe", {}, replace(in_code(), **{field: "a\ud800"}))

    [one] = await records(registry)
    assert getattr(one, field) == "a\\ud800"


async def test_what_cannot_be_written_down_leaves_a_record_that_names_the_fault() -> None:
    registry = registry_with(made(Ran()))

    await registry.call("wipe", {}, replace(in_code(), ip=Unsayable("::1")))

    [one] = await records(registry)
    assert (one.tool, one.args) == ("wipe", '{"(not recorded)":"ZeroDivisionError"}')


async def test_the_oldest_are_dropped_when_too_many_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("comal_runtime.audit._MOST", 10)
    monkeypatch.setattr("comal_runtime.audit._DROPPED_AT_ONCE", 4)
    registry = registry_with(made(Ran()), record=(record := LosableRecord(memory_record())))
    record.gone = True
    await handed_over(registry, 11)
    record.gone = False

    assert [one.ip for one in await records(registry)] == [str(n) for n in range(4, 11)]


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
