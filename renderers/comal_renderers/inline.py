"""Inline text: links a channel cannot hold become text, and everything can become plain."""

from collections.abc import Callable
from itertools import groupby
from typing import Final
from urllib.parse import urlsplit

from .document import Inline, Rich, Span

_SCHEMES: Final = ("http", "https", "mailto")

Holds = Callable[[str], bool]
"""Tells whether a channel can hold a link to this address."""


def holds_none(_link: str) -> bool:
    """Hold no link at all."""
    return False


def is_web_address(link: str) -> bool:
    """Tell whether a link leads to the web or to a mailbox; nothing else is ever made a link."""
    try:
        parts = urlsplit(link)
    except ValueError:
        return False
    return parts.scheme in _SCHEMES and bool(parts.netloc or parts.scheme == "mailto")


def spans_of(content: Inline) -> tuple[Span, ...]:
    """Return inline text as spans."""
    return (Span(text=content),) if isinstance(content, str) else content.spans


def write_out(content: Inline, holds: Holds) -> Inline:
    """Write the address of a link that is not held, or has no letter to press, behind its text."""
    if isinstance(content, str):
        return content
    spans: list[Span] = []
    for link, group in groupby(content.spans, key=lambda span: span.link):
        linked = tuple(group)
        label = "".join(span.text for span in linked).strip()
        if link is None or (label and holds(link)):
            spans.extend(linked)
            continue
        spans.extend(Span(text=span.text, styles=span.styles) for span in linked)
        address = link.removeprefix("mailto:")
        if label not in (address, link):
            spans.append(Span(text=f" ({address})" if label else address))
    return Rich(spans=tuple(spans))


def plain(content: Inline) -> str:
    """Return the text without styles, addresses of links written out."""
    return "".join(span.text for span in spans_of(write_out(content, holds_none)))
