"""Budgets in the record: every promise of budgets, and what sharing and restarting ask for."""

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from comal_runtime.rate_limit import GcraBudgets, Limit, RecordRateLimiter
from comal_runtime.record import Moment, Record, SqliteRecord, StoreUnavailable, memory_record

from ..stations.arranging import LosableRecord
from .contract import BudgetsContract
from .steps import SteppingClock, charge, charged, waited

STEPS = st.lists(
    st.tuples(
        st.sampled_from(["a", "b"]),
        st.sampled_from([0, 1, 2, 5]),
        st.sampled_from([Limit(amount=5, per=10), Limit(amount=2, per=60)]),
        st.sampled_from([0, 0.25, 1, 7, 61]),
    ),
    max_size=30,
)


class TestInMemory(BudgetsContract):
    @pytest.fixture
    def budgets(self, clock: SteppingClock) -> RecordRateLimiter:
        return RecordRateLimiter(memory_record(clock=clock))


class TestInFile(BudgetsContract):
    @pytest.fixture
    async def budgets(
        self, tmp_path: Path, clock: SteppingClock
    ) -> AsyncIterator[RecordRateLimiter]:
        record = SqliteRecord(tmp_path / "comal.db", clock=clock)
        yield RecordRateLimiter(record)
        await record.aclose()


@pytest.fixture
def clock() -> SteppingClock:
    return SteppingClock()


async def rows(record: Record, clock: SteppingClock) -> list[str]:
    async with record.reading() as stored:
        return [one.key for one in await stored.limits.spent(Moment.of(clock), limit=100)]


async def test_two_workers_on_one_record_share_every_budget(
    tmp_path: Path, clock: SteppingClock
) -> None:
    workers = [SqliteRecord(tmp_path / "comal.db", clock=clock) for _ in range(2)]
    limiters = [RecordRateLimiter(record) for record in workers]
    limit = Limit(amount=20, per=60)

    found = await asyncio.gather(
        *(charged(limiters[n % 2], clock, charge(limit=limit)) for n in range(60))
    )

    assert found.count(None) == 20
    for record in workers:
        await record.aclose()


SPENDING = """
import asyncio, sys
from pathlib import Path
from comal_runtime.clock import SystemClock
from comal_runtime.rate_limit import Charge, Limit, RecordRateLimiter
from comal_runtime.record import SqliteRecord

async def spend():
    record = SqliteRecord(Path(sys.argv[1]))
    limiter, clock = RecordRateLimiter(record), SystemClock()
    limit = Limit(amount=20, per=36000)
    charges = [Charge(key="use", cost=1, limit=limit), Charge(key="all", cost=1, limit=limit)]
    found = [await limiter.charge(charges, clock) for _ in range(30)]
    await record.aclose()
    print(found.count(None))

asyncio.run(spend())
"""


async def test_two_processes_let_through_together_what_one_would(tmp_path: Path) -> None:
    path = tmp_path / "comal.db"
    await SqliteRecord(path).aclose()

    running = [
        await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", SPENDING, str(path)), stdout=asyncio.subprocess.PIPE
        )
        for _ in range(3)
    ]
    told = [await process.communicate() for process in running]

    assert sum(int(out) for out, _ in told) == 20


async def test_a_restarted_process_goes_on_counting(tmp_path: Path, clock: SteppingClock) -> None:
    first = SqliteRecord(tmp_path / "comal.db", clock=clock)
    await charged(RecordRateLimiter(first), clock, charge(cost=2))
    await first.aclose()
    clock.advance(10)
    second = SqliteRecord(tmp_path / "comal.db", clock=clock)

    wait = await waited(RecordRateLimiter(second), clock)

    assert wait == pytest.approx(20)
    await second.aclose()


async def test_a_restarted_machine_goes_by_the_wall_clock(clock: SteppingClock) -> None:
    limiter = RecordRateLimiter(memory_record(clock=clock))
    await charged(limiter, clock, charge(cost=2))
    clock.advance(10)
    clock.restart()

    wait = await waited(limiter, clock)
    clock.advance(wait)

    assert wait == pytest.approx(20)
    assert await waited(limiter, clock) == 0


async def test_a_machine_restarted_with_its_clock_set_back_holds_nobody_up_for_long(
    clock: SteppingClock,
) -> None:
    limiter = RecordRateLimiter(memory_record(clock=clock))
    await charged(limiter, clock, charge(cost=2))
    clock.restart()
    clock.set_wall(-1e9)

    wait = await waited(limiter, clock)
    clock.advance(wait)

    assert wait == pytest.approx(30)
    assert await waited(limiter, clock) == 0


async def test_keys_that_are_full_again_are_deleted_in_passing(clock: SteppingClock) -> None:
    record = memory_record(clock=clock)
    limiter = RecordRateLimiter(record)
    for number in range(20):
        await charged(limiter, clock, charge(f"stranger {number}"))
    clock.advance(120)
    await charged(limiter, clock, charge("ana"))

    async with record.reading() as stored:
        kept = await stored.limits._sql.all("SELECT key FROM limits", {})

    assert kept == [("ana",)]


async def test_a_refilled_budget_is_full_at_once(clock: SteppingClock) -> None:
    record = memory_record(clock=clock)
    limiter = RecordRateLimiter(record)
    await charged(limiter, clock, charge(cost=2))
    async with record.transaction() as tx:
        refilled = [await tx.limits.refill("k") for _ in range(2)]

    assert refilled == [True, False]
    assert await rows(record, clock) == []
    assert await waited(limiter, clock, charge(cost=2)) == 0


async def test_a_store_that_is_gone_is_told_to_whoever_charges(clock: SteppingClock) -> None:
    record = LosableRecord(memory_record(clock=clock))
    record.gone = True

    with pytest.raises(StoreUnavailable):
        await charged(RecordRateLimiter(record), clock)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(steps=STEPS)
def test_the_record_and_memory_answer_alike(steps: list[tuple[str, int, Limit, float]]) -> None:
    async def both() -> tuple[list[float], list[float]]:
        clock, memory = SteppingClock(), GcraBudgets()
        stored = RecordRateLimiter(memory_record(clock=clock))
        told: tuple[list[float], list[float]] = ([], [])
        for key, cost, limit, pause in steps:
            clock.advance(pause)
            for budgets, waits in zip((memory, stored), told, strict=True):
                waits.append(await waited(budgets, clock, charge(key, cost, limit)))
        return told

    in_memory, in_record = asyncio.run(both())

    assert in_record == pytest.approx(in_memory, abs=1e-5)
