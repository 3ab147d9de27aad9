"""Acts: claimed before the callback, ended after it, and what is not known is said."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from comal_runtime.context import ToolContext
from comal_runtime.errors import ToolError
from comal_runtime.record import ActState, SqliteRecord, memory_record
from comal_runtime.registry import ToolRegistry
from comal_runtime.result import ErrorCode, ToolResult
from comal_runtime.testing import FakeClock

from .arranging import (
    LosableRecord,
    Ran,
    act_at,
    answered,
    by_ana,
    consent_to,
    decisions,
    in_code,
    key,
    made,
    only_act,
    records,
    registry_with,
)


class Lurching(FakeClock):
    """A clock that jumps by `by` seconds after each of the next `times` looks at boot time."""

    def __init__(self) -> None:
        super().__init__()
        self.times = 0
        self.by = 2.0

    def boot(self) -> float:
        seen = super().boot()
        if self.times > 0:
            self.times -= 1
            self.advance(self.by)
        return seen


async def eventually(holds: Callable[[], object]) -> None:
    for _ in range(500):
        if holds():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it never came to hold")


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
        assert act.state is ActState.STARTED


class TestASyncCallback:
    """A thread cannot be stopped; what it does late is not lost."""

    @staticmethod
    async def timed_out(
        gives: Callable[[], object], clock: FakeClock
    ) -> tuple[ToolRegistry, ToolResult, threading.Event]:
        goes_on = threading.Event()

        def body() -> object:
            goes_on.wait(10)
            return gives()

        registry = registry_with(made(body, mutating=True, timeout=0.02), clock=clock)
        result = await registry.call("wipe", {}, in_code(call_key=key()))
        return registry, result, goes_on

    async def test_its_late_result_is_done_late_and_told(self) -> None:
        registry, result, goes_on = await self.timed_out(lambda: "wiped", FakeClock())
        before = (await only_act(registry)).state
        goes_on.set()
        await eventually(lambda: not registry._deps.late)

        act = await only_act(registry)
        assert result.code == ErrorCode.OUTCOME_UNKNOWN
        assert (result.meta["timeout_exceeded"], result.meta["still_running"]) == (True, True)
        assert (before, act.state) == (ActState.UNKNOWN, ActState.DONE_LATE)
        assert '"data": "wiped"' in str(act.result)
        assert await decisions(registry) == ["act_unknown"]
        async with registry.record.reading() as stored:
            assert await stored.jobs.count() == 2  # told as unknown, and told again

    async def test_its_late_refusal_settles_that_nothing_was_done(self) -> None:
        def refuses() -> None:
            raise ToolError("busy")

        registry, _, goes_on = await self.timed_out(refuses, FakeClock())
        goes_on.set()
        await eventually(lambda: not registry._deps.late)

        assert (await only_act(registry)).state is ActState.SETTLED_NOT_DONE

    async def test_a_resumed_call_is_answered_with_the_late_result(self) -> None:
        registry, _, goes_on = await self.timed_out(lambda: "wiped", FakeClock())
        goes_on.set()
        await eventually(lambda: not registry._deps.late)

        again = await registry.call("wipe", {}, in_code(call_key=key()))

        assert again.data == "wiped"


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


async def test_a_host_frozen_before_the_callback_gives_the_act_back_and_claims_it_again() -> None:
    clock, ran = Lurching(), Ran()
    registry = registry_with(made(ran, mutating=True), clock=clock)
    clock.times = 1

    result = await registry.call("wipe", {}, in_code())

    act = await only_act(registry)
    assert result.data == "done"
    assert (act.state, act.attempt, len(ran.calls)) == (ActState.DONE, 2, 1)


async def test_a_host_that_stays_too_slow_does_nothing_and_says_so() -> None:
    clock, ran = Lurching(), Ran()
    registry = registry_with(made(ran, mutating=True), clock=clock)
    clock.times = 99

    result = await registry.call("wipe", {}, in_code())

    assert "Nothing was done" in str(result.error)
    assert (await only_act(registry)).state is ActState.VOID
    assert ran.calls == []


async def test_what_people_approved_is_tried_again_by_its_job_on_a_slow_host() -> None:
    clock, ran = Lurching(), Ran()
    registry = registry_with(made(ran, mutating=True), clock=clock)
    await registry.call("wipe", {}, by_ana())
    await answered(registry, clock, by="telegram:1")
    ctx = by_ana(consent=await consent_to(registry))
    async with registry.record.reading() as stored:
        jobs = await stored.jobs.count()
    clock.times = 99

    slow = await registry.call("wipe", {}, ctx)

    clock.times = 0
    async with registry.record.reading() as stored:
        assert await stored.jobs.count() == jobs + 1
    assert slow.type == "pending"
    assert (await registry.call("wipe", {}, ctx)).data == "done"
    assert len(ran.calls) == 1


class FrozenThenSwept(Lurching):
    """A clock under which the host freezes past its deadline right after the claim."""

    def __init__(self) -> None:
        super().__init__()
        self.by = 100.0


async def test_an_act_swept_while_its_host_was_frozen_is_settled_as_not_done() -> None:
    clock, ran = FrozenThenSwept(), Ran()
    record = SweptBeforeGivingBack(clock)
    registry = registry_with(made(ran, mutating=True), clock=clock, record=record)
    record.registry = registry
    clock.times = 1

    result = await registry.call("wipe", {}, in_code())

    assert "Not done" in str(result.error)
    assert (await only_act(registry)).state is ActState.SETTLED_NOT_DONE
    assert ran.calls == []


class SweptBeforeGivingBack(LosableRecord):
    """A record on which a sweep of another worker gets in before the second transaction."""

    registry: ToolRegistry | None = None

    def __init__(self, clock: FakeClock) -> None:
        super().__init__(memory_record(clock=clock))
        self.opened = 0

    def transaction(self, *, durable: bool = True) -> Any:
        self.opened += 1
        return self._with_sweep() if self.opened == 2 else super().transaction(durable=durable)

    def _with_sweep(self) -> Any:
        registry = self.registry
        inner = super().transaction()

        class Opening:
            async def __aenter__(self) -> Any:
                assert registry is not None
                await registry.sweep()
                return await inner.__aenter__()

            async def __aexit__(self, *error: Any) -> Any:
                return await inner.__aexit__(*error)

        return Opening()


class TestOneCallKey:
    """A resumed call finds its act instead of running again."""

    async def test_runs_once_and_answers_from_the_stored_result(self) -> None:
        ran = Ran(gives={"wiped": 3})
        registry = registry_with(made(ran, mutating=True))

        results = [await registry.call("wipe", {}, in_code(call_key=key())) for _ in range(3)]

        assert [one.data for one in results] == [{"wiped": 3}] * 3
        assert len(ran.calls) == 1
        assert await decisions(registry) == ["act_done", "act_not_claimed", "act_not_claimed"]

    async def test_of_many_at_once_one_runs_and_the_others_say_it_runs(self) -> None:
        goes_on, ran = asyncio.Event(), Ran()

        async def body() -> object:
            await goes_on.wait()
            return await ran()

        registry = registry_with(made(body, mutating=True))
        calls = [
            asyncio.ensure_future(registry.call("wipe", {}, in_code(call_key=key())))
            for _ in range(9)
        ]
        await asyncio.wait(calls, return_when=asyncio.FIRST_COMPLETED, timeout=1)
        goes_on.set()
        results = await asyncio.gather(*calls)

        assert len(ran.calls) == 1
        assert sorted(one.type for one in results) == ["generic"] + ["pending"] * 8

    async def test_another_index_is_another_act(self) -> None:
        ran = Ran()
        registry = registry_with(made(ran, mutating=True))

        for index in range(2):
            await registry.call("wipe", {}, in_code(call_key=key(index)))

        assert len(ran.calls) == 2

    async def test_a_resumed_call_finds_the_question_it_asked(self) -> None:
        registry = registry_with(made(Ran(), mutating=True))

        first, second = [await registry.call("wipe", {}, by_ana(call_key=key())) for _ in range(2)]

        async with registry.record.reading() as stored:
            assert len(await stored.questions.recent(state=None, limit=9)) == 1
        assert first.type == second.type == "confirmation"

    @pytest.mark.parametrize("yes", [True, False])
    async def test_a_resumed_call_hears_how_its_question_ended(self, yes: bool) -> None:
        clock = FakeClock()
        registry = registry_with(made(Ran(), mutating=True), clock=clock)
        await registry.call("wipe", {}, by_ana(call_key=key()))
        await answered(registry, clock, by="telegram:1", yes=yes)

        result = await registry.call("wipe", {}, by_ana(call_key=key()))

        assert result.success
        assert result.data == (
            {"status": "running"} if yes else {"decision": "cancelled", "reason": None}
        )


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
