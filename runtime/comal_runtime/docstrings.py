"""Reads a tool's docstring: what it does, and what each parameter means."""

import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_GOOGLE: Final = re.compile(r"(?:(?:Keyword|Other) )?(?:Args|Arguments|Parameters|Params):\s*$")
_GOOGLE_ENTRY: Final = re.compile(r"\*{0,2}(\w+)\s*(?:\((?:[^()]|\([^()]*\))*\))?\s*:(?:\s+(.*))?$")
_NUMPY: Final = re.compile(r"(?:Other )?(?:Parameters|Args)\s*$")
_RULE: Final = re.compile(r"-{3,}\s*$")
_NUMPY_ENTRY: Final = re.compile(r"(\*{0,2}\w+(?:\s*,\s*\*{0,2}\w+)*)\s*(?::.*)?$")
_REST_ENTRY: Final = re.compile(
    r":(?:param|parameter|arg|argument|key|keyword)\s+(?:[^:]*\s)?\*{0,2}(\w+)\s*:\s*(.*)$"
)
_SECTION: Final = re.compile(
    r"(?:(?:Keyword |Other )?(?:Args|Arguments|Parameters|Params)|Returns?|Yields?|Raises|Examples?"
    r"|Notes?|See Also|Warnings?|Warns|Attributes|References|Todo):\s*$|:\w+[^:]*:"
)


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
    for at, line in enumerate(lines):
        ruled = at + 1 < len(lines) and _RULE.match(lines[at + 1])
        if not line.strip() or _SECTION.match(line) or ruled:
            break
        paragraph.append(line.strip())
    return " ".join(paragraph)


def _google(lines: list[str]) -> Iterator[Line]:
    """Read every section of parameters; an entry goes on where its lines are further in."""
    inside, entry_indent = False, 0
    current: tuple[str, ...] = ()
    for line in lines:
        indent = _indent(line)
        if line.strip() and indent == 0:
            inside, entry_indent, current = bool(_GOOGLE.match(line)), 0, ()
        elif line.strip() and inside:
            entry_indent = entry_indent or indent
            match = _GOOGLE_ENTRY.match(line.strip()) if indent <= entry_indent else None
            if match is not None:
                current = (match[1],)
            yield current, (match[2] or "" if match else line.strip())


def _numpy(lines: list[str]) -> Iterator[Line]:
    rules = [at for at, line in enumerate(lines) if at and _RULE.match(line)]
    for number, start in enumerate(rules):
        if not _NUMPY.match(lines[start - 1]):
            continue
        end = rules[number + 1] - 1 if number + 1 < len(rules) else len(lines)
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
        elif line.strip():
            current = ()


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
