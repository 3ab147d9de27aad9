"""What a transaction promises."""

import asyncio

import pytest

from comal_runtime.record import NestedTransaction, Record
from comal_runtime.testing import FakeClock

from .rows import NOW, job, question


class RefusedByTest(Exception):
    """Raised inside a transaction, to undo it."""


async def opened(record: Record, key: str) -> None:
    async with record.transaction() as tx:
        await tx.questions.open(question(key))


async def refused(record: Record, key: str) -> None:
    """Open a question and a job, and raise."""
    async with record.transaction() as tx:
        await tx.questions.open(question(key))
        tx.defer(job(key))
        raise RefusedByTest


async def is_stored(record: Record, key: str) -> bool:
    async with record.reading() as stored:
        return await stored.questions.get(key) is not None


class TransactionsContract:
    """Inherit it and give a `record` with the given `clock`, whose deferred jobs are kept."""

    async def test_what_a_transaction_wrote_is_read_after_it(self, record: Record) -> None:
        await opened(record, "q1")

        assert await is_stored(record, "q1")

    async def test_a_transaction_that_raises_leaves_nothing(self, record: Record) -> None:
        with pytest.raises(RefusedByTest):
            await refused(record, "q1")

        async with record.reading() as stored:
            assert await stored.questions.get("q1") is None
            assert await stored.jobs.count() == 0

    async def test_one_that_raises_undoes_nothing_of_its_neighbours(self, record: Record) -> None:
        ended = await asyncio.gather(
            opened(record, "a commit to queue behind"),
            opened(record, "before"),
            refused(record, "bad"),
            opened(record, "after"),
            return_exceptions=True,
        )

        assert [type(one) for one in ended[1:]] == [type(None), RefusedByTest, type(None)]
        assert await is_stored(record, "before")
        assert await is_stored(record, "after")
        assert not await is_stored(record, "bad")

    async def test_a_deferred_job_is_there_after_the_commit_and_not_before(
        self, record: Record
    ) -> None:
        async with record.transaction() as tx:
            tx.defer(job("k1"))
            inside = await tx.jobs.count()

        async with record.transaction() as tx:
            claimed = await tx.jobs.claim("w", now=NOW, lease_until=NOW + 10, limit=9)
        assert inside == 0
        assert [one.job for one in claimed] == [job("k1")]

    async def test_a_delayed_job_is_due_when_its_delay_is_over(self, record: Record) -> None:
        async with record.transaction() as tx:
            tx.defer(job("later"), delay=30)

        async with record.transaction() as tx:
            early = await tx.jobs.claim("w", now=NOW + 29, lease_until=NOW + 60, limit=9)
            due = await tx.jobs.claim("w", now=NOW + 30, lease_until=NOW + 60, limit=9)
        assert early == []
        assert [one.job.key for one in due] == ["later"]

    async def test_listeners_hear_of_stored_work_and_of_nothing_else(self, record: Record) -> None:
        heard: list[bool] = []
        record.on_work(lambda: heard.append(True))

        await opened(record, "no work")
        with pytest.raises(RefusedByTest):
            await refused(record, "undone")
        before = len(heard)
        async with record.transaction() as tx:
            tx.defer(job("done"))

        assert before == 0
        assert heard == [True]

    async def test_a_transaction_inside_another_raises_and_spoils_neither(
        self, record: Record
    ) -> None:
        async with record.transaction() as tx:
            await tx.questions.open(question("outer"))
            with pytest.raises(NestedTransaction):
                await opened(record, "inner")

        assert await is_stored(record, "outer")
        assert not await is_stored(record, "inner")

    async def test_a_task_that_was_nested_may_open_the_next_one(self, record: Record) -> None:
        with pytest.raises(NestedTransaction):
            async with record.transaction():
                await opened(record, "inner")

        await opened(record, "next")

        assert await is_stored(record, "next")

    async def test_a_hundred_writers_at_once_are_all_stored(self, record: Record) -> None:
        await asyncio.gather(*(opened(record, f"q{n}") for n in range(100)))

        async with record.reading() as stored:
            assert len(await stored.questions.recent(state=None, limit=200)) == 100

    async def test_more_writers_than_one_commit_takes_are_all_stored(self, record: Record) -> None:
        await asyncio.gather(*(opened(record, f"q{n}") for n in range(600)))

        async with record.reading() as stored:
            assert len(await stored.questions.recent(state=None, limit=900)) == 600

    async def test_durable_and_relaxed_writers_do_not_disturb_each_other(
        self, record: Record
    ) -> None:
        async def relaxed(key: str) -> None:
            async with record.transaction(durable=False) as tx:
                await tx.questions.open(question(key))

        writers = (opened(record, f"d{n}") if n % 3 else relaxed(f"r{n}") for n in range(60))
        await asyncio.gather(*writers)

        async with record.reading() as stored:
            assert len(await stored.questions.recent(state=None, limit=200)) == 60

    @pytest.mark.parametrize("ticks", range(12))
    async def test_cancelling_a_writer_at_any_tick_wedges_nobody(
        self, record: Record, ticks: int
    ) -> None:
        writers = [asyncio.ensure_future(opened(record, f"q{n}")) for n in range(9)]
        for _ in range(ticks):
            await asyncio.sleep(0)
        for writer in writers[::2]:
            writer.cancel()
        ended = await asyncio.wait_for(asyncio.gather(*writers, return_exceptions=True), 10)

        await asyncio.wait_for(opened(record, "after"), 10)

        assert await is_stored(record, "after")
        for number, one in enumerate(ended):
            if one is None:
                assert await is_stored(record, f"q{number}")

    @pytest.mark.parametrize("ticks", range(6))
    async def test_cancelling_inside_a_transaction_undoes_it_and_wedges_nobody(
        self, record: Record, ticks: int
    ) -> None:
        async def halting() -> None:
            async with record.transaction() as tx:
                await tx.questions.open(question("halted"))
                for _ in range(20):
                    await asyncio.sleep(0)

        halted = asyncio.ensure_future(halting())
        others = [asyncio.ensure_future(opened(record, f"q{n}")) for n in range(3)]
        for _ in range(1 + ticks):
            await asyncio.sleep(0)
        halted.cancel()
        await asyncio.wait_for(asyncio.gather(halted, *others, return_exceptions=True), 10)

        await asyncio.wait_for(opened(record, "after"), 10)

        assert halted.cancelled()
        assert not await is_stored(record, "halted")
        assert await is_stored(record, "q2")

    async def test_the_time_of_a_job_is_the_clocks(self, record: Record, clock: FakeClock) -> None:
        clock.advance(100)
        async with record.transaction() as tx:
            tx.defer(job())

        async with record.reading() as stored:
            assert await stored.jobs.next_due() == NOW + 100
