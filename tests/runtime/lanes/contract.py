"""What every engine of ordered work must do; backends inherit it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from comal_runtime.lanes import Handlers, Lanes
from comal_runtime.record import Job, Record

Make = Callable[[str], Lanes]


@asynccontextmanager
async def working(lanes: Lanes, handlers: Handlers) -> AsyncIterator[None]:
    """Let a worker run until the block ends."""
    task = asyncio.create_task(lanes.run(handlers))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def until(check: Callable[[], object], timeout: float = 10.0) -> None:
    """Wait until `check` is true."""
    async with asyncio.timeout(timeout):
        while not check():
            await asyncio.sleep(0.01)


async def idle(lanes: Lanes, timeout: float = 10.0) -> None:
    """Wait until no job is left."""
    async with asyncio.timeout(timeout):
        while not await lanes.idle():
            await asyncio.sleep(0.01)


async def defer(record: Record, *jobs: Job) -> None:
    """Leave jobs behind in one transaction."""
    async with record.transaction() as tx:
        for job in jobs:
            tx.defer(job)


def job(lane: str, key: str) -> Job:
    """Return a job of the one kind these tests know."""
    return Job(kind="note", lane=lane, key=key)


class LanesContract:
    """Inherited with the fixtures `record` and `make`, whose leases last 0.6 s."""

    async def test_jobs_of_a_lane_run_one_at_a_time_in_their_order(
        self, record: Record, make: Make
    ) -> None:
        seen: list[str] = []
        inside: set[str] = set()

        async def note(key: str) -> None:
            lane = key[0]
            assert lane not in inside
            inside.add(lane)
            await asyncio.sleep(0.001)
            inside.discard(lane)
            seen.append(key)

        await defer(record, *(job(lane, f"{lane}{n}") for n in range(8) for lane in "abc"))
        lanes = make("one")
        async with working(lanes, {"note": note}):
            await idle(lanes)

        for lane in "abc":
            assert [key for key in seen if key[0] == lane] == [f"{lane}{n}" for n in range(8)]

    async def test_a_slow_lane_holds_no_other_up(self, record: Record, make: Make) -> None:
        release, seen = asyncio.Event(), []

        async def note(key: str) -> None:
            if key == "slow":
                await release.wait()
            seen.append(key)

        await defer(record, job("a", "slow"), job("a", "after"), job("b", "free"))
        lanes = make("one")
        async with working(lanes, {"note": note}):
            await until(lambda: "free" in seen)
            before = list(seen)
            release.set()
            await idle(lanes)

        assert before == ["free"]
        assert seen == ["free", "slow", "after"]

    async def test_a_job_that_outlasts_its_lease_is_not_done_twice(
        self, record: Record, make: Make
    ) -> None:
        begun: list[str] = []

        async def note(key: str) -> None:
            begun.append(key)
            await asyncio.sleep(1.5)

        await defer(record, job("a", "long"))
        one, two = make("one"), make("two")
        async with working(one, {"note": note}), working(two, {"note": note}):
            await until(lambda: begun)
            await idle(one)

        assert begun == ["long"]

    async def test_two_workers_do_each_job_once_and_keep_the_order(
        self, record: Record, make: Make
    ) -> None:
        seen: list[str] = []

        async def note(key: str) -> None:
            await asyncio.sleep(0.002)
            seen.append(key)

        await defer(record, *(job(lane, f"{lane}{n:02}") for n in range(10) for lane in "abcde"))
        one, two = make("one"), make("two")
        async with working(one, {"note": note}), working(two, {"note": note}):
            await idle(one)
            await idle(two)

        assert len(seen) == len(set(seen)) == 50
        for lane in "abcde":
            of_lane = [key for key in seen if key[0] == lane]
            assert of_lane == sorted(of_lane)

    async def test_a_failing_job_is_tried_again_and_its_lane_waits(
        self, record: Record, make: Make
    ) -> None:
        seen: list[str] = []

        async def note(key: str) -> None:
            seen.append(key)
            if seen.count("first") < 2 and key == "first":
                raise ValueError("not yet")

        await defer(record, job("a", "first"), job("a", "second"), job("b", "other"))
        lanes = make("one")
        async with working(lanes, {"note": note}):
            await idle(lanes)

        assert [key for key in seen if key != "other"] == ["first", "first", "second"]

    async def test_what_a_stopped_worker_left_is_done_by_the_next(
        self, record: Record, make: Make
    ) -> None:
        begun, seen = [], []

        async def hang(key: str) -> None:
            begun.append(key)
            await asyncio.sleep(60)

        async def note(key: str) -> None:
            seen.append(key)

        await defer(record, job("a", "left"))
        first = asyncio.create_task(make("one").run({"note": hang}))
        await until(lambda: begun)
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        lanes = make("two")
        async with working(lanes, {"note": note}):
            await idle(lanes)

        assert seen == ["left"]

    async def test_a_dead_workers_job_is_taken_when_its_lease_ends(
        self, record: Record, make: Make, died: Callable[[], Awaitable[None]]
    ) -> None:
        seen: list[str] = []

        async def note(key: str) -> None:
            seen.append(key)

        await defer(record, job("a", "orphan"))
        await died()
        lanes = make("two")
        async with working(lanes, {"note": note}):
            await idle(lanes)

        assert seen == ["orphan"]

    async def test_a_worker_whose_loop_was_blocked_undoes_nothing_of_its_heir(
        self, record: Record, make: Make, died: Callable[[], Awaitable[None]]
    ) -> None:
        """A late end by a worker that lost its job neither ends nor frees the heir's."""
        release, seen = asyncio.Event(), []

        async def note(key: str) -> None:
            seen.append(key)
            await release.wait()

        await defer(record, job("a", "contested"), job("a", "next"))
        await died()
        lanes = make("two")
        async with working(lanes, {"note": note}):
            await until(lambda: seen)
            async with record.transaction() as tx:
                late = await tx.jobs.finish(1, "dead")
                await tx.jobs.release(1, "dead", run_at=0.0, error=None, failed=True)
            await asyncio.sleep(0.3)
            before = list(seen)
            release.set()
            await idle(lanes)

        assert late is False
        assert before == ["contested"]
        assert seen == ["contested", "next"]
