"""The chain: whatever fails, races or restarts, it has no gap; what is done to it shows."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from comal_runtime.audit import Head
from comal_runtime.record import Record, Repositories, StoreUnavailable, Transaction, memory_record
from comal_runtime.testing import FakeClock
from tests.runtime.stations.arranging import LosableRecord, Ran, in_code, made, registry_with

from .chaining import KEY, audit_over, file_record, heads_of, leave, outcome, tampered, verified


class Answerless:
    """A record whose commits succeed but, while `mute`, are not answered."""

    def __init__(self, inner: Record) -> None:
        self._inner = inner
        self.mute = False

    @asynccontextmanager
    async def transaction(self, *, durable: bool = True) -> AsyncIterator[Transaction]:
        async with self._inner.transaction(durable=durable) as tx:
            yield tx
        if self.mute:
            raise StoreUnavailable("whether it was stored is not known")

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Repositories]:
        async with self._inner.reading() as stored:
            yield stored

    def on_work(self, listener: Callable[[], None]) -> None:
        self._inner.on_work(listener)

    async def aclose(self) -> None:
        await self._inner.aclose()


async def test_records_of_several_batches_are_one_chain_that_holds() -> None:
    record = memory_record()
    audit = audit_over(record)
    await leave(audit, 3)

    await leave(audit, 300)

    report = await verified(record)
    assert report.whole
    assert (report.records, report.chains) == (303, 1)


async def test_acts_and_reads_that_end_at_once_hang_on_one_chain(tmp_path: Path) -> None:
    record = file_record(tmp_path)
    audit = audit_over(record)
    acts = made(Ran(), "act", mutating=True)
    registry = registry_with(acts, made(Ran(), "look"), record=record, audit=audit)

    await asyncio.gather(
        *(registry.call(name, {}, in_code()) for name in ("act", "look") for _ in range(40))
    )
    await audit.aclose()

    report = await verified(record)
    assert report.whole
    assert (report.records, report.chains) == (80, 1)
    await record.aclose()


async def test_two_processes_on_one_file_have_a_chain_each(tmp_path: Path) -> None:
    one, other = file_record(tmp_path), file_record(tmp_path)
    audits = [audit_over(one), audit_over(other)]

    for number in range(5):
        await asyncio.gather(*(leave(audit, 7, begin=number * 7) for audit in audits))

    report = await verified(one)
    assert report.whole
    assert (report.records, report.chains) == (70, 2)
    await one.aclose()
    await other.aclose()


async def test_what_a_transaction_undid_leaves_no_gap() -> None:
    record = memory_record()
    audit = audit_over(record)
    await leave(audit, 2)
    with pytest.raises(ZeroDivisionError):
        async with record.transaction() as tx:
            await audit.write(tx, outcome(9))
            raise ZeroDivisionError

    await leave(audit, 2)

    report = await verified(record)
    assert report.whole
    assert (report.records, report.chains) == (4, 1)


async def test_a_store_that_was_gone_leaves_no_gap() -> None:
    record = LosableRecord(memory_record())
    audit = audit_over(record)
    await leave(audit, 2)
    record.gone = True
    await leave(audit, 2)
    record.gone = False

    await audit.flush()

    report = await verified(record)
    assert report.whole
    assert report.records == 4


@pytest.mark.runtime_line(34)
async def test_a_batch_whose_commit_was_not_answered_is_stored_once() -> None:
    record = Answerless(memory_record())
    audit = audit_over(record)
    record.mute = True
    await leave(audit, 3)
    record.mute = False

    await leave(audit, 1, begin=3)

    async with record.reading() as stored:
        found = [one.request_id for _, one in await stored.audit.after(0, limit=9)]
    assert found == ["r0", "r1", "r2", "r3"]
    assert (await verified(record)).whole


async def test_a_chain_in_memory_that_drops_its_oldest_still_holds() -> None:
    record = memory_record()
    audit = audit_over(record, keep=5)
    await leave(audit, 4)

    await leave(audit, 8)

    report = await verified(record)
    assert report.whole
    assert report.records == 5


async def test_a_new_chain_takes_the_heads_before_it_down() -> None:
    record = memory_record()
    await leave(audit_over(record), 2)
    [first] = await heads_of(record)
    await leave(audit_over(record), 1)

    await leave(audit_over(record), 1)

    async with record.reading() as stored:
        starts = {one.id: json.loads(one.start)["heads"] for one in await stored.audit.chains()}
        unfollowed = await stored.audit.unfollowed()
    [newest] = unfollowed
    [[second, place, _]] = starts[newest.id]
    assert (second, place) == (second, 0)
    assert starts[second] == [[first.chain, first.place, first.mac]]
    assert starts[first.chain] == []


async def test_records_cut_off_while_the_host_runs_are_told_by_the_next_chain(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    record = file_record(tmp_path)
    audit = audit_over(record)
    await leave(audit, 2)
    async with record.reading() as stored:
        [before] = await stored.audit.chains()
    await leave(audit, 3)
    tampered(
        tmp_path / "c.db",
        "DELETE FROM audit WHERE place > 1",
        f"UPDATE audit_chains SET last = 1, mac = '{before.mac}', seal = '{before.seal}'",
    )

    await leave(audit, 1)

    report = await verified(record)
    assert [one.breach for one in report.problems] == ["truncated"]
    assert "audit.chain_cut" in caplog.text
    await record.aclose()


def test_a_head_reads_as_it_is_written() -> None:
    head = Head("c-1", 7, "ab" * 32)

    assert Head.read(str(head)) == head


@pytest.mark.parametrize("text", ["", "c", "c:1", "c:x:" + "a" * 64, "c:1:aa", ":1:" + "a" * 64])
def test_what_is_no_head_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        Head.read(text)


async def test_without_a_key_of_its_own_a_chain_cannot_be_verified_by_others() -> None:
    record = memory_record()
    await leave(audit_over(record, key=None), 1)

    report = await verified(record, keys=[KEY])

    assert [one.breach for one in report.problems] == ["unverifiable"]


async def test_the_digest_that_the_mac_covers_is_over_the_true_arguments() -> None:
    record = memory_record(clock=FakeClock())
    await leave(audit_over(record), 1)

    async with record.reading() as stored:
        [(_, one)] = await stored.audit.after(0, limit=9)

    assert "hunter2" not in one.args
    assert one.shown_digest not in (None, one.args_digest)
