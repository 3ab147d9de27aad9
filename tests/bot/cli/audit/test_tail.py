"""`comal audit tail`: the newest records, safe to look at."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ..conftest import Comal
from .conftest import Fill, outcome, tampered


def test_the_newest_records_are_printed_oldest_of_them_first(comal: Comal, fill: Fill) -> None:
    fill(*(outcome(f"tool_{n}", age=60 - n) for n in range(5)))

    lines = comal("audit", "tail", "-n", "2").stdout.splitlines()

    assert lines[0].startswith("-- 20")
    assert [line.split()[2] for line in lines[1:]] == ["tool_3", "tool_4"]


def test_a_line_fits_eighty_columns_and_holds_no_control_character(
    comal: Comal, fill: Fill, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    fill(outcome("a_tool_with_a_long_name_" * 3, note="\x1b[31m\u202e\u2028\u200b" * 40 + "ñ" * 99))

    shown = comal("audit", "tail").stdout

    assert all(len(line) <= 80 for line in shown.splitlines())
    assert all(character.isprintable() or character == "\n" for character in shown)


@pytest.mark.parametrize(
    ("options", "tools"),
    [
        (["--tool", "pay"], ["pay"]),
        (["--tool", "p*"], ["pay", "post"]),
        (["--principal", "telegram:7"], ["post"]),
        (["--decision", "refused*"], []),
        (["--since", "1h"], ["pay", "post"]),
        (["--since", "2000-01-01"], ["old", "pay", "post"]),
    ],
)
def test_only_what_is_asked_for_is_printed(
    comal: Comal, fill: Fill, options: list[str], tools: list[str]
) -> None:
    fill(outcome("old", age=7200), outcome("pay"), outcome("post", who="telegram:7"))

    found = comal("audit", "tail", "--json", *options).stdout.splitlines()

    assert [json.loads(line)["tool"] for line in found] == tools


def test_a_line_of_json_is_ascii_and_means_the_same(comal: Comal, fill: Fill) -> None:
    fill(outcome(note="ñ\u202e😀"))

    line = comal("audit", "tail", "--json").stdout

    assert line.isascii()
    assert json.loads(json.loads(line)["args"]) == {"note": "ñ\u202e😀"}


def test_a_time_that_cannot_be_read_is_told(comal: Comal, fill: Fill) -> None:
    fill(outcome())

    result = comal("audit", "tail", "--since", "yesterday-ish")

    assert result.exit_code == 2
    assert "--since is 'yesterday-ish'" in result.stderr


def test_following_prints_what_comes_and_ends_quietly(folder: Path, fill: Fill) -> None:
    fill(outcome("before"))
    script = Path(sys.executable).with_name("comal")
    process = subprocess.Popen(
        [script, "audit", "tail", "-f", "--json"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    assert json.loads(process.stdout.readline())["tool"] == "before"

    fill(outcome("after"))

    assert json.loads(process.stdout.readline())["tool"] == "after"
    process.send_signal(2)
    _, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (130, "")


@pytest.mark.parametrize("column", ["at", "tool", "principal", "decision", "code", "args"])
@pytest.mark.parametrize("command", ["tail", "export"])
def test_a_record_that_somebody_made_no_record_is_shown_all_the_same(
    comal: Comal, fill: Fill, folder: Path, column: str, command: str
) -> None:
    fill(outcome("one"), outcome("two"))
    tampered(folder, f"UPDATE audit SET {column} = x'ff1b5b00' WHERE seq = 1")

    result = comal("audit", command)

    assert result.exit_code == 0
    assert "two" in result.stdout
    assert "\x1b" not in result.stdout
