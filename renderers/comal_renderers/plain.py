"""Spells a document as plain text."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from .buttons import bare_text, spelled_rows
from .degrade import degrade
from .descriptor import PLAIN, Descriptor
from .document import Action, Block, Document
from .layout import Run, lay_out
from .numbering import numbered_parts, room_for_numbers
from .rendered import Rendered
from .split import shortened, split


def spell_plain(
    document: Document, descriptor: Descriptor = PLAIN, *, numbered: bool = False
) -> Rendered:
    """Spell the document as `{"text": …}` bodies within the channel's limits.

    Quotes are `> ` lines. Actions are `buttons` of the last body where the channel has them, else
    numbered lines. `numbered` begins each of several messages with `⟨2/3⟩`.
    """
    fitted = degrade(document, descriptor)
    room = room_for_numbers(descriptor) if numbered else None
    parts = split(bare_runs(fitted.blocks), descriptor, room)
    parts, cut = shortened(parts, descriptor, document.language, room)
    if numbered:
        parts = numbered_parts(parts, descriptor)
    texts = ["".join(run.text for run in part) for part in parts]
    return bodies(texts, fitted.actions, descriptor, cut)


def bare_runs(blocks: Iterable[Block]) -> tuple[Run, ...]:
    """Return the blocks as one run of text without any marks, quotes as `> ` lines."""
    text = ""
    for quoted, group in groupby(lay_out(blocks), key=lambda run: run.marks.quoted):
        stretch = "".join(run.text for run in group)
        text += _quote(stretch) if quoted else stretch
    return (Run(text=text),) if text else ()


def bodies(
    texts: Sequence[str], actions: Sequence[Action], descriptor: Descriptor, cut: int
) -> Rendered:
    """Return one body for each text; the buttons hang on the last."""
    made: list[dict[str, Any]] = [{"text": each} for each in texts]
    if actions:
        made = made or [{"text": bare_text(descriptor)}]
        made[-1]["buttons"] = spelled_rows(actions, descriptor)
    return Rendered(parts=tuple(made), cut=cut)


def _quote(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))
