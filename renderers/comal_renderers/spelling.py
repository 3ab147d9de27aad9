"""Picks the speller of a channel."""

from .descriptor import Descriptor
from .document import Document
from .plain import spell_plain
from .rendered import Rendered
from .telegram import spell_telegram


def spell(document: Document, descriptor: Descriptor, *, numbered: bool = False) -> Rendered:
    """Spell the document for one channel: as entities where it has them, else as plain text.

    `numbered` begins each of several messages with `⟨2/3⟩`.
    """
    if descriptor.markup == "entities":
        return spell_telegram(document, numbered=numbered)
    return spell_plain(document)
