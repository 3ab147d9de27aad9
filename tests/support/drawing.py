"""Blocks of a document that are written from data: `<!-- drawn: name -->` to `<!-- end -->`."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

_BLOCK: Final = re.compile(r"(<!-- drawn: (?P<name>\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def filled(document: str, blocks: Mapping[str, Iterable[str]]) -> str:
    """Return the document with the lines of each block written anew.

    Raises:
        ValueError: The document lacks a block, or has one that is unknown.
    """
    left = dict(blocks)

    def fill(found: re.Match[str]) -> str:
        if found["name"] not in left:
            raise ValueError(f"nothing draws the block {found['name']!r}, or it is there twice")
        lines = "\n".join(left.pop(found["name"]))
        return f"{found[1]}{lines}\n{found[3]}"

    text = _BLOCK.sub(fill, document)
    if left:
        raise ValueError(f"the document lacks the drawn blocks {', '.join(left)}")
    return text


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a Markdown table."""
    lined = [columns, ["---"] * len(columns), *rows]
    return [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in lined]
