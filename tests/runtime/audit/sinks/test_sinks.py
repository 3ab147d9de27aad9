"""Sinks: they get what is stored, in order, and nothing they do comes back."""

import errno
import json
import os
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from comal_runtime.audit import JsonlSink
from comal_runtime.audit.sinks import Fanout
from comal_runtime.record import Filed, Link, memory_record
from comal_runtime.testing import FakeClock
from tests.runtime.record.contracts.rows import audited
from tests.runtime.stations.arranging import LosableRecord, Ran, in_code, made, registry_with

from ..chaining import audit_over, leave, verified


class Collecting:
    """A sink that keeps what it is given; `fault` is raised at every write."""

    def __init__(self, fault: Exception | None = None) -> None:
        self.taken: list[str] = []
        self.fault = fault
        self.closed = False

    def write(self, records: Sequence[Filed]) -> None:
        if self.fault is not None:
            raise self.fault
        self.taken += [filed.record.request_id for filed in records]

    def close(self) -> None:
        self.closed = True


def filed(number: int = 0, **changes: object) -> Filed:
    return Filed(None, audited(f"r{number}", **changes), Link("c", number, "p", "m"))


def lines(path: Path) -> list[str]:
    return [json.loads(line)["request_id"] for line in path.read_text().splitlines()]


async def test_a_sink_gets_every_stored_record_in_order_and_is_closed() -> None:
    sink = Collecting()
    audit = audit_over(memory_record(), sinks=[sink])
    await leave(audit, 300)

    await audit.aclose()

    assert sink.taken == [f"r{n}" for n in range(300)]
    assert sink.closed


async def test_an_act_that_is_stored_with_its_end_reaches_sinks_too() -> None:
    record, sink = memory_record(), Collecting()
    audit = audit_over(record, sinks=[sink])
    registry = registry_with(made(Ran(), mutating=True), record=record, audit=audit)

    await registry.call("wipe", {}, in_code())
    await audit.aclose()

    assert sink.taken == ["r1"]


async def test_what_is_not_stored_reaches_no_sink() -> None:
    record, sink = LosableRecord(memory_record()), Collecting()
    audit = audit_over(record, sinks=[sink])
    record.gone = True
    await leave(audit, 2)

    await audit.aclose()

    assert sink.taken == []


@pytest.mark.runtime_line(36)
async def test_a_sink_that_raises_changes_neither_the_call_the_record_nor_other_sinks(
    caplog: pytest.LogCaptureFixture,
) -> None:
    record, other = memory_record(), Collecting()
    audit = audit_over(record, sinks=[Collecting(OSError("full")), other])
    registry = registry_with(made(Ran()), record=record, audit=audit)

    results = [await registry.call("wipe", {}, in_code()) for _ in range(3)]
    await audit.aclose()

    assert all(result.success for result in results)
    assert (await verified(record)).records == 3
    assert len(other.taken) == 3


def test_a_fault_is_told_once_a_minute_with_a_count(caplog: pytest.LogCaptureFixture) -> None:
    clock = FakeClock()
    fanout = Fanout([], clock)
    for _ in range(5):
        fanout._complain("audit.sink_failed", "JsonlSink", 2, OSError("full"))

    clock.advance(61)
    fanout._complain("audit.sink_failed", "JsonlSink", 2, OSError("full"))

    counts = [one.__dict__["records"] for one in caplog.records]
    assert counts == [2, 10]


def test_a_sink_that_hangs_holds_nobody_up_and_what_is_too_much_is_counted(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("comal_runtime.audit.sinks.fanout._MOST", 3)
    go = threading.Event()

    class Hanging(Collecting):
        def write(self, records: Sequence[Filed]) -> None:
            go.wait()
            super().write(records)

    sink = Hanging()
    fanout = Fanout([sink], FakeClock())
    for number in range(5):
        fanout.take([filed(number)])
    go.set()
    fanout.close()

    assert sink.taken == ["r0", "r1", "r2"]
    assert "audit.sinks_behind" in caplog.text


def test_a_line_is_json_with_its_link_and_a_file_its_owners_alone(tmp_path: Path) -> None:
    sink = JsonlSink(tmp_path / "a.jsonl")

    sink.write([filed(1, tool="añ\u2028b")])
    sink.close()

    [line] = (tmp_path / "a.jsonl").read_text().split("\n")[:-1]
    assert json.loads(line)["mac"] == "m"
    assert json.loads(line)["place"] == 1
    assert (tmp_path / "a.jsonl").stat().st_mode & 0o777 == 0o600


def test_a_full_file_is_turned_over_and_only_so_many_are_kept(tmp_path: Path) -> None:
    sink = JsonlSink(tmp_path / "a.jsonl", max_bytes=1000, keep=2)

    for number in range(20):
        sink.write([filed(number)])
    sink.close()

    files = sorted(one.name for one in tmp_path.iterdir())
    kept = [n for name in reversed(files) for n in lines(tmp_path / name)]
    assert files == ["a.jsonl", "a.jsonl.1", "a.jsonl.2"]
    assert all(one.stat().st_size <= 1000 for one in tmp_path.iterdir())
    assert kept == [f"r{n}" for n in range(20)][-len(kept) :]


def test_a_batch_larger_than_a_file_is_spread_over_several(tmp_path: Path) -> None:
    sink = JsonlSink(tmp_path / "a.jsonl", max_bytes=1000, keep=50)

    sink.write([filed(number) for number in range(20)])
    sink.close()

    assert sum(len(lines(one)) for one in tmp_path.iterdir()) == 20
    assert all(one.stat().st_size <= 1000 for one in tmp_path.iterdir())


def test_a_file_that_was_moved_away_is_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    sink = JsonlSink(path)
    sink.write([filed(0)])
    path.rename(tmp_path / "moved")

    sink.write([filed(1)])
    sink.close()

    assert lines(path) == ["r1"]


def test_what_a_full_disk_refused_is_written_whole_once_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, write = tmp_path / "a.jsonl", os.write
    sink = JsonlSink(path)
    sink.write([filed(0)])

    def half(file: int, data: bytes) -> int:
        if len(data) < 50:
            raise OSError(errno.ENOSPC, "no space left on device")
        return write(file, data[: len(data) - 40])

    monkeypatch.setattr(os, "write", half)
    with pytest.raises(OSError, match="no space"):
        sink.write([filed(1)])
    refused = lines(path)
    monkeypatch.setattr(os, "write", write)

    sink.write([filed(2)])
    sink.close()

    assert refused == ["r0"]
    assert lines(path) == ["r0", "r1", "r2"]


def test_a_folder_that_is_missing_is_an_error_that_names_it(tmp_path: Path) -> None:
    sink = JsonlSink(tmp_path / "no" / "a.jsonl")

    with pytest.raises(FileNotFoundError, match=r"a\.jsonl"):
        sink.write([filed()])


def test_a_line_that_a_killed_process_left_unfinished_spoils_no_other(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"request_id":"unfin')
    sink = JsonlSink(path)

    sink.write([filed(1), filed(2)])

    unfinished, *whole = path.read_text().splitlines()
    assert unfinished == '{"request_id":"unfin'
    assert [json.loads(line)["request_id"] for line in whole] == ["r1", "r2"]
