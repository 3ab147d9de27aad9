"""Writes the table of types in docs/tools.md: `python -m tests.docs.draw_types`."""

import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final

from comal_runtime import ToolRegistry, ToolScanner, tool
from tests.support.drawing import filled, table

from .blocks import blocks_of
from .told import TYPES

DOCUMENT: Final = Path(__file__).parents[2] / "docs" / "tools.md"
_NAMES: Final = "class Colour(Enum)"
_COLUMNS: Final = ("annotation", "in the schema", "a call sends", "the function receives")


async def drawn(document: str) -> str:
    """Return the document with its table of types written anew."""
    names = _names()
    rows = [await _row(written, sent, names) for written, sent in TYPES.items()]
    return filled(document, {"types": table(_COLUMNS, rows)})


def _names() -> dict[str, Any]:
    """Return the names that the page's own block declares."""
    [block] = [one for one in blocks_of(DOCUMENT) if _NAMES in one.text]
    names: dict[str, Any] = {"__name__": __name__}
    exec(compile(block.text, str(block), "exec"), names)
    return names


async def _row(written: str, sent: object, names: dict[str, Any]) -> Sequence[str]:
    received: list[object] = []

    def given(value: object) -> None:
        received.append(value)

    given.__annotations__ = {"value": Annotated[eval(written, names), "as it is written"]}
    registry = ToolRegistry()
    ToolScanner(registry).scan(tool("given", "Take a value.")(given))
    answer = await registry.call("given", {"value": sent})
    if not answer.success:
        raise ValueError(f"{written} does not take {sent!r}: {answer.error}")
    [defined] = registry.get_tool_summaries()
    schema = json.dumps(defined["inputSchema"]["properties"]["value"], default=dict)
    return tuple(f"`{cell}`" for cell in (written, schema, json.dumps(sent), repr(received[0])))


def main() -> int:
    """Write the table; return the exit status."""
    text = asyncio.run(drawn(DOCUMENT.read_text("utf-8")))
    DOCUMENT.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
