"""The runner takes any file of the format, and says what differs."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.vectors.__main__ import main

TEXT = {"op": "estimateTokens", "text": "abcd"}
ODD: list[dict[str, Any]] = [
    {"op": 5},
    {"op": None, "ops": 7},
    {"op": "estimateTokens", "text": 5},
    {"op": "scan", "signature": "(("},
    {"op": "validate", "args": 1, "schema": 1},
    {"op": "clamps", "args": {}, "clamps": 3},
    {"subscribers": 1, "dispatch": None},
    {"renderers": 1, "channel": 1, "result": 1},
    {"steps": 1, "tools": 1, "wiring": 1},
    {"steps": [1], "tools": [1], "wiring": {"a": 1}},
    {"channel": [], "principal": {}, "scopes": 1, "tool": 1},
    {"ctx": 1, "policies": 1, "tool": 1, "wiring": 1},
    {"op": "x", "steps": [{}], "wiring": 1},
]


def row(id_: str = "one", tokens: int = 1, **parts: Any) -> dict[str, Any]:
    return {"id": id_, "input": TEXT, "output": {"tokens": tokens}, "note": "", **parts}


def file_of(folder: Path, *rows: Any, name: str = "rows.json") -> str:
    path = folder / name
    path.write_text(json.dumps(list(rows)), encoding="utf-8")
    return str(path)


def test_a_file_whose_rows_hold_closes_with_the_count(tmp_path, capsys):
    status = main([file_of(tmp_path, row("one"), row("two"))])

    assert (status, capsys.readouterr().out) == (0, "2 passed, 0 failed, 0 skipped\n")


def test_a_wrong_row_is_told_and_is_the_exit_status(tmp_path, capsys):
    status = main([file_of(tmp_path, row("one"), row("wrong", tokens=7))])

    assert status == 1
    assert capsys.readouterr().out.splitlines() == [
        "FAIL wrong: tokens: wanted 7, got 1",
        "1 passed, 1 failed, 0 skipped",
    ]


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        ({"id": "odd", "input": {"spam": 1}, "output": {}}, "FAIL odd: unknown shape"),
        ({"id": "odd", "input": {"spam": 1}}, "FAIL odd: the row lacks an output"),
        ({"id": "odd", "input": [], "output": {}}, "FAIL odd: the row lacks an input"),
        ({"input": {}, "output": {}}, "FAIL rows[1]: the row lacks an id"),
        ("text", "FAIL rows[1]: the row lacks an id"),
        (row("odd", output="tokens"), "FAIL odd: the row could not be run"),
        *(({"id": "odd", "input": given, "output": {}}, "FAIL odd: ") for given in ODD),
    ],
)
def test_a_row_of_no_known_shape_fails_and_the_others_run(broken, told, tmp_path, capsys):
    status = main([file_of(tmp_path, row(), broken)])

    first, last = capsys.readouterr().out.splitlines()
    assert (status, last) == (1, "1 passed, 1 failed, 0 skipped")
    assert first.startswith(told)


@pytest.mark.parametrize(
    ("text", "told"),
    [(None, "cannot be read"), ("{", "is not JSON"), ("{}", "holds a dict")],
)
def test_a_file_that_holds_no_rows_is_an_error_beside_the_others(text, told, tmp_path, capsys):
    bad = tmp_path / "bad.json"
    if text is not None:
        bad.write_text(text)

    status = main([str(bad), file_of(tmp_path, row())])

    first, last = capsys.readouterr().out.splitlines()
    assert (status, last) == (1, "1 passed, 1 failed, 0 skipped")
    assert first.startswith(f"FAIL {bad}")
    assert told in first


def test_only_the_rows_whose_id_holds_the_part_are_run(tmp_path, capsys):
    main(["-k", "tw", file_of(tmp_path, row("one"), row("two"))])

    assert capsys.readouterr().out == "1 passed, 0 failed, 0 skipped\n"


def test_verbose_tells_the_rows_that_passed_and_what_decided_them(shared, capsys):
    main(["--verbose", "-k", "fixed-window-burst", str(shared / "vectors" / "rate_limiter.json")])

    first = capsys.readouterr().out.splitlines()[0]
    assert first.startswith("PASS fixed-window-burst (decided by 20: ")


def test_json_tells_every_row(tmp_path, capsys):
    status = main(["--json", file_of(tmp_path, row("one"), row("wrong", tokens=7))])

    told = json.loads(capsys.readouterr().out)
    assert (status, told["passed"], told["failed"], told["skipped"]) == (1, 1, 1, 0)
    assert [(one["id"], one["verdict"]) for one in told["rows"]] == [
        ("one", "passed"),
        ("wrong", "failed"),
    ]


@pytest.mark.parametrize(
    "name",
    [
        "schema_validator",
        "tool_scanner",
        "tool_result",
        "events",
        "renderers",
        "rate_limiter",
        "token_estimator",
    ],
)
def test_a_copy_under_another_name_with_other_ids_holds_as_well(name, shared, tmp_path, capsys):
    rows = json.loads((shared / "vectors" / f"{name}.json").read_text(encoding="utf-8"))
    copied = [{**one, "id": f"copy-{at}"} for at, one in enumerate(rows)]

    status = main([file_of(tmp_path, *copied, name="strangers.json")])

    assert (status, capsys.readouterr().out) == (0, f"{len(rows)} passed, 0 failed, 0 skipped\n")
