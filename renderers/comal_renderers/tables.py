"""Draws a table in a fixed width, where a channel has none."""

from .columns import padded, width
from .document import Code, Inline, Table
from .inline import plain

RULE = "─┼─"
BAR = " │ "


def table_code(table: Table) -> Code:
    """Draw a table as code; wide letters count as two columns."""
    cells = grid(table)
    widths = [max(map(width, column)) for column in zip(*cells, strict=True)]
    lines = [BAR.join(map(padded, row, widths)).rstrip() for row in cells]
    lines.insert(1, RULE.join("─" * each for each in widths))
    return Code(text="\n".join(lines))


def grid(table: Table) -> list[list[str]]:
    """Return header and rows as cells of one line each, every row as long as the longest."""
    cells = [[_cell(cell) for cell in row] for row in (table.header, *table.rows)]
    columns = max(map(len, cells))
    return [row + [""] * (columns - len(row)) for row in cells]


def _cell(content: Inline) -> str:
    return " ".join(plain(content).split())
