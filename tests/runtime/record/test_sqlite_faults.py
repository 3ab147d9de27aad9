"""What the file record does when the store, another worker or a cancellation gets in its way."""

import asyncio
import inspect
import sqlite3
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from comal_runtime.record import QuestionState, Record, SqliteRecord, StoreUnavailable
from comal_runtime.testing import FakeClock

from .contracts.rows import NOW, question, stored_act, stored_question
from .contracts.transactions import is_stored, opened

VOTE_ON_NOTHING = (
    "INSERT INTO votes (question, person, identity, choice, at) VALUES ('none', 'p', 'i', 'y', 0)"
)


@pytest.fixture
async def record(tmp_path: Path, clock: FakeClock) -> AsyncIterator[SqliteRecord]:
    record = SqliteRecord(tmp_path / "comal.db", clock=clock)
    yield record
    await record.aclose()


@pytest.fixture
async def other(tmp_path: Path, record: SqliteRecord) -> AsyncIterator[SqliteRecord]:
    """Another worker's record on the same file."""
    other = SqliteRecord(tmp_path / "comal.db", clock=FakeClock())
    yield other
    await other.aclose()


def write_lock(path: Path) -> sqlite3.Connection:
    """Hold the file's write lock, as a worker in another process would."""
    holder = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    holder.execute("BEGIN IMMEDIATE")
    return holder


async def uncommittable(record: Record) -> None:
    """Leave behind a row that only COMMIT finds out about."""
    async with record.transaction() as tx:
        await tx.questions.open(question("spoils the group"))
        await tx.questions._sql.execute("PRAGMA defer_foreign_keys = ON", {})
        await tx.questions._sql.execute(VOTE_ON_NOTHING, {})


async def test_a_reader_sees_only_what_is_committed(record: SqliteRecord) -> None:
    async with record.transaction() as tx:
        await tx.questions.open(question("q1"))
        during = await asyncio.create_task(is_stored(record, "q1"))

    assert not during
    assert await is_stored(record, "q1")


async def test_a_failed_commit_is_told_to_everybody_of_its_group(record: SqliteRecord) -> None:
    ended = await asyncio.gather(
        opened(record, "a commit to queue behind"),
        opened(record, "a"),
        uncommittable(record),
        opened(record, "b"),
        return_exceptions=True,
    )

    assert [type(one) for one in ended] == [type(None), *[StoreUnavailable] * 3]
    assert not await is_stored(record, "a")
    assert not await is_stored(record, "spoils the group")


async def test_the_group_after_a_failed_commit_is_stored(record: SqliteRecord) -> None:
    with pytest.raises(StoreUnavailable):
        await uncommittable(record)

    await opened(record, "next")

    assert await is_stored(record, "next")


async def test_a_statement_that_cannot_run_undoes_its_own_transaction_only(
    record: SqliteRecord,
) -> None:
    async def broken() -> None:
        async with record.transaction() as tx:
            await tx.questions.open(question("broken"))
            await tx.questions._sql.execute("INSERT INTO nowhere VALUES (1)", {})

    ended = await asyncio.gather(
        opened(record, "a commit to queue behind"),
        opened(record, "a"),
        broken(),
        opened(record, "b"),
        return_exceptions=True,
    )

    told = [type(one) for one in ended]
    assert told == [type(None), type(None), StoreUnavailable, type(None)]
    assert [await is_stored(record, key) for key in ("a", "broken", "b")] == [True, False, True]


async def test_a_group_that_the_store_rolled_back_is_told_to_everybody_of_it(
    record: SqliteRecord,
) -> None:
    async def rolled_back() -> None:
        async with record.transaction() as tx:
            await tx.questions._sql.execute("ROLLBACK", {})

    ended = await asyncio.gather(
        opened(record, "a commit to queue behind"),
        opened(record, "a"),
        rolled_back(),
        opened(record, "b"),
        return_exceptions=True,
    )

    told = [type(one) for one in ended]
    assert told == [type(None), StoreUnavailable, StoreUnavailable, type(None)]
    assert not await is_stored(record, "a")
    assert await is_stored(record, "b")


async def test_of_two_workers_on_one_file_one_claims_an_act(
    record: SqliteRecord, other: SqliteRecord
) -> None:
    await stored_question(record)

    async def won(by: Record) -> bool:
        async with by.transaction() as tx:
            return await tx.questions.decide(
                "q1", QuestionState.APPROVED, by="p", now=NOW, reason=None
            )

    answers = await asyncio.gather(*(won(by) for by in (record, other) * 15))

    assert answers.count(True) == 1


async def test_two_workers_writing_at_once_lose_nothing(
    record: SqliteRecord, other: SqliteRecord
) -> None:
    await asyncio.gather(
        *(opened(record, f"a{n}") for n in range(60)),
        *(opened(other, f"b{n}") for n in range(60)),
    )

    async with record.reading() as stored:
        assert len(await stored.questions.recent(state=None, limit=200)) == 120


@pytest.mark.parametrize("cancels", [1, 2, 3])
@pytest.mark.parametrize("ticks", range(5))
async def test_a_writer_cancelled_while_another_worker_writes_wedges_nobody(
    record: SqliteRecord, tmp_path: Path, cancels: int, ticks: int
) -> None:
    holder = write_lock(tmp_path / "comal.db")
    waiting = asyncio.ensure_future(opened(record, "cancelled"))
    behind = asyncio.ensure_future(opened(record, "behind"))
    for _ in range(1 + ticks):
        await asyncio.sleep(0)
    for _ in range(cancels):
        waiting.cancel()
        await asyncio.sleep(0)
    threading.Timer(0.05, holder.rollback).start()

    await asyncio.wait_for(asyncio.gather(waiting, behind, return_exceptions=True), 5)
    await asyncio.wait_for(opened(record, "after"), 5)

    assert waiting.cancelled()
    stored = [await is_stored(record, key) for key in ("cancelled", "behind", "after")]
    assert stored == [False, True, True]
    holder.close()


async def test_closing_stores_what_is_queued(tmp_path: Path) -> None:
    record = SqliteRecord(tmp_path / "c.db")
    writers = [asyncio.ensure_future(opened(record, f"q{n}")) for n in range(20)]
    await asyncio.sleep(0)

    await record.aclose()

    await asyncio.gather(*writers)
    again = SqliteRecord(tmp_path / "c.db")
    assert all([await is_stored(again, f"q{n}") for n in range(20)])
    await again.aclose()


async def test_a_cancelled_close_spoils_no_writer(tmp_path: Path) -> None:
    record = SqliteRecord(tmp_path / "c.db")
    writer = asyncio.ensure_future(opened(record, "q1"))
    closing = asyncio.ensure_future(record.aclose())
    await asyncio.sleep(0)
    closing.cancel()
    await asyncio.wait([writer, closing])

    await asyncio.wait_for(opened(record, "after"), 5)

    assert writer.exception() is None
    assert await is_stored(record, "q1")
    await record.aclose()


async def test_a_closed_record_is_unavailable_and_closes_again_without_a_word(
    tmp_path: Path,
) -> None:
    record = SqliteRecord(tmp_path / "c.db")
    await record.aclose()

    with pytest.raises(StoreUnavailable):
        await opened(record, "late")

    await record.aclose()


async def test_workers_that_start_together_on_a_new_file_all_open_it(tmp_path: Path) -> None:
    def start() -> SqliteRecord:
        return SqliteRecord(tmp_path / "new.db")

    records = await asyncio.gather(*(asyncio.to_thread(start) for _ in range(8)))

    await asyncio.gather(*(opened(record, f"q{n}") for n, record in enumerate(records)))
    async with records[0].reading() as stored:
        assert len(await stored.questions.recent(state=None, limit=20)) == 8
    for record in records:
        await record.aclose()


async def test_acts_survive_closing_and_opening(tmp_path: Path) -> None:
    record = SqliteRecord(tmp_path / "c.db")
    row = await stored_act(record)
    await record.aclose()

    again = SqliteRecord(tmp_path / "c.db")

    async with again.reading() as stored:
        assert await stored.acts.get("q1") == row
    await again.aclose()


def nearly_full(limit: int, work: Any) -> Any:
    """Begin work with so few frames left of the stack."""

    async def deeper(levels: int) -> Any:
        return await (deeper(levels - 1) if levels else work())

    return deeper(limit)


@pytest.mark.parametrize("path", [None, "comal.db"])
async def test_a_transaction_that_has_no_stack_left_leaves_the_record_free(
    tmp_path: Path, clock: FakeClock, path: str | None
) -> None:
    record = SqliteRecord(None if path is None else tmp_path / path, clock=clock)

    async def writes() -> None:
        async with record.transaction() as tx:
            await tx.questions.open(question("deep"))

    depth = sys.getrecursionlimit() - len(inspect.stack(0))
    for levels in range(depth - 120, depth):
        with suppress(RecursionError):
            await nearly_full(levels, writes)

    async with asyncio.timeout(5), record.transaction() as tx:
        await tx.questions.open(question("after"))
    assert await is_stored(record, "after")
    await record.aclose()
