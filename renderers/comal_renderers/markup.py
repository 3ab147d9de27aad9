"""Writes inline text as Markdown that reads back as the same text."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final
from urllib.parse import quote

from .document import Inline, Rich, Span, Style, Text
from .inline import spans_of
from .layout import clean
from .markdown import parse_markdown

_ANYWHERE: Final = re.compile(
    r"[\\`*\[\]<~|]"
    r"|(?<![^\W_])_|_(?![^\W_])"  # `_` between two letters is only a letter.
    r"|&(?=[#A-Za-z])|:(?=//)|@(?=\w)|(?<=\bwww)\."  # Some readers make links of addresses.
)
_LINE_START: Final = re.compile(r"[=#>:]|[-+](?=\s|\Z)|-(?=[-:|\\])|(\d{1,9})(?=[.)](?:\s|\Z))")
_EDGES: Final = re.compile(r"\A\s+|\s+\Z")
_TICKS: Final = re.compile(r"`+")
_KEPT_IN_LINKS: Final = "!#$%&'*+,-./:;=?@_~"
_MARKS: Final[tuple[dict[Style, str], ...]] = (
    {"bold": "**", "strike": "~~", "italic": "*"},
    {"bold": "**", "strike": "~~", "italic": "_"},
    {},
)
"""Ways to write styles, tried in turn; the last gives up all but code."""

_NONE: Final[frozenset[Style]] = frozenset()
_CODE: Final[frozenset[Style]] = frozenset(("code",))


def paragraph(content: Inline) -> str:
    """Write inline text of any number of lines; newlines around it are left out."""
    if isinstance(content, str):
        return _joined(_escaped(line) for line in clean(content).strip("\n").split("\n"))
    lines = _lines(content)
    if not any(span.styles for line in lines for span in line):
        return _joined(_line(line, {}) for line in lines)
    for marks in _MARKS:
        written = _joined(_line(line, marks) for line in lines)
        if _reads_as(written, lines, frozenset(marks)):
            return written
    return _joined(_line([replace(span, styles=_NONE) for span in line], {}) for line in lines)


def one_line(content: Inline) -> str:
    """Write inline text on one line, as headings and the cells of tables need it."""
    if isinstance(content, str):
        return paragraph(" ".join(content.split()))
    spans = (replace(span, text=re.sub(r"\s+", " ", span.text)) for span in content.spans)
    return paragraph(Rich(spans=tuple(spans))).strip()


def code_span(text: str) -> str:
    """Write code of one line between enough backticks."""
    ticks = "`" * (max(map(len, _TICKS.findall(text)), default=0) + 1)
    padded = text.strip(" ") and (text[0] in "` " or text[-1] in "` ")
    return f"{ticks} {text} {ticks}" if padded else f"{ticks}{text}{ticks}"


def _escaped(text: str) -> str:
    return _ANYWHERE.sub(r"\\\g<0>", text)


def _joined(lines: Iterable[str]) -> str:
    """Join lines by hard breaks; blanks at their edges and marks at their start stay text."""
    return "\\\n".join(map(_settled, lines))


def _settled(line: str) -> str:
    line = _EDGES.sub(lambda edge: "".join(f"&#{ord(blank)};" for blank in edge[0]), line)
    found = _LINE_START.match(line)
    if found is None:
        return line
    number = found[1] or ""
    return f"{number}\\{line[len(number) :]}"


def _lines(content: Rich) -> list[list[Span]]:
    """Return the spans of each line, without the empty lines around them."""
    lines: list[list[Span]] = [[]]
    for span in spans_of(content):
        first, *others = clean(span.text).split("\n")
        lines[-1].append(replace(span, text=first))
        lines.extend([replace(span, text=each)] for each in others)
    filled = [index for index, line in enumerate(lines) if any(span.text for span in line)]
    return lines[filled[0] : filled[-1] + 1] if filled else []


def _line(spans: Sequence[Span], marks: dict[Style, str]) -> str:
    written = []
    for link, group in groupby((s for s in spans if s.text), key=lambda span: span.link):
        text = _styled(tuple(group), tuple(marks.items()))
        if link is None or not text.strip():
            written.append(text)
            continue
        if written and written[-1].endswith("!"):
            written[-1] = f"{written[-1][:-1]}\\!"  # Else the link would be a picture.
        written.append(_link(text, link))
    return "".join(written)


def _styled(spans: Sequence[Span], marks: Sequence[tuple[Style, str]]) -> str:
    if not marks:
        return _unstyled(spans)
    (style, mark), *inner = marks
    written = []
    for is_on, group in groupby(spans, key=lambda span: style in span.styles):
        text = _styled(tuple(group), inner)
        written.append(_between(mark, text) if is_on else text)
    return "".join(written)


def _unstyled(spans: Sequence[Span]) -> str:
    groups = groupby(spans, key=lambda span: "code" in span.styles)
    texts = (("".join(span.text for span in group), is_code) for is_code, group in groups)
    return "".join(code_span(text) if is_code else _escaped(text) for text, is_code in texts)


def _between(mark: str, text: str) -> str:
    inner = text.strip()
    if not inner:
        return text
    lead = text[: len(text) - len(text.lstrip())]
    return f"{lead}{mark}{inner}{mark}{text[len(text.rstrip()) :]}"


def _link(text: str, link: str) -> str:
    return f"[{text}](<{quote(link.encode('utf-8', 'replace'), safe=_KEPT_IN_LINKS)}>)"


def _reads_as(written: str, lines: Sequence[Sequence[Span]], styles: frozenset[Style]) -> bool:
    """Tell whether our own parser reads the same letters under the same of these styles."""
    blocks = parse_markdown(written).blocks
    if len(blocks) != 1 or not isinstance(blocks[0], Text):
        return False
    kept: frozenset[Style] = styles | _CODE
    return _letters(spans_of(blocks[0].content), kept) == _letters(_flat(lines), kept)


def _flat(lines: Sequence[Sequence[Span]]) -> Iterator[Span]:
    for number, line in enumerate(lines):
        yield from (Span(text="\n"),) if number else ()
        yield from line


def _letters(spans: Iterable[Span], kept: frozenset[Style]) -> list[tuple[str, frozenset[Style]]]:
    """Return every letter that can be seen, with those of its styles that are kept."""
    return [
        (letter, span.styles & kept)
        for span in spans
        for letter in span.text
        if not letter.isspace()
    ]
