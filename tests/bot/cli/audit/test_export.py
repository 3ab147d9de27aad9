"""`comal audit export`: every record, whole, in one file."""

import csv
import io
import json
from pathlib import Path

import pytest

from ..conftest import Comal
from .conftest import Fill, outcome


def test_every_record_is_exported_as_a_line_of_json(comal: Comal, fill: Fill) -> None:
    fill(*(outcome(f"t{n}", note="ñ") for n in range(1500)))

    lines = comal("audit", "export").stdout.splitlines()

    assert [json.loads(line)["tool"] for line in lines] == [f"t{n}" for n in range(1500)]
    assert {"seq", "at", "args", "args_digest", "chain", "place", "mac"} <= set(
        json.loads(lines[0])
    )


@pytest.mark.parametrize("sign", ["=", "+", "-", "@"])
def test_no_cell_of_a_csv_is_a_formula(comal: Comal, fill: Fill, sign: str) -> None:
    fill(outcome(f"{sign}HYPERLINK(1)", who=f"{sign}cmd"))

    [row] = csv.DictReader(io.StringIO(comal("audit", "export", "--format", "csv").stdout))

    assert row["tool"].startswith(f"'{sign}")
    assert row["principal"] == f"'{sign}cmd"
    assert row["time"].endswith("+00:00")


def test_a_file_is_written_whole_for_its_owner_and_never_over_another(
    comal: Comal, fill: Fill, folder: Path
) -> None:
    fill(outcome())
    (folder / "kept").write_text("mine")

    made = comal("audit", "export", "-o", "new.jsonl")
    refused = comal("audit", "export", "-o", "kept")
    untouched = (folder / "kept").read_text()
    forced = comal("audit", "export", "-o", "kept", "--force")

    assert (made.exit_code, refused.exit_code, forced.exit_code) == (0, 1, 0)
    assert "--force overwrites it" in refused.stderr
    assert untouched == "mine"
    assert (folder / "kept").read_text() == (folder / "new.jsonl").read_text()
    assert (folder / "new.jsonl").stat().st_mode & 0o777 == 0o600
    assert not list(folder.glob(".*.part"))


def test_a_place_that_cannot_be_written_to_is_told(comal: Comal, fill: Fill) -> None:
    fill(outcome())

    result = comal("audit", "export", "-o", "no/such/folder/x")

    assert result.exit_code == 1
    assert result.stderr == "comal: no/such/folder/x: No such file or directory\n"


def test_only_a_span_of_time_is_exported(comal: Comal, fill: Fill) -> None:
    fill(outcome("old", age=7200), outcome("mid", age=1800), outcome("new"))

    lines = comal("audit", "export", "--since", "1h", "--until", "10m").stdout.splitlines()

    assert [json.loads(line)["tool"] for line in lines] == ["mid"]
