"""Spells a document as plain text."""

from itertools import groupby

from .degrade import degrade
from .descriptor import PLAIN
from .document import Document
from .layout import lay_out
from .rendered import Rendered


def spell_plain(document: Document) -> Rendered:
    """Spell the document as one `{"text": …}`; actions become numbered lines, quotes `> ` lines."""
    text = ""
    runs = lay_out(degrade(document, PLAIN).blocks)
    for quoted, group in groupby(runs, key=lambda run: run.marks.quoted):
        stretch = "".join(run.text for run in group)
        text += _quote(stretch) if quoted else stretch
    text = text.strip("\n").rstrip()
    return Rendered(parts=({"text": text},) if text else ())


def _quote(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))
