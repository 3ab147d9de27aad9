"""`comal audit export`: every record to a file or stdout, however many there are."""

import asyncio
import csv
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TextIO

from rich.console import Console
from rich.progress import Progress

from comal_bot.settings import load_settings
from comal_runtime.audit import fields_of, line_of
from comal_runtime.record import Filed, Link, Sought
from comal_runtime.record.audit import Audit, AuditRecord
from comal_runtime.record.sqlite import SqliteSql

from ..complaints import CommandFailed, complain
from ..opening import opened
from .seeking import pages

_LONG: Final = 5000  # records from which on a progress bar is worth it
_COLUMNS: Final = ("seq", "time", *AuditRecord.__slots__, *Link.__slots__)
_FORMULAS: Final = ("=", "+", "-", "@", "\t", "\r")
"""What makes a spreadsheet take a cell for a formula. Source: OWASP, CSV Injection."""

Write = Callable[[Filed], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where records go: a file, or stdout; an existing file only with `force`."""

    path: Path | None
    force: bool
    csv: bool


def export_records(config: Path | None, data: Path | None, wanted: Sought, target: Target) -> None:
    """Write the records sought, oldest first.

    Raises:
        CommandFailed: There is no record to read, or the file cannot be written.
    """
    path = load_settings(config, data=data).data.path
    try:
        with _writing_to(target) as file:
            count = asyncio.run(_export(path, wanted, _writer(file, target)))
    except BrokenPipeError:  # whoever read has seen enough
        raise
    except FileExistsError as error:
        raise _is_there(target.path) from error
    except OSError as error:
        raise CommandFailed(f"{target.path or 'stdout'}: {error.strerror or error}") from error
    if target.path is not None:
        complain(f"{count} records written to {target.path}")


async def _export(path: Path, wanted: Sought, write: Write) -> int:
    count = 0
    with opened(path) as connection:
        connection.execute("BEGIN")  # all of one moment
        audit = Audit(SqliteSql(connection))
        with counting("exporting", await audit.count(wanted)) as advance:
            async for page in pages(audit, wanted):
                for filed in page:
                    write(filed)
                count += len(page)
                advance(len(page))
    return count


@contextmanager
def counting(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show on stderr how far a long work has come, where somebody looks."""
    if total < _LONG or not sys.stderr.isatty():
        yield lambda _: None
        return
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=total)
        yield lambda count: progress.advance(task, count)


@contextmanager
def _writing_to(target: Target) -> Iterator[TextIO]:
    """Open what is written to; a file that could not be finished is not left behind."""
    if target.path is None:
        yield sys.stdout
        return
    if target.path.exists() and not target.force:
        raise _is_there(target.path)
    draft = target.path.with_name(f".{target.path.name}.part")
    try:
        with open(draft, "w", encoding="utf-8", newline="", opener=_private) as file:
            yield file
        if target.force:
            draft.replace(target.path)
        else:
            os.link(draft, target.path)  # never over a file that has come meanwhile
    finally:
        draft.unlink(missing_ok=True)


def _is_there(path: Path | None) -> CommandFailed:
    return CommandFailed(f"{path} is there already; --force overwrites it")


def _private(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0), 0o600)


def _writer(file: TextIO, target: Target) -> Write:
    if not target.csv:
        return lambda filed: file.write(f"{line_of(filed)}\n")
    rows = csv.writer(file, lineterminator="\n")
    rows.writerow(_COLUMNS)
    return lambda filed: rows.writerow(_row(filed))


def _row(filed: Filed) -> list[object]:
    fields = fields_of(filed)
    fields["time"] = _iso(filed.record.at)
    return [_cell(fields.get(name)) for name in _COLUMNS]


def _iso(at: float) -> str:
    try:
        return datetime.fromtimestamp(at, UTC).isoformat()
    except (TypeError, ValueError, OverflowError, OSError):  # somebody changed it
        return ""


def _cell(value: object) -> object:
    """Return a cell that no spreadsheet takes for a formula."""
    if isinstance(value, str) and value.startswith(_FORMULAS):
        return f"'{value}"
    return value
