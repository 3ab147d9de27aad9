"""How commands show what they found: text and tables for people, JSON for programs."""

import json
from collections.abc import Sequence
from textwrap import TextWrapper
from typing import Final

import typer
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from comal_runtime.redact import printable

_GAP: Final = 2  # cells between two columns


def print_json(value: object) -> None:
    """Print JSON-shaped data."""
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2))


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows under their columns; what is in a cell is shown as it is, never as markup.

    Lines break between words only: a table that is too wide even so is wider than the terminal.
    """
    shown = [[printable(cell) for cell in row] for row in rows]
    console = Console()
    widths = _widths([list(columns), *shown], console.width)
    table = Table(box=None, padding=(0, _GAP, 0, 0), pad_edge=False)
    for column, width in zip(columns, widths, strict=True):
        table.add_column(column, width=width, overflow="fold")
    for row in shown:
        table.add_row(*(Text(cell) for cell in row))
    console.print(table, width=max(console.width, _whole(widths)), soft_wrap=False, crop=False)


def print_text(text: str, *, indent: int = 0) -> None:
    """Print a text as it is, its lines broken between words only."""
    padding = " " * indent
    wrapper = TextWrapper(
        width=Console().width,
        initial_indent=padding,
        subsequent_indent=padding,
        break_long_words=False,
        break_on_hyphens=False,
    )
    typer.echo(wrapper.fill(printable(text)))


def print_cut(text: str, *, indent: int = 0) -> None:
    """Print a text on one line, cut with an ellipsis where the terminal ends."""
    line = Text(" ".join(printable(text).split()))
    line.truncate(max(1, Console().width - indent), overflow="ellipsis")
    typer.echo(" " * indent + line.plain)


def _widths(rows: Sequence[Sequence[str]], room: int) -> list[int]:
    """Return the columns' widths: the widest gives way first, none below its longest word."""
    cells = list(zip(*rows, strict=True))
    widths = [max(cell_len(cell) for cell in column) for column in cells]
    words = [[word for cell in column for word in cell.split()] for column in cells]
    least = [max(map(cell_len, column), default=1) for column in words]
    while _whole(widths) > room:
        yielding = [number for number, width in enumerate(widths) if width > least[number]]
        if not yielding:
            break
        widths[max(yielding, key=widths.__getitem__)] -= 1
    return widths


def _whole(widths: Sequence[int]) -> int:
    return sum(widths) + _GAP * (len(widths) - 1)
