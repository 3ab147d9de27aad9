"""`comal audit tail`: the newest records, a line each, and those that come."""

import asyncio
import time
from pathlib import Path
from typing import Final

import typer
from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from comal_bot.settings import load_settings
from comal_renderers.visible import visible
from comal_runtime.audit import line_of
from comal_runtime.record import Filed, Sought
from comal_runtime.record.audit import Audit
from comal_runtime.record.sqlite import SqliteSql

from ..complaints import complain
from ..opening import opened

_POLL: Final = 0.5  # seconds between two looks for new records
_WHO: Final = 14  # cells of each column
_TOOL: Final = 16
_HOW: Final = 20
_NOBODY: Final = "nobody"


def show_tail(
    config: Path | None,
    data: Path | None,
    wanted: Sought,
    *,
    count: int,
    follow: bool,
    as_json: bool,
) -> None:
    """Print the newest `count` records sought; with `follow` go on until interrupted.

    Raises:
        CommandFailed: There is no record to read.
    """
    settings = load_settings(config, data=data)
    asyncio.run(_show(settings.data.path, wanted, count, follow, Lines(as_json=as_json)))


class Lines:
    """Prints records, a line each; a new day has a line of its own."""

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json
        self._day = ""
        self._width = Console().width

    def print(self, filed: Filed) -> None:
        """Print one record; nothing in it reaches the terminal as a control character."""
        if self._as_json:
            typer.echo(json_line(filed))
            return
        day, at = _when(filed.record.at)
        if day != self._day:
            self._day = day
            typer.echo(f"-- {day}")
        typer.echo(_fitted(_line(filed, at), self._width))


def json_line(filed: Filed) -> str:
    """Return a record as JSON that is ASCII alone, so that nothing hides in it."""
    line = line_of(filed)
    if line.isascii():
        return line
    return "".join(c if c.isascii() else _escaped(c) for c in line)


async def _show(path: Path, wanted: Sought, count: int, follow: bool, lines: Lines) -> None:
    with opened(path) as connection:
        audit = Audit(SqliteSql(connection))
        newest = await audit.newest(wanted, limit=count)
        for filed in newest:
            lines.print(filed)
        if not follow:
            if not newest and count:
                complain("there is no such record")
            return
        await _follow(audit, wanted, await audit.last_seq(), lines)


async def _follow(audit: Audit, wanted: Sought, seen: int, lines: Lines) -> None:
    while True:
        for filed in await audit.page(wanted, after=seen, limit=1000):
            lines.print(filed)
            seen = filed.seq or seen
        await asyncio.sleep(_POLL)


def _line(filed: Filed, at: str) -> str:
    record = filed.record
    columns = (
        _column(record.principal or _NOBODY, _WHO),
        _column(record.tool, _TOOL),
        _column(record.decision, _HOW),
    )
    code = "" if record.code is None else f"{visible(str(record.code))} "
    return f"{at} {' '.join(columns)} {code}{visible(str(record.args))}"


def _when(at: float) -> tuple[str, str]:
    """Return the local day and time; of what somebody made no time at all, that it is none."""
    try:
        local = time.localtime(at)
    except (TypeError, ValueError, OverflowError, OSError):
        return "(no time)", "--:--:--"
    return time.strftime("%Y-%m-%d", local), time.strftime("%H:%M:%S", local)


def _column(text: str, width: int) -> str:
    shown = visible(str(text))
    if cell_len(shown) <= width:
        return set_cell_size(shown, width)
    return f"{set_cell_size(shown, width - 1)}…"


def _fitted(line: str, width: int) -> str:
    text = Text(line)
    text.truncate(max(1, width), overflow="ellipsis")
    return text.plain.rstrip()


def _escaped(character: str) -> str:
    code = ord(character)
    if code <= 0xFFFF:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
