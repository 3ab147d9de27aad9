"""The thin seam under every repository: named parameters in, tuples out."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

Row = Sequence[Any]
"""One row, columns in the order the query names them."""

Params = Mapping[str, Any]


class Sql(Protocol):
    """Runs statements of one transaction. Parameters are spelled `:name`."""

    async def execute(self, query: str, params: Params) -> int:
        """Run a statement and return how many rows it changed."""
        ...

    async def one(self, query: str, params: Params) -> Row | None:
        """Return the first row, or None."""
        ...

    async def all(self, query: str, params: Params) -> list[Row]:
        """Return every row."""
        ...

    async def insert(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        """Append rows in the order given: many for little more than the price of one."""
        ...
