"""What the record does not answer, or another caller takes meanwhile, is never guessed."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from comal_runtime.consent.question import TELL
from comal_runtime.consent.votes import EXECUTE_ACT
from comal_runtime.record import ActState, Record, StoreUnavailable, Transaction, memory_record
from comal_runtime.registry import ToolRegistry
from comal_runtime.testing import FakeClock

from .arranging import (
    LosableRecord,
    Ran,
    answered,
    by_ana,
    consent_to,
    eventually,
    in_code,
    key,
    made,
    newest_question,
    only_act,
    registry_with,
)
from .test_freezing import Lurching


class SilentRecord(LosableRecord):
    """A record that stores the `silent`th transaction from now and does not say so."""

    silent = 0

    @asynccontextmanager
    async def transaction(self, *, durable: bool = True) -> AsyncIterator[Transaction]:
        async with super().transaction(durable=durable) as tx:
            yield tx
        self.silent -= 1
        if self.silent == 0:
            raise StoreUnavailable("the COMMIT was not answered")


async def jobs(record: Record) -> list[tuple[str, str]]:
    async with record.reading() as stored:
        rows = await stored.jobs._sql.all("SELECT kind, key FROM jobs ORDER BY id", {})
    return [(kind, about) for kind, about in rows]


def silent_registry(clock: FakeClock) -> tuple[ToolRegistry, SilentRecord, Ran]:
    record, ran = SilentRecord(memory_record(clock=clock, hosted=True)), Ran()
    tool = made(ran, mutating=True, confirm=True)
    return registry_with(tool, clock=clock, record=record), record, ran


@pytest.mark.runtime_line(37)
async def test_a_token_whose_claim_was_not_answered_starts_nothing_and_its_act_is_void() -> None:
    registry, record, ran = silent_registry(FakeClock())
    asked = await registry.call("wipe", {}, in_code())
    question = await newest_question(record)
    await registry.audit.flush()
    record.silent = 1

    await registry.call("wipe", {}, in_code(), confirm_token=asked.confirm_token)
    await eventually(lambda: not registry._deps.late)

    act = await only_act(registry)
    assert ran.calls == []
    assert (act.state, act.attempt) == (ActState.VOID, 1)
    assert "nothing was done" in str(act.reason)
    assert (TELL, question.id) in await jobs(record)


@pytest.mark.runtime_line(37)
async def test_an_approved_act_whose_claim_was_not_answered_is_left_to_a_job_of_its_own() -> None:
    clock = FakeClock()
    registry, record, ran = silent_registry(clock)
    await registry.call("wipe", {}, by_ana())
    await answered(registry, clock, by="telegram:1")
    ctx = by_ana(consent=await consent_to(registry))
    question = await newest_question(record)
    await registry.audit.flush()
    before = (await jobs(record)).count((EXECUTE_ACT, question.id))
    record.silent = 1

    await registry.call("wipe", {}, ctx)
    await eventually(lambda: not registry._deps.late)

    assert (await jobs(record)).count((EXECUTE_ACT, question.id)) == before + 1
    assert (await only_act(registry)).state is ActState.APPROVED
    assert (await registry.call("wipe", {}, ctx)).data == "done"
    assert len(ran.calls) == 1


@pytest.mark.runtime_line(37)
async def test_what_a_slow_host_does_not_start_is_told_to_people() -> None:
    clock = Lurching()
    registry = registry_with(made(Ran(), mutating=True, confirm=True), clock=clock)
    asked = await registry.call("wipe", {}, in_code())
    question = await newest_question(registry.record)
    clock.times = 99

    await registry.call("wipe", {}, in_code(), confirm_token=asked.confirm_token)

    assert (await only_act(registry)).state is ActState.VOID
    assert (TELL, question.id) in await jobs(registry.record)


class TakenOver(LosableRecord):
    """A record on which somebody gets in before the `at`th transaction."""

    def __init__(self, inner: Record, at: int) -> None:
        super().__init__(inner)
        self.at = at
        self.takes_over: Callable[[], Awaitable[object]] | None = None

    @asynccontextmanager
    async def transaction(self, *, durable: bool = True) -> AsyncIterator[Transaction]:
        self.at -= 1
        if self.at == 0 and self.takes_over is not None:
            await self.takes_over()
        async with super().transaction(durable=durable) as tx:
            yield tx


@pytest.mark.runtime_line(29, 37)
async def test_a_slow_host_does_not_say_that_nothing_was_done_when_another_ran_it() -> None:
    clock, ran = Lurching(), Ran()
    inner = memory_record(clock=clock)
    slow_record = TakenOver(inner, at=7)  # three claims, each given back, then it is put off
    slow = registry_with(made(ran, mutating=True), clock=clock, record=slow_record)
    other = registry_with(made(ran, mutating=True), clock=FakeClock(), record=inner)
    slow_record.takes_over = lambda: other.call("wipe", {}, in_code(call_key=key()))
    clock.times = 99

    result = await slow.call("wipe", {}, in_code(call_key=key()))

    assert len(ran.calls) == 1
    assert result.data == "done"
    assert "Nothing was done" not in str(result.error)
