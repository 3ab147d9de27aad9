"""What the jobs repository promises."""

import asyncio

from comal_runtime.record import ClaimedJob, Record

from .rows import NOW, job


async def added(record: Record, *keys: str, lane: str = "lane") -> None:
    async with record.transaction() as tx:
        for key in keys:
            await tx.jobs.add(job(key, lane), run_at=NOW)


async def claimed(
    record: Record, owner: str = "w", *, now: float = NOW, limit: int = 9
) -> list[ClaimedJob]:
    async with record.transaction() as tx:
        return await tx.jobs.claim(owner, now=now, lease_until=now + 10, limit=limit)


def keys(jobs: list[ClaimedJob]) -> list[str]:
    return [one.job.key for one in jobs]


class JobsContract:
    """Inherit it and give a `record`."""

    async def test_of_many_workers_one_gets_a_job(self, record: Record) -> None:
        await added(record, "k1")

        got = await asyncio.gather(*(claimed(record, f"w{n}") for n in range(20)))

        assert sum(len(one) for one in got) == 1

    async def test_a_lane_gives_its_jobs_one_after_the_other(self, record: Record) -> None:
        await added(record, "a1", "a2", lane="a")
        await added(record, "b1", lane="b")

        first = await claimed(record)
        blocked = await claimed(record)
        async with record.transaction() as tx:
            assert await tx.jobs.finish(first[0].id, "w")
        then = await claimed(record)

        assert keys(first) == ["a1", "b1"]
        assert blocked == []
        assert keys(then) == ["a2"]

    async def test_a_job_whose_lease_ended_goes_to_another_and_its_first_owner_cannot_finish_it(
        self, record: Record
    ) -> None:
        await added(record, "k1")
        [mine] = await claimed(record, "slow")

        while_held = await claimed(record, "fast", now=NOW + 10)
        [theirs] = await claimed(record, "fast", now=NOW + 10.1)

        async with record.transaction() as tx:
            assert not await tx.jobs.finish(mine.id, "slow")
            assert await tx.jobs.finish(theirs.id, "fast")
        assert while_held == []
        assert (mine.attempts, theirs.attempts) == (1, 2)

    async def test_a_renewed_job_stays_with_its_owner(self, record: Record) -> None:
        await added(record, "k1")
        [mine] = await claimed(record, "slow")
        async with record.transaction() as tx:
            await tx.jobs.renew("other", [mine.id], lease_until=NOW)
            await tx.jobs.renew("slow", [mine.id], lease_until=NOW + 100)

        assert await claimed(record, "fast", now=NOW + 50) == []

    async def test_a_released_job_is_due_when_it_was_released_for(self, record: Record) -> None:
        await added(record, "k1")
        [mine] = await claimed(record)
        async with record.transaction() as tx:
            await tx.jobs.release(mine.id, "w", run_at=NOW + 5, error="later", failed=True)

        assert await claimed(record, now=NOW + 4) == []
        assert keys(await claimed(record, now=NOW + 5)) == ["k1"]

    async def test_a_buried_job_lets_its_lane_go_on(self, record: Record) -> None:
        await added(record, "k1", "k2")
        [mine] = await claimed(record)
        async with record.transaction() as tx:
            await tx.jobs.bury(mine.id, "w", error="always fails")

        assert keys(await claimed(record)) == ["k2"]
        async with record.reading() as stored:
            assert await stored.jobs.count() == 1

    async def test_the_next_job_is_due_when_the_earliest_is_free(self, record: Record) -> None:
        async with record.reading() as stored:
            nothing = await stored.jobs.next_due()
        async with record.transaction() as tx:
            await tx.jobs.add(job("k1", "a"), run_at=NOW + 7)

        async with record.reading() as stored:
            waiting = await stored.jobs.next_due()
        await claimed(record, now=NOW + 8)
        async with record.reading() as stored:
            held = await stored.jobs.next_due()

        assert (nothing, waiting, held) == (None, NOW + 7, NOW + 18)
