"""Picks the speller of a channel."""

from .commonmark import spell_markdown
from .descriptor import Descriptor
from .document import Document
from .plain import spell_plain
from .rendered import Rendered
from .telegram import spell_telegram


def spell(document: Document, descriptor: Descriptor, *, numbered: bool = False) -> Rendered:
    """Spell the document for one channel: in its own markup, within its own limits.

    A channel of JSON shows documents as plain text. `numbered` begins each of several messages
    with `⟨2/3⟩`.
    """
    match descriptor.markup:
        case "entities":
            return spell_telegram(document, descriptor, numbered=numbered)
        case "markdown":
            return spell_markdown(document, descriptor, numbered=numbered)
        case "plain" | "json":
            return spell_plain(document, descriptor, numbered=numbered)
