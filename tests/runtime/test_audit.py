"""The audit: one record a call whatever ended it, and nothing secret or forged in it."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from comal_runtime.audit import ToolAuditLogger
from comal_runtime.consent.question import digest
from comal_runtime.context import ToolContext
from comal_runtime.errors import ToolError
from comal_runtime.events import EventDispatcher, ToolExecuting
from comal_runtime.rate_limit import GcraRateLimiter
from comal_runtime.record import SqliteRecord, memory_record
from comal_runtime.registry import ToolRegistry
from comal_runtime.result import ToolResult
from comal_runtime.testing import FakeClock

from .stations.arranging import (
    LosableRecord,
    Ran,
    by_ana,
    decisions,
    in_code,
    made,
    records,
    registry_with,
    route,
    routes,
)

SCHEMA = {"type": "object", "properties": {"disk": {"type": "string"}}, "required": ["disk"]}
DISK = {"disk": "a"}


@dataclass(kw_only=True)
class House:
    """A registry whose tools end in every way there is."""

    dispatcher: EventDispatcher | None = None
    limiter: GcraRateLimiter | None = None
    ran: Ran = field(default_factory=Ran)

    def __post_init__(self) -> None:
        async def hangs(**_: Any) -> None:
            await asyncio.Event().wait()

        async def breaks(**_: Any) -> None:
            raise RuntimeError("secret of the host")

        async def refuses(**_: Any) -> None:
            raise ToolError("not now")

        def sleeps(**_: Any) -> None:
            time.sleep(0.05)

        self.registry = registry_with(
            made(self.ran, "read", SCHEMA),
            made(self.ran, "write", SCHEMA, mutating=True),
            made(self.ran, "asks", SCHEMA, confirm=True),
            made(self.ran, "routed", SCHEMA, mutating=True),
            made(self.ran, "scoped", SCHEMA, scopes=("root",)),
            made(breaks, "breaks", SCHEMA),
            made(breaks, "breaks_writing", SCHEMA, mutating=True),
            made(refuses, "refuses", SCHEMA),
            made(refuses, "refuses_writing", SCHEMA, mutating=True),
            made(hangs, "hangs", SCHEMA, timeout=0.01),
            made(hangs, "hangs_writing", SCHEMA, mutating=True, timeout=0.01),
            made(sleeps, "sleeps", SCHEMA, timeout=0.01),
            made(hangs, "endless", SCHEMA),
            made(hangs, "endless_writing", SCHEMA, mutating=True),
            dispatcher=self.dispatcher,
            limiter=self.limiter,
            routes=routes(route(tool="routed")),
        )


async def resolve_miss(house: House) -> None:
    await house.registry.call("rea", DISK, in_code())


async def invalid(house: House) -> None:
    await house.registry.call("read", {}, in_code())


async def denied(house: House) -> None:
    await house.registry.call("scoped", DISK, in_code())


async def limited(house: House) -> None:
    house = House(dispatcher=house.dispatcher, limiter=GcraRateLimiter(0, 1))
    await house.registry.call("read", DISK, in_code())
    raise Instead(house.registry)


async def planned(house: House) -> None:
    await house.registry.call("write", DISK, in_code(mode="plan"))


async def asked(house: House) -> None:
    await house.registry.call("asks", DISK, in_code())


async def asked_others(house: House) -> None:
    await house.registry.call("routed", DISK, in_code())


async def bad_token(house: House) -> None:
    await house.registry.call("asks", {}, in_code(), confirm_token="guess")


async def executed(house: House) -> None:
    await house.registry.call("read", DISK, in_code())


async def executed_act(house: House) -> None:
    await house.registry.call("write", DISK, in_code())


def calling(name: str) -> Callable[[House], Awaitable[None]]:
    async def call(house: House) -> None:
        await house.registry.call(name, DISK, in_code())

    return call


def cancelling(name: str) -> Callable[[House], Awaitable[None]]:
    async def call(house: House) -> None:
        calling = asyncio.ensure_future(house.registry.call(name, DISK, in_code()))
        await asyncio.sleep(0.01)
        calling.cancel()
        await asyncio.wait([calling])

    return call


class Instead(Exception):
    """The case needed a registry of its own."""

    def __init__(self, registry: ToolRegistry) -> None:
        self.registry = registry


PATHS: dict[str, tuple[Callable[[House], Awaitable[None]], str, str | None]] = {
    "resolve miss": (resolve_miss, "refused_at_resolve", "TOOL_NOT_FOUND"),
    "invalid": (invalid, "refused_at_validate", "VALIDATION_ERROR"),
    "denied": (denied, "refused_at_authorize", "FORBIDDEN"),
    "limited": (limited, "refused_at_rate_limit", "RATE_LIMITED"),
    "planned": (planned, "planned", None),
    "asked": (asked, "asked_confirmation", "CONFIRMATION_REQUIRED"),
    "asked others": (asked_others, "asked_pending", "CONFIRMATION_REQUIRED"),
    "bad token": (bad_token, "unknown_token", "FORBIDDEN"),
    "executed": (executed, "executed", None),
    "act done": (executed_act, "act_done", None),
    "failed": (calling("breaks"), "failed", "INTERNAL_ERROR"),
    "act unknown": (calling("breaks_writing"), "act_unknown", "OUTCOME_UNKNOWN"),
    "refused by its author": (calling("refuses"), "failed", "INTERNAL_ERROR"),
    "act failed": (calling("refuses_writing"), "act_failed", "INTERNAL_ERROR"),
    "timed out": (calling("hangs"), "timed_out", "TIMEOUT"),
    "thread timed out": (calling("sleeps"), "timed_out", "TIMEOUT"),
    "act timed out": (calling("hangs_writing"), "act_unknown", "OUTCOME_UNKNOWN"),
    "cancelled": (cancelling("endless"), "cancelled", "CANCELLED"),
    "act cancelled": (cancelling("endless_writing"), "act_unknown", "OUTCOME_UNKNOWN"),
}


def broken_dispatcher() -> EventDispatcher:
    """One whose every event after the fact fails."""

    class Broken(EventDispatcher):
        async def dispatch(self, event: Any) -> None:
            if not isinstance(event, ToolExecuting):
                raise ConnectionError("the bus is down")

    return Broken()


@pytest.mark.parametrize("dispatcher", [None, EventDispatcher, broken_dispatcher])
@pytest.mark.parametrize("path", PATHS)
async def test_every_path_leaves_exactly_one_record_with_and_without_a_dispatcher(
    path: str, dispatcher: Callable[[], EventDispatcher] | None
) -> None:
    walk, decision, code = PATHS[path]
    house = House(dispatcher=dispatcher and dispatcher())
    registry = house.registry

    try:
        await walk(house)
    except Instead as instead:
        registry = instead.registry
    await asyncio.sleep(0.07)

    found = await records(registry)
    assert [(one.decision, one.code) for one in found] == [(decision, code)]
    assert found[0].took_ms >= 0
    assert "secret of the host" not in repr(found)


async def test_vetoed_and_cache_served_calls_leave_one_record_each() -> None:
    dispatcher = EventDispatcher()
    dispatcher.subscribe("tool.executing", lambda event: event.slot.short_circuit("cached"))
    served = House(dispatcher=dispatcher)
    vetoing = EventDispatcher()
    vetoing.subscribe("tool.executing", lambda event: event.slot.stop())
    vetoed = House(dispatcher=vetoing)

    await served.registry.call("read", DISK, in_code())
    await served.registry.call("write", DISK, in_code())
    await vetoed.registry.call("write", DISK, in_code())

    assert await decisions(served.registry) == ["cache_served", "short_circuit_refused"]
    assert await decisions(vetoed.registry) == ["vetoed"]


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
