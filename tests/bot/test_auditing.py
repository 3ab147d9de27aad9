"""The host's audit: its key lies beside the record, its sinks and names come from the settings."""

from pathlib import Path

import pytest

from comal_bot.auditing import audit_key, audit_logger
from comal_bot.settings import BadSettings, Settings, load_settings
from comal_runtime.audit import BadAuditKey, Outcome
from comal_runtime.context import ToolContext
from comal_runtime.record import memory_record
from comal_runtime.result import ToolResult
from comal_runtime.testing import FakeClock


def settings(folder: Path, text: str = "") -> Settings:
    (folder / "comal.toml").write_text(text)
    return load_settings(folder / "comal.toml")


def test_a_host_keeps_its_key_beside_its_record(tmp_path: Path) -> None:
    told = settings(tmp_path)

    with pytest.raises(BadAuditKey, match="cannot be read"):
        audit_key(told)
    key = audit_key(told, create=True)

    assert (tmp_path / "comal.db.audit-key").read_bytes().strip() == key
    assert audit_key(told) == key


@pytest.mark.parametrize("by_file", [False, True])
def test_a_key_of_the_settings_goes_before_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by_file: bool
) -> None:
    (tmp_path / "key").write_text("a key from elsewhere\n")
    name, value = (
        ("KEY_FILE", str(tmp_path / "key")) if by_file else ("KEY", "a key from elsewhere")
    )
    monkeypatch.setenv(f"COMAL_AUDIT__{name}", value)

    assert audit_key(settings(tmp_path), create=True) == b"a key from elsewhere"
    assert not (tmp_path / "comal.db.audit-key").exists()


def test_a_short_key_is_refused_without_being_told(tmp_path: Path) -> None:
    with pytest.raises(BadSettings) as caught:
        settings(tmp_path, '[audit]\nkey = "hunter2"')

    [problem] = caught.value.problems
    assert "has 7 bytes, at least 16 are needed" in problem
    assert "hunter2" not in problem


def test_no_key_is_in_the_repr_of_the_settings(tmp_path: Path) -> None:
    told = settings(tmp_path, '[audit]\nkey = "a key that is long enough"')

    assert "long enough" not in repr(told)


@pytest.mark.runtime_line(35)
async def test_the_settings_name_what_is_hidden_besides_and_where_else_it_is_written(
    tmp_path: Path,
) -> None:
    told = settings(tmp_path, '[audit]\nredact = ["nickname"]\njsonl = "logs.jsonl"')
    audit = audit_logger(told, memory_record(), FakeClock())
    args = {"nickName": "x1", "password": "x2", "kept": "x3"}

    audit.hand_over(
        Outcome(1.0, ToolContext(), "t", args, ToolResult.success(), "executed", 1.0, None)
    )
    await audit.aclose()

    written = (tmp_path / "logs.jsonl").read_text()
    assert [value in written for value in ("x1", "x2", "x3")] == [False, False, True]


@pytest.mark.parametrize(
    "line", ["jsonl_max_bytes = 10", "jsonl_keep = -1", 'redact = [""]', "heads_to = 1"]
)
def test_a_setting_that_cannot_be_used_is_told(tmp_path: Path, line: str) -> None:
    with pytest.raises(BadSettings, match="audit"):
        settings(tmp_path, f"[audit]\n{line}")
