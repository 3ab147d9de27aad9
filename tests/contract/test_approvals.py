"""Every known way in which approvals fail, and every recorded case of it, is named by a test."""

import json
import re
from pathlib import Path

from .marks import TESTS, marked

_WAITS_FOR_GRANTS = {"AP-12"}


def test_every_known_failure_of_approvals_is_named_by_a_test(shared: Path) -> None:
    modes = _modes(shared)

    missing = [mode for mode in modes if mode not in marked("failure_mode")]

    assert len(modes) == 39
    assert missing == []


def test_no_test_names_a_failure_that_is_not_there(shared: Path) -> None:
    assert sorted(marked("failure_mode") - set(_modes(shared))) == []


def test_every_recorded_case_about_approvals_is_named_by_a_test(shared: Path) -> None:
    lines = (shared / "cases" / "approvals.jsonl").read_text(encoding="utf-8").splitlines()
    cases = {json.loads(line)["id"] for line in lines} - _WAITS_FOR_GRANTS
    text = "\n".join(path.read_text(encoding="utf-8") for path in TESTS.rglob("test_*.py"))

    assert sorted(case for case in cases if case not in text) == []


def _modes(shared: Path) -> list[str]:
    text = (shared / "facts" / "approvals.md").read_text(encoding="utf-8")
    [part] = re.findall(r"^## C\.[^\n]*\n(.*?)(?=^---|\Z)", text, re.M | re.S)
    return re.findall(r"^(\d+)\. ", part, re.MULTILINE)
