"""Reads the arguments back from what a card shows, as an exact reader could."""

import json
import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import takewhile
from typing import Any

NAME = r'(?:[A-Za-z_][\w.-]{0,63}|"(?:[^"\\]|\\.)*")'
ENTRY = re.compile(rf"({NAME}):(?: (.*)|)", re.ASCII)
NUMBERED = re.compile(r"(\d+\. )(.*)", re.ASCII)
SIGN = re.compile(r"⟨(?:U\+(\w+)|(\d+) spaces?|(\d+) newlines?)⟩|⏎")
LIKE_JSON = re.compile(r'["\[{].*|-?\d[\d.eE+-]*|true|false|null', re.ASCII)


def arguments_in(text: str) -> dict[str, Any]:
    """Return the arguments that a whole card's text shows."""
    facts = text.split("\n\n")[1]
    lines = [without_notes(line) for line in facts.split("\n")[1:]]
    return entries(lines, block=read_block)


def entries(lines: Sequence[str], block: Any) -> dict[str, Any]:
    found = {}
    rest = list(lines)
    while rest:
        entry = ENTRY.fullmatch(rest.pop(0))
        assert entry
        below = list(takewhile(lambda line: line.startswith("  "), rest))
        del rest[: len(below)]
        inner = [line[2:] for line in below]
        found[name(entry[1])] = block(inner) if inner else scalar(entry[2])
    return found


def read_block(lines: Sequence[str]) -> Any:
    if lines[0].startswith("│"):
        return "\n".join(raw(line.removeprefix("│").removeprefix(" ")) for line in lines)
    return branch(lines)


def branch(lines: Sequence[str]) -> Any:
    if NUMBERED.fullmatch(lines[0]):
        return [item(inner) for inner in items(lines)]
    return entries(lines, block=branch)


def items(lines: Sequence[str]) -> Iterator[list[str]]:
    rest = list(lines)
    while rest:
        first = NUMBERED.fullmatch(rest.pop(0))
        assert first
        room = " " * len(first[1])
        below = list(takewhile(partial(_starts, room), rest))
        del rest[: len(below)]
        yield [first[2], *(line[len(room) :] for line in below)]


def _starts(room: str, line: str) -> bool:
    return line.startswith(room)


def item(lines: Sequence[str]) -> Any:
    is_branch = ENTRY.fullmatch(lines[0]) or NUMBERED.fullmatch(lines[0])
    return branch(lines) if is_branch else scalar(lines[0])


def name(shown: str) -> str:
    return str(json.loads(raw(shown))) if shown.startswith('"') else shown


def scalar(shown: str) -> Any:
    return json.loads(raw(shown)) if LIKE_JSON.fullmatch(shown) else raw(shown)


def raw(shown: str) -> str:
    """Undo every sign that stands for what would not be seen."""

    def undo(sign: re.Match[str]) -> str:
        code, spaces, newlines = sign.groups()
        if code:
            return chr(int(code, 16))
        return " " * int(spaces or 0) + "\n" * (int(newlines or 0) + (sign[0] == "⏎"))

    return SIGN.sub(undo, shown)


def without_notes(line: str) -> str:
    """Leave out the notes of the host; no value can hold the sign that opens one."""
    kept, depth, place = "", 0, 0
    while place < len(line):
        if depth or line.startswith(" ⟨⚠ ", place):
            opening = line.find("⟨", place) if not depth else place
            place = opening
            depth += {"⟨": 1, "⟩": -1}.get(line[place], 0)
        else:
            kept += line[place]
        place += 1
    return kept
