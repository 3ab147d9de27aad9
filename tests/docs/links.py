"""The links of a page and the anchors of its headings, as a forge of Git repositories sees them."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

_MARKDOWN: Final = MarkdownIt("commonmark").enable("table")
_ADDRESS: Final = {"link_open": "href", "image": "src"}


def links_of(page: Path) -> list[str]:
    """Return where the links and pictures of a page lead, as they are written."""
    return [
        str(token.attrs[_ADDRESS[token.type]])
        for inline in _inlines(page)
        for token in inline.children or ()
        if token.type in _ADDRESS
    ]


def anchors_of(page: Path) -> set[str]:
    """Return the anchors that the headings of a page give."""
    tokens = _parsed(page)
    titles = [
        "".join(part.content for part in inline.children or ())
        for opening, inline in pairwise(tokens)
        if opening.type == "heading_open"
    ]
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def lead_nowhere(page: Path) -> list[str]:
    """Return the links of a page to files, or headings in them, that are not there."""
    return [link for link in links_of(page) if not urlsplit(link).scheme and not _leads(page, link)]


def _leads(page: Path, link: str) -> bool:
    parts = urlsplit(link)
    target = page.parent / unquote(parts.path) if parts.path else page
    if not target.exists():
        return False
    return not parts.fragment or parts.fragment in anchors_of(target)


def _inlines(page: Path) -> Iterator[Token]:
    return (token for token in _parsed(page) if token.type == "inline")


def _parsed(page: Path) -> list[Token]:
    return _MARKDOWN.parse(page.read_text("utf-8"))
