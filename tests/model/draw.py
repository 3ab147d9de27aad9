"""Writes the tables and the picture of docs/consent-states.md: `python -m tests.model.draw`."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.support.drawing import filled

from .table import ACT, NONE, QUESTION, Edge
from .together import TOGETHER

DOCUMENT: Final = Path(__file__).parents[2] / "docs" / "consent-states.md"


def drawn(document: str) -> str:
    """Return the document with every drawn block written anew."""
    blocks = {
        "question": _transitions(QUESTION),
        "act": _transitions(ACT),
        "picture": _picture(),
        "together": _together(),
    }
    return filled(document, blocks)


def _name(state: str) -> str:
    return "(none)" if state == NONE else state


def _transitions(edges: tuple[Edge, ...]) -> Iterator[str]:
    yield "| from | to | by | only in time | only its holder | people are told |"
    yield "|---|---|---|---|---|---|"
    for edge in edges:
        marks = " | ".join("yes" if it else "" for it in (edge.timely, edge.holder, edge.tells))
        yield f"| {_name(edge.frm)} | {_name(edge.to)} | {edge.by} | {marks} |"


def _together() -> Iterator[str]:
    yield "| question | act | the card | the model |"
    yield "|---|---|---|---|"
    for one in TOGETHER:
        yield f"| {one.question} | {', '.join(one.acts)} | {one.card} | {one.model} |"


def _picture() -> Iterator[str]:
    yield "```mermaid"
    yield "stateDiagram-v2"
    for title, prefix, edges in (("Question", "q", QUESTION), ("Act", "a", ACT)):
        yield f"  state {title} {{"
        for state in _states(edges):
            yield f"    {prefix}_{state} : {state}"
        for edge in edges:
            start = "[*]" if edge.frm == NONE else f"{prefix}_{edge.frm}"
            yield f"    {start} --> {prefix}_{edge.to} : {edge.event}"
        for state in _states(edges):
            if not any(edge.frm == state for edge in edges):
                yield f"    {prefix}_{state} --> [*]"
        yield "  }"
    yield "```"


def _states(edges: tuple[Edge, ...]) -> list[str]:
    ends = (str(state) for edge in edges for state in (edge.frm, edge.to))
    return [state for state in dict.fromkeys(ends) if state != NONE]


def main() -> int:
    """Write the document; return the exit status."""
    DOCUMENT.write_text(drawn(DOCUMENT.read_text("utf-8")), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
