"""Reads a tool's docstring: what it does, and what each parameter means."""

import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_GOOGLE: Final = re.compile(r"(?:Args|Arguments|Parameters|Params):\s*$")
_GOOGLE_ENTRY: Final = re.compile(r"\*{0,2}(\w+)\s*(?:\(.*?\))?\s*:\s*(.*)$")
_NUMPY: Final = re.compile(r"(?:Parameters|Args)\s*$")
_RULE: Final = re.compile(r"-{3,}\s*$")
_NUMPY_ENTRY: Final = re.compile(r"(\*{0,2}\w+(?:\s*,\s*\*{0,2}\w+)*)\s*(?::.*)?$")
_REST_ENTRY: Final = re.compile(r":param\s+(?:[^:]*\s)?\*{0,2}(\w+)\s*:\s*(.*)$")
_SECTION: Final = re.compile(r"(?:[A-Z][a-z]+:\s*$|:\w+[^:]*:)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """A docstring: its first paragraph as one line, and a line for each parameter it names."""

    summary: str
    parameters: dict[str, str]


def read(docstring: str | None) -> Described:
    """Read a docstring in Google, NumPy or reST style; None says nothing."""
    lines = inspect.cleandoc(docstring or "").splitlines()
    found: dict[str, list[str]] = {}
    for names, text in (*_google(lines), *_numpy(lines), *_rest(lines)):
        for name in names:
            found.setdefault(name, []).append(text)
    parameters = {name: " ".join(filter(None, texts)) for name, texts in found.items()}
    return Described(
        summary=_summary(lines),
        parameters={name: text for name, text in parameters.items() if text},
    )


Line = tuple[tuple[str, ...], str]
"""The parameters a line speaks of, and what it says of them."""


def _summary(lines: list[str]) -> str:
    paragraph: list[str] = []
    for line in lines:
        if not line.strip() or _SECTION.match(line):
            break
        paragraph.append(line.strip())
    return " ".join(paragraph)


def _google(lines: list[str]) -> Iterator[Line]:
    start = next((at for at, line in enumerate(lines) if _GOOGLE.match(line)), None)
    if start is None:
        return
    entry_indent: int | None = None
    current: tuple[str, ...] = ()
    for line in lines[start + 1 :]:
        indent = _indent(line)
        if not line.strip():
            continue
        if indent == 0:
            return
        entry_indent = indent if entry_indent is None else entry_indent
        match = _GOOGLE_ENTRY.match(line.strip()) if indent <= entry_indent else None
        if match is not None:
            current = (match[1],)
        yield current, (match[2] if match else line.strip())


def _numpy(lines: list[str]) -> Iterator[Line]:
    rules = [at for at, line in enumerate(lines) if at and _RULE.match(line)]
    start = next((at for at in rules if _NUMPY.match(lines[at - 1])), None)
    if start is None:
        return
    end = next((at - 1 for at in rules if at > start), len(lines))
    current: tuple[str, ...] = ()
    for line in lines[start + 1 : end]:
        if _indent(line):
            yield current, line.strip()
        elif match := _NUMPY_ENTRY.match(line):
            current = tuple(name.strip().lstrip("*") for name in match[1].split(","))


def _rest(lines: list[str]) -> Iterator[Line]:
    current: tuple[str, ...] = ()
    for line in lines:
        match = _REST_ENTRY.match(line)
        if match is not None:
            current = (match[1],)
            yield current, match[2].strip()
        elif _indent(line) and current:
            yield current, line.strip()
        else:
            current = ()


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
