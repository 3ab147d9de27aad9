"""The key's file: its owner's alone, made once, and said to be wrong when it is."""

import threading
from pathlib import Path

import pytest

from comal_runtime.audit import BadAuditKey, ToolAuditLogger, key_from_file
from comal_runtime.record import memory_record
from comal_runtime.testing import FakeClock


def test_a_key_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "k"

    made, again = key_from_file(path, create=True), key_from_file(path, create=True)

    assert made == again
    assert len(made) == 64
    assert path.stat().st_mode & 0o777 == 0o600
    assert [one.name for one in tmp_path.iterdir()] == ["k"]


def test_all_who_make_it_at_once_get_the_same(tmp_path: Path) -> None:
    found: set[bytes] = set()
    begin = threading.Barrier(8)

    def make() -> None:
        begin.wait()
        found.add(key_from_file(tmp_path / "k", create=True))

    threads = [threading.Thread(target=make) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(found) == 1


def test_a_missing_key_is_not_made_unless_it_may_be(tmp_path: Path) -> None:
    with pytest.raises(BadAuditKey, match=r"k cannot be read: No such file"):
        key_from_file(tmp_path / "k")


def test_a_short_key_is_refused_wherever_it_comes_from(tmp_path: Path) -> None:
    (tmp_path / "k").write_text("short\n")

    with pytest.raises(BadAuditKey, match=r"has 5 bytes, at least 16"):
        key_from_file(tmp_path / "k")
    with pytest.raises(BadAuditKey, match=r"has 5 bytes"):
        ToolAuditLogger(memory_record(), FakeClock(), key=b"short")


def test_a_key_that_others_may_read_is_warned_of(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    key_from_file(tmp_path / "k", create=True)
    (tmp_path / "k").chmod(0o644)

    key_from_file(tmp_path / "k")

    assert "audit.key_open_to_others" in caplog.text


def test_no_key_is_in_an_audits_repr(tmp_path: Path) -> None:
    audit = ToolAuditLogger(memory_record(), FakeClock(), key=b"a secret that is long enough")

    assert "secret" not in repr(audit) + repr(vars(audit))
