"""Verifying: whatever is done to stored records without the key is named."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from comal_runtime.audit import Breach, Head, Report
from comal_runtime.record import SqliteRecord
from comal_runtime.record.audit import ARGS_REMOVED

from ..record.contracts.rows import audited
from .chaining import KEY, audit_over, file_record, heads_of, leave, tampered, verified


@pytest.fixture
async def record(tmp_path: Path) -> AsyncIterator[SqliteRecord]:
    """A file with two chains: places 0 to 4, then 0 to 2; records 1 to 8."""
    record = file_record(tmp_path)
    await leave(audit_over(record), 5)
    await leave(audit_over(record), 3)
    yield record
    await record.aclose()


def first(report: Report) -> tuple[Breach, int | None, int | None]:
    problem = report.problems[0]
    return problem.breach, problem.seq, problem.place


def cell(path: Path, column: str) -> object:
    with closing(sqlite3.connect(path)) as connection:
        [value] = connection.execute(f"SELECT {column} FROM audit WHERE seq = 3").fetchone()
    return value


COLUMNS = (
    "at", "request_id", "ip", "channel", "principal", "conversation", "origin", "tool", "decision",
    "code", "took_ms", "output_bytes", "args", "args_digest", "shown_digest", "question",
    "place", "previous", "mac",
)  # fmt: skip


async def test_what_nobody_touched_is_whole(record: SqliteRecord) -> None:
    report = await verified(record, heads=await heads_of(record))

    assert report.whole
    assert (report.records, report.chains, report.before) == (8, 2, 0)


@pytest.mark.parametrize("value", ["'x'", "7", "NULL", "x'ff00'"])
@pytest.mark.parametrize("column", COLUMNS)
async def test_a_field_that_was_changed_names_its_record(
    record: SqliteRecord, tmp_path: Path, column: str, value: str
) -> None:
    path = tmp_path / "c.db"
    before = cell(path, column)
    with suppress(sqlite3.IntegrityError):  # some the table itself refuses
        tampered(path, f"UPDATE audit SET {column} = {value} WHERE seq = 3")

    report = await verified(record)

    assert report.whole is (cell(path, column) == before)
    assert report.whole or report.problems[0].seq in (3, 4)


@pytest.mark.parametrize(
    ("statements", "found"),
    [
        (["DELETE FROM audit WHERE seq = 3"], (Breach.REMOVED, 4, 3)),
        (["DELETE FROM audit WHERE seq = 1"], (Breach.REMOVED, 2, 1)),
        (["DELETE FROM audit WHERE seq = 5"], (Breach.TRUNCATED, None, 4)),
        (["DELETE FROM audit WHERE seq = 8"], (Breach.TRUNCATED, None, 2)),
        (
            [
                "UPDATE audit SET seq = 99 WHERE seq = 2",
                "UPDATE audit SET seq = 2 WHERE seq = 3",
                "UPDATE audit SET seq = 3 WHERE seq = 99",
            ],
            (Breach.REMOVED, 2, 2),
        ),
        (
            [
                "INSERT INTO audit SELECT 50, at, request_id, ip, channel, principal, "
                "conversation, origin, tool, decision, code, took_ms, output_bytes, args, "
                "args_digest, question, shown_digest, chain, 3, previous, mac FROM audit "
                "WHERE seq = 8"
            ],
            (Breach.CHANGED, 50, 3),
        ),
        (
            [
                "INSERT INTO audit SELECT 50, at, request_id, ip, channel, principal, "
                "conversation, origin, tool, decision, code, took_ms, output_bytes, args, "
                "args_digest, question, shown_digest, NULL, NULL, NULL, NULL FROM audit "
                "WHERE seq = 8"
            ],
            (Breach.INSERTED, 50, None),
        ),
        (["UPDATE audit SET chain = 'other' WHERE seq = 8"], (Breach.INSERTED, 8, 2)),
        (["UPDATE audit_chains SET last = 3 WHERE last = 4"], (Breach.CHANGED, None, 3)),
        (["UPDATE audit_chains SET first = 'x' WHERE last = 4"], (Breach.CHANGED, None, None)),
        (
            ["UPDATE audit_chains SET start = '{}'"],
            (Breach.UNVERIFIABLE, None, None),
        ),
        (
            [
                "DELETE FROM audit WHERE chain = (SELECT id FROM audit_chains WHERE last = 4)",
                "DELETE FROM audit_chains WHERE last = 4",
            ],
            (Breach.REMOVED, None, 4),
        ),
    ],
)
async def test_what_was_done_is_named(
    record: SqliteRecord,
    tmp_path: Path,
    statements: list[str],
    found: tuple[Breach, int | None, int | None],
) -> None:
    tampered(tmp_path / "c.db", *statements)

    report = await verified(record)

    assert first(report) == found


async def test_two_records_that_changed_places_are_told_as_reordered(
    record: SqliteRecord, tmp_path: Path
) -> None:
    tampered(
        tmp_path / "c.db",
        "UPDATE audit SET seq = 99 WHERE seq = 2",
        "UPDATE audit SET seq = 2 WHERE seq = 3",
        "UPDATE audit SET seq = 3 WHERE seq = 99",
    )

    report = await verified(record)

    assert Breach.REORDERED in {one.breach for one in report.problems}


async def test_the_last_chain_dropped_whole_shows_against_a_head_that_was_noted(
    record: SqliteRecord, tmp_path: Path
) -> None:
    noted = await heads_of(record)
    last = "(SELECT id FROM audit_chains WHERE last = 2)"
    tampered(
        tmp_path / "c.db",
        f"DELETE FROM audit WHERE chain = {last}",
        "DELETE FROM audit_chains WHERE last = 2",
    )

    unaware, aware = await verified(record), await verified(record, heads=noted)

    assert unaware.whole
    assert first(aware) == (Breach.REMOVED, None, 2)


async def test_a_tail_cut_off_with_its_old_head_put_back_shows_against_a_noted_head(
    tmp_path: Path,
) -> None:
    record = file_record(tmp_path)
    audit = audit_over(record)
    await leave(audit, 2)
    async with record.reading() as stored:
        [before] = await stored.audit.chains()
    await leave(audit, 2)
    noted = await heads_of(record)
    tampered(
        tmp_path / "c.db",
        "DELETE FROM audit WHERE place > 1",
        f"UPDATE audit_chains SET last = 1, mac = '{before.mac}', seal = '{before.seal}'",
    )

    report = await verified(record, heads=noted)

    assert first(report) == (Breach.TRUNCATED, None, 2)
    await record.aclose()


async def test_a_noted_head_of_another_past_shows(record: SqliteRecord) -> None:
    [one] = [head for head in await heads_of(record) if head.place == 4]

    report = await verified(record, heads=[Head(one.chain, one.place, "0" * 64)])

    assert first(report) == (Breach.CHANGED, 5, 4)


async def test_arguments_taken_out_later_keep_the_chain_whole_and_are_counted(
    record: SqliteRecord, tmp_path: Path
) -> None:
    async with record.transaction() as tx:
        await tx.audit.remove_args(3)

    report = await verified(record)

    assert report.whole
    assert report.args_removed == 1


async def test_arguments_that_were_replaced_are_told(record: SqliteRecord, tmp_path: Path) -> None:
    tampered(tmp_path / "c.db", 'UPDATE audit SET args = \'{"disk":"b"}\' WHERE seq = 3')

    report = await verified(record)

    assert first(report) == (Breach.CHANGED, 3, 2)
    assert ARGS_REMOVED not in report.problems[0].text


async def test_records_older_than_the_chains_count_as_before_them(tmp_path: Path) -> None:
    record = file_record(tmp_path)
    async with record.transaction() as tx:
        await tx.audit.add([audited(f"old{n}") for n in range(3)])
    await leave(audit_over(record), 2)

    untouched = await verified(record)
    tampered(tmp_path / "c.db", "DELETE FROM audit WHERE seq = 2")
    fewer = await verified(record)

    assert untouched.whole
    assert untouched.before == 3
    assert [one.breach for one in fewer.problems] == [Breach.REMOVED]
    await record.aclose()


async def test_chains_under_an_old_and_a_new_key_are_verified_with_both(tmp_path: Path) -> None:
    record = file_record(tmp_path)
    newer = b"another key, long enough"
    await leave(audit_over(record), 2)
    await leave(audit_over(record, key=newer), 2)

    both = await verified(record, keys=[KEY, newer])
    one = await verified(record, keys=[newer])

    assert both.whole
    assert [found.breach for found in one.problems] == [Breach.UNVERIFIABLE]
    await record.aclose()


@pytest.mark.parametrize(
    "change",
    [
        "seal = x'00ff'",
        "mac = x'00'",
        "id = x'00'",
        "start = x'ff'",
        "start = printf('%.*c', 20000, '[')",
        """start = '{"key": "k", "heads": [["c", Infinity, "m"]], "before": null}'""",
        """start = '{"key": "k", "heads": [], "before": [1e999, 2]}'""",
    ],
)
async def test_a_chain_that_cannot_be_read_is_named_and_the_rest_is_verified(
    record: SqliteRecord, tmp_path: Path, change: str
) -> None:
    tampered(tmp_path / "c.db", f"UPDATE audit_chains SET {change} WHERE rowid = 2")

    report = await verified(record)

    assert not report.whole
    assert report.records == 8
