"""Every numbered line of the runtime's contract, and every grave fault, is named by a test."""

import re
from pathlib import Path

import pytest

from .marks import marked

_ID = r"(?:SV|TS|PG|RC|RR|TR|VF|IN|TE|RL|GW|EV):[\w./+-]*\w"
_SECTIONS = (*range(1, 11), 12)


def test_every_line_of_the_runtimes_contract_is_named_by_a_test(shared: Path) -> None:
    text = (shared / "facts" / "runtime-behaviours.md").read_text(encoding="utf-8")
    lines = re.findall(r"^(\d+a?)\. ", text, re.MULTILINE)

    missing = [line for line in lines if line not in marked("runtime_line")]

    assert len(lines) > 60
    assert missing == []


def test_no_test_names_a_line_that_is_not_there(shared: Path) -> None:
    text = (shared / "facts" / "runtime-behaviours.md").read_text(encoding="utf-8")
    lines = set(re.findall(r"^(\d+a?)\. ", text, re.MULTILINE))

    assert sorted(marked("runtime_line") - lines) == []


@pytest.mark.parametrize("section", _SECTIONS)
def test_every_grave_fault_of_the_original_is_named_by_a_test(section: int, shared: Path) -> None:
    text = (shared / "facts" / "original-faults.md").read_text(encoding="utf-8")
    [part] = re.findall(rf"^## {section}\.[^\n]*\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    named = marked("original_fault")

    missing = [
        fault
        for fault in re.findall(r"^- [HM] .*$", part, re.MULTILINE)
        if named.isdisjoint(re.findall(_ID, fault))
    ]

    assert missing == []
