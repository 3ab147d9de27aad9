"""`comal audit verify` and `heads`: what was done to a record is named."""

import asyncio
import json
import os
import pwd
import subprocess
import sys
from pathlib import Path

import pytest

from ..conftest import Comal, Console
from .conftest import Fill, outcome, stored, tampered


def test_an_untouched_record_is_whole(comal: Comal, fill: Fill) -> None:
    fill(outcome(), outcome())
    fill(outcome())

    result = comal("audit", "verify")

    assert (result.exit_code, result.stdout) == (0, "whole: 3 records on 2 chains\n")


@pytest.mark.parametrize(
    ("statement", "seq", "breach"),
    [
        ("UPDATE audit SET principal = 'telegram:1' WHERE seq = 2", 2, "changed"),
        ("DELETE FROM audit WHERE seq = 2", 3, "removed"),
        ("DELETE FROM audit WHERE seq = 4", None, "truncated"),
        ("UPDATE audit SET tool = x'ff' WHERE seq = 2", 2, "changed"),
    ],
)
def test_the_first_broken_record_is_named_with_exit_code_1(
    comal: Comal, fill: Fill, folder: Path, statement: str, seq: int | None, breach: str
) -> None:
    fill(*(outcome(n=n) for n in range(4)))
    tampered(folder, statement)

    told, as_json = comal("audit", "verify"), comal("audit", "verify", "--json")

    found = json.loads(as_json.stdout)
    assert (told.exit_code, as_json.exit_code) == (1, 1)
    assert told.stdout.startswith("broken: ")
    assert (found["firstBroken"]["seq"], found["firstBroken"]["breach"]) == (seq, breach)
    assert found["whole"] is False


def test_a_noted_head_shows_that_the_newest_chain_was_dropped(
    comal: Comal, fill: Fill, folder: Path
) -> None:
    fill(outcome())
    fill(outcome())
    [head] = comal("audit", "heads").stdout.split()
    chain = head.split(":")[0]
    tampered(folder, f"DELETE FROM audit WHERE chain = '{chain}'")
    tampered(folder, f"DELETE FROM audit_chains WHERE id = '{chain}'")

    unaware, aware = comal("audit", "verify"), comal("audit", "verify", "--head", head)

    assert (unaware.exit_code, aware.exit_code) == (0, 1)
    assert "is gone" in aware.stdout


def test_what_is_no_head_is_told(comal: Comal, fill: Fill) -> None:
    fill(outcome())

    result = comal("audit", "verify", "--head", "nonsense")

    assert result.exit_code == 2
    assert "CHAIN:PLACE:MAC" in result.stderr


def test_without_its_key_nothing_is_verified_and_the_key_can_be_named(
    comal: Comal, fill: Fill, folder: Path
) -> None:
    fill(outcome())
    (folder / "comal.db.audit-key").rename(folder / "elsewhere")

    missing = comal("audit", "verify")
    named = comal("audit", "verify", "--key-file", "elsewhere")

    assert missing.exit_code == 1
    assert "comal.db.audit-key cannot be read" in missing.stderr
    assert named.exit_code == 0
    assert not (folder / "comal.db.audit-key").exists()


def test_another_key_verifies_nothing(comal: Comal, fill: Fill, folder: Path) -> None:
    fill(outcome())
    (folder / "other").write_text("x" * 32)

    result = comal("audit", "verify", "--key-file", "other")

    assert result.exit_code == 1
    assert "was written with another key" in result.stdout


def test_the_settings_may_hold_the_key(
    comal: Comal, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMAL_AUDIT__KEY", "a key of the settings")
    asyncio.run(stored(folder / "comal.db", b"a key of the settings", outcome()))

    assert comal("audit", "verify").exit_code == 0


@pytest.mark.parametrize("command", ["tail", "export", "verify", "heads"])
def test_without_a_record_each_command_says_where_it_looked(comal: Comal, command: str) -> None:
    result = comal("audit", command)

    assert result.exit_code == 1
    assert "there is no record at" in result.stderr


def test_who_may_not_read_the_record_is_told_who_may(folder: Path, fill: Fill) -> None:
    fill(outcome())
    for part in (folder, *folder.parents[:3]):
        part.chmod(0o755)
    (folder / "comal.db").chmod(0o000 if os.geteuid() else 0o600)
    code = (
        "from comal_bot.cli.opening import opened\n"
        "from comal_bot.cli.complaints import told\n"
        "from pathlib import Path\nimport os\n"
        f"if not os.geteuid(): os.setuid({pwd.getpwnam('nobody').pw_uid})\n"
        "with told():\n"
        "    with opened(Path('comal.db')): pass\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False
    )

    owner = (folder / "comal.db").owner()
    assert "you may not read the record" in done.stderr
    assert f"run this as {owner!r}, whose it is" in done.stderr


def test_the_console_script_verifies(console: Console, fill: Fill) -> None:
    fill(outcome())

    done = console("audit", "verify")

    assert (done.returncode, done.stdout) == (0, "whole: 1 record on 1 chain\n")
