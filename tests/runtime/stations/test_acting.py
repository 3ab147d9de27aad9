"""Acts: claimed before the callback, ended after it, and what is not known is said."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from comal_runtime.context import ToolContext
from comal_runtime.errors import ToolError
from comal_runtime.record import ActState, SqliteRecord, memory_record
from comal_runtime.result import ErrorCode, ToolResult
from comal_runtime.testing import FakeClock

from .arranging import (
    LosableRecord,
    Ran,
    act_at,
    decisions,
    in_code,
    key,
    made,
    only_act,
    records,
    registry_with,
)


async def test_the_act_is_started_in_the_record_while_the_callback_runs() -> None:
    seen: list[ActState] = []

    async def body() -> None:
        seen.append((await act_at(registry.record, "t/1/0")).state)

    registry = registry_with(made(body, mutating=True))

    await registry.call("wipe", {}, in_code(call_key=key()))

    assert seen == [ActState.STARTED]
    assert (await only_act(registry)).state is ActState.DONE


async def raises_declared() -> None:
    raise ToolError("the disk is busy", code="BUSY")


async def raises_anything() -> None:
    raise ConnectionError("to secret-host")


async def returns_an_error() -> ToolResult:
    return ToolResult.error("no such disk", code=ErrorCode.NOT_FOUND)


async def hangs() -> None:
    await asyncio.Event().wait()


def exits() -> None:
    raise SystemExit(1)


async def cancels_itself() -> None:
    raise asyncio.CancelledError


@pytest.mark.runtime_line(32, 33)
@pytest.mark.parametrize(
    ("body", "state", "code"),
    [
        (raises_declared, ActState.FAILED, "BUSY"),
        (returns_an_error, ActState.FAILED, ErrorCode.NOT_FOUND),
        (raises_anything, ActState.UNKNOWN, ErrorCode.OUTCOME_UNKNOWN),
        (hangs, ActState.UNKNOWN, ErrorCode.OUTCOME_UNKNOWN),
        (exits, ActState.UNKNOWN, ErrorCode.OUTCOME_UNKNOWN),
        (cancels_itself, ActState.UNKNOWN, ErrorCode.OUTCOME_UNKNOWN),
    ],
)
async def test_an_act_ends_as_its_callback_did(
    body: Callable[[], object], state: ActState, code: str
) -> None:
    registry = registry_with(made(body, mutating=True, timeout=0.3))

    result = await registry.call("wipe", {}, in_code())

    act = await only_act(registry)
    assert (act.state, result.code) == (state, code)
    assert "secret-host" not in result.to_json() + str(act.result)
    assert await decisions(registry) == [f"act_{state}"]


async def test_arguments_that_cannot_be_bound_leave_a_failed_act() -> None:
    async def takes_nothing() -> None: ...

    registry = registry_with(made(takes_nothing, mutating=True))

    result = await registry.call("wipe", {"unexpected": 1}, in_code())

    assert result.code == ErrorCode.INTERNAL_ERROR
    assert (await only_act(registry)).state is ActState.FAILED


@pytest.mark.parametrize("data", [{(1, 2): 3}, {"self": ...}])
async def test_a_result_that_json_cannot_hold_still_ends_the_act(data: Any) -> None:
    if "self" in data:
        data["self"] = data
    registry = registry_with(made(Ran(gives=data), mutating=True), made(Ran(gives=data), "read"))

    result = await registry.call("wipe", {}, in_code())
    await registry.call("read", {}, in_code())

    assert result.success
    assert (await only_act(registry)).state is ActState.DONE
    assert sorted(await decisions(registry)) == ["act_done", "executed"]


async def test_cancelling_a_running_act_leaves_it_unknown_with_one_audit_record() -> None:
    started = asyncio.Event()

    async def body() -> None:
        started.set()
        await asyncio.Event().wait()

    registry = registry_with(made(body, mutating=True))
    calling = asyncio.ensure_future(registry.call("wipe", {}, in_code()))
    await started.wait()
    calling.cancel()

    with pytest.raises(asyncio.CancelledError):
        await calling
    assert (await only_act(registry)).state is ActState.UNKNOWN
    assert await decisions(registry) == ["act_unknown"]


@pytest.fixture
async def in_file(tmp_path: Path) -> AsyncIterator[SqliteRecord]:
    record = SqliteRecord(tmp_path / "c.db", clock=FakeClock())
    yield record
    await record.aclose()


@pytest.mark.parametrize("ticks", range(12))
async def test_cancelled_at_any_tick_an_act_has_one_audit_record_and_a_true_state(
    in_file: SqliteRecord, ticks: int
) -> None:
    ran = Ran()
    registry = registry_with(made(ran, mutating=True), record=in_file)
    calling = asyncio.ensure_future(registry.call("wipe", {}, in_code(call_key=key())))
    await asyncio.sleep(0)
    for _ in range(ticks):
        await asyncio.sleep(0.0004)
    calling.cancel()
    calling.cancel()
    await asyncio.wait([calling])
    await asyncio.sleep(0.05)

    async with in_file.reading() as stored:
        act = await stored.acts.get("t/1/0")
    assert len(await records(registry)) == 1
    if act is None:
        assert ran.calls == []
    elif ran.calls:
        assert act.state is ActState.DONE
    else:
        assert (act.state, act.reason) == (
            ActState.VOID,
            "cancelled before it began; nothing was done",
        )


@pytest.mark.runtime_line(32, 37)
async def test_an_end_that_cannot_be_stored_is_unknown_and_left_for_the_sweep() -> None:
    clock = FakeClock()
    record = LosableRecord(memory_record(clock=clock))

    async def body() -> str:
        record.gone = True
        return "wiped"

    registry = registry_with(made(body, mutating=True, timeout=30), clock=clock, record=record)

    result = await registry.call("wipe", {}, in_code(call_key=key()))

    record.gone = False
    before = (await only_act(registry)).state
    early = await registry.sweep()
    clock.advance(36)
    late = await registry.sweep()
    assert result.code == ErrorCode.OUTCOME_UNKNOWN
    assert before is ActState.STARTED
    assert (early.unknown, late.unknown) == (0, 1)
    assert (await only_act(registry)).state is ActState.UNKNOWN
    assert await decisions(registry) == ["act_end_not_stored"]


@pytest.mark.runtime_line(37)
async def test_an_act_that_cannot_be_claimed_does_not_run() -> None:
    clock, ran = FakeClock(), Ran()
    record = LosableRecord(memory_record(clock=clock))
    registry = registry_with(made(ran, mutating=True), clock=clock, record=record)
    record.gone = True

    result = await registry.call("wipe", {}, in_code())

    record.gone = False
    assert result.code == ErrorCode.INTERNAL_ERROR
    assert ran.calls == []
    assert await decisions(registry) == ["host_fault"]


@pytest.mark.runtime_line(37)
async def test_the_sweep_waits_for_the_deadline_and_for_the_owners_lease() -> None:
    clock, goes_on, started = FakeClock(), asyncio.Event(), asyncio.Event()

    async def body() -> str:
        started.set()
        await goes_on.wait()
        return "wiped"

    registry = registry_with(made(body, mutating=True), clock=clock, instance="worker")
    async with registry.record.transaction() as tx:
        boot_id, boot, now = clock.boot_id(), clock.boot() + 60, clock.now() + 60
        await tx.leases.live("worker", boot_id=boot_id, lease_boot=boot, lease_at=now)
    calling = asyncio.ensure_future(registry.call("wipe", {}, in_code(call_key=key())))
    await started.wait()
    clock.advance(34)  # before timeout and grace are over
    before_both = await registry.sweep()
    clock.advance(10)  # the deadline has passed, the lease has not
    leased = await registry.sweep()
    clock.advance(20)
    lost = await registry.sweep()
    swept = (await only_act(registry)).state
    goes_on.set()

    result = await calling

    assert [before_both.unknown, leased.unknown, lost.unknown] == [0, 0, 1]
    assert swept is ActState.UNKNOWN
    assert result.data == "wiped"
    assert (await only_act(registry)).state is ActState.DONE_LATE
    assert await decisions(registry) == ["act_done_late"]


async def test_without_a_call_key_every_call_is_an_act_of_its_own() -> None:
    ran = Ran()
    registry = registry_with(made(ran, mutating=True))

    for _ in range(2):
        await registry.call("wipe", {}, in_code())

    assert len(ran.calls) == 2


async def test_the_tool_is_told_the_key_under_which_it_acts() -> None:
    seen: list[str | None] = []

    async def body(ctx: ToolContext) -> None:
        seen.append(ctx.idempotency_key)

    registry = registry_with(made(body, mutating=True))

    await registry.call("wipe", {}, in_code(call_key=key()))

    assert seen == ["t/1/0"]
    assert (await only_act(registry)).idempotency_key == "t/1/0"
