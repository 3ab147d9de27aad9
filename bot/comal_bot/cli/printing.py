"""How commands show what they found: a table for people, JSON for programs."""

import json
from collections.abc import Sequence

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from comal_runtime.redact import printable


def print_json(value: object) -> None:
    """Print JSON-shaped data."""
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2))


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows under their columns; what is in a cell is shown as it is, never as markup."""
    table = Table(box=None, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(Text(printable(cell)) for cell in row))
    Console().print(table)
