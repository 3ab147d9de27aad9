"""What waits goes to the record with the next act's end, and a crowd is stored by who meets it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from comal_runtime.context import ToolContext
from comal_runtime.record import Record, RecordError, StoreUnavailable, Transaction, memory_record
from comal_runtime.registry import ToolRegistry

from ..stations.arranging import LosableRecord, Ran, in_code, made, registry_with
from .chaining import audit_over, leave, outcome, verified


class Counting(LosableRecord):
    """Counts transactions; after `mute` one is stored and not answered, after `refuse` undone."""

    def __init__(self) -> None:
        super().__init__(memory_record())
        self.count = 0
        self.mute = False
        self.refuse = False

    @asynccontextmanager
    async def transaction(self, *, durable: bool = True) -> AsyncIterator[Transaction]:
        self.count += 1
        async with super().transaction(durable=durable) as tx:
            yield tx
            if self.refuse:
                raise StoreUnavailable("the record did not commit")
        if self.mute:
            raise StoreUnavailable("the COMMIT was not answered")


def asking(request: str) -> ToolContext:
    return replace(in_code(), request_id=request)


async def requests_in(record: Record) -> list[str]:
    async with record.reading() as stored:
        return [one.request_id for _, one in await stored.audit.after(0, limit=30_000)]


def registry_over(record: Record, **options: object) -> ToolRegistry:
    return registry_with(made(Ran(), **options), record=record)


async def test_a_caller_that_never_waits_loses_no_record() -> None:
    record = memory_record()
    registry = registry_over(record)

    for number in range(2_000):
        await registry.call("wipe", {}, asking(f"r{number}"))

    assert len(await requests_in(record)) >= 2_000 - 513  # the rest waits, nothing is dropped
    await registry.audit.flush()
    assert await requests_in(record) == [f"r{number}" for number in range(2_000)]


async def test_a_crowd_before_a_store_that_is_gone_costs_no_call_a_try(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("comal_runtime.audit.logger._CROWD", 3)
    record = Counting()
    registry = registry_over(record)
    record.gone = True
    for _ in range(20):
        await registry.call("wipe", {}, in_code())
    tries = record.count

    record.gone = False
    await registry.audit.flush()

    assert tries == 1
    assert len(await requests_in(record)) == 20


async def test_what_led_to_an_act_is_stored_with_its_end_and_before_it() -> None:
    record = Counting()
    registry = registry_over(record, mutating=True, confirm=True)
    asked = await registry.call("wipe", {}, asking("asks"))
    before = record.count

    token = asked.confirm_token
    await registry.call("wipe", {}, asking("redeems"), confirm_token=token)

    assert record.count - before == 2  # the claim and the end
    assert await requests_in(record) == ["asks", "redeems"]


@pytest.mark.parametrize("fault", ["mute", "refuse", "gone"])
async def test_what_waited_for_an_end_that_was_not_stored_is_stored_once(fault: str) -> None:
    record = Counting()
    audit = audit_over(record)
    await leave(audit, 1)
    audit.hand_over(outcome(1))
    setattr(record, fault, True)
    batch = None
    with pytest.raises(RecordError):
        async with record.transaction() as tx:
            batch = await audit.write(tx, outcome(2))
    if batch is not None:
        audit.not_written(batch)
    setattr(record, fault, False)

    await leave(audit, 1, begin=3)

    own = ["r2"] if fault == "mute" else []
    assert sorted(await requests_in(record)) == ["r0", "r1", *own, "r3"]
    assert (await verified(record)).whole


async def test_two_batches_of_one_failed_commit_are_both_kept() -> None:
    record = Counting()
    audit = audit_over(record)
    batches = []
    for number in (0, 2):
        audit.hand_over(outcome(number))
        record.refuse = True
        with pytest.raises(RecordError):
            async with record.transaction() as tx:
                batches.append(await audit.write(tx, outcome(number + 1)))
        record.refuse = False
    for batch in batches:
        audit.not_written(batch)

    await audit.flush()

    assert await requests_in(record) == ["r0", "r2"]
    assert (await verified(record)).whole
