"""One running event loop at a time; one after another as ever."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from comal_runtime.record import ForeignLoop, SqliteRecord


@pytest.fixture(params=["memory", "file"])
def record(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SqliteRecord]:
    made = SqliteRecord(None if request.param == "memory" else tmp_path / "c.db")
    yield made
    asyncio.run(made.aclose())


async def written(record: SqliteRecord) -> bool:
    async with record.transaction() as tx:
        await tx.audit.add([])
    return True


async def looked(record: SqliteRecord) -> bool:
    async with record.reading() as stored:
        return await stored.jobs.count() == 0


def test_loops_one_after_another_may_use_a_record(record: SqliteRecord) -> None:
    assert [asyncio.run(written(record)) for _ in range(3)] == [True] * 3


@pytest.mark.parametrize("use", [written, looked])
def test_a_second_running_loop_is_refused_and_the_first_goes_on(
    record: SqliteRecord, use: Callable[[SqliteRecord], Coroutine[None, None, bool]]
) -> None:
    async def main() -> bool:
        await written(record)
        with pytest.raises(ForeignLoop, match="give each loop its own"):
            await asyncio.to_thread(lambda: asyncio.run(use(record)))
        return await written(record)

    assert asyncio.run(main())


def test_what_a_closed_loop_left_open_holds_nobody_up(record: SqliteRecord) -> None:
    loop = asyncio.new_event_loop()

    async def stops_inside() -> None:
        async with record.transaction():
            loop.stop()
            await asyncio.Event().wait()

    with ExitStack() as stack:
        stack.callback(loop.close)
        left = loop.create_task(stops_inside())
        loop.run_forever()
        left._log_destroy_pending = False  # type: ignore[attr-defined]  # it is left on purpose

    assert asyncio.run(asyncio.wait_for(written(record), 5))


def test_a_loop_that_may_go_on_with_its_work_keeps_the_record(record: SqliteRecord) -> None:
    loop = asyncio.new_event_loop()
    goes_on = asyncio.Event()

    async def waits_inside() -> None:
        async with record.transaction():
            loop.call_soon(loop.stop)
            await goes_on.wait()

    waiting = loop.create_task(waits_inside())
    loop.run_forever()

    with pytest.raises(ForeignLoop):
        asyncio.run(written(record))
    goes_on.set()
    loop.run_until_complete(waiting)
    loop.close()
