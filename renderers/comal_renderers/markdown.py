"""Reads a model's Markdown into a document; anything it does not know stays text."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode

from .document import (
    Block,
    Code,
    Divider,
    Document,
    Heading,
    Inline,
    Item,
    List,
    Quote,
    Rich,
    Span,
    Style,
    Table,
    Text,
)
from .inline import is_web_address

_DEPTH: Final = 40  # Levels of nesting; what is deeper would be lost, so it is not parsed at all.
_TASK: Final = re.compile(r"\[([ xX])\]\s+")
_STYLES: Final[dict[str, Style]] = {"strong": "bold", "em": "italic", "s": "strike"}
_PLAIN: Final = Span(text="")


def parse_markdown(text: str) -> Document:
    """Read Markdown; raw HTML, odd links and broken markup stay as written. Raises nothing."""
    text = _well_formed(text)
    tokens = _tokens(text)
    if any(token.level >= _DEPTH - 1 for token in _all(tokens)):
        return Document(blocks=(Text(content=text),))
    return Document(blocks=_blocks(SyntaxTreeNode(tokens).children))


def _tokens(text: str) -> list[Token]:
    """Parse; a line like `[INFO]: done` is a link's definition only if a link uses it."""
    env: dict[str, Any] = {}
    tokens = _parser(references=True).parse(text, env)
    used = {token.attrs.get("href", token.attrs.get("src")) for token in _all(tokens)}
    defined = {entry["href"] for entry in env.get("references", {}).values()}
    if defined <= used and not env.get("duplicate_refs"):
        return tokens
    return _parser(references=False).parse(text)


@cache
def _parser(*, references: bool) -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": _DEPTH})
    parser.enable(["table", "strikethrough"])
    return parser if references else parser.disable("reference")


def _all(tokens: Iterable[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from _all(token.children or ())


def _well_formed(text: str) -> str:
    """Replace lone surrogates, which cannot be encoded."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _blocks(nodes: Sequence[SyntaxTreeNode]) -> tuple[Block, ...]:
    return tuple(_block(node) for node in nodes)


def _block(node: SyntaxTreeNode) -> Block:
    match node.type:
        case "heading":
            return Heading(content=_content(node), level=int(node.tag[1:]))
        case "bullet_list" | "ordered_list":
            return _list(node)
        case "blockquote":
            return Quote(blocks=_blocks(node.children))
        case "fence" | "code_block":
            return _code(node)
        case "hr":
            return Divider()
        case "table":
            return _table(node)
        case _:
            return Text(content=_content(node))


def _code(node: SyntaxTreeNode) -> Block:
    words = node.info.split()
    if not node.content and len(words) > 1:
        return Text(content=node.info)  # Prose behind a fence that holds nothing.
    return Code(text=node.content.removesuffix("\n"), language=words[0] if words else None)


def _list(node: SyntaxTreeNode) -> List:
    items = tuple(_item(child) for child in node.children)
    start = node.attrs.get("start", 1)
    return List(items=items, ordered=node.type == "ordered_list", start=int(start))


def _item(node: SyntaxTreeNode) -> Item:
    blocks = _blocks(node.children)
    if not blocks or not isinstance(blocks[0], Text):
        return Item(blocks=blocks)
    content = blocks[0].content
    lead = Span(text=content) if isinstance(content, str) else content.spans[0]
    task = _TASK.match(lead.text) if lead == Span(text=lead.text) else None
    if task is None or not _TASK.match(
        node.children[0].children[0].content
    ):  # An escaped box is text.
        return Item(blocks=blocks)
    text = Text(content=_without(content, task.end()))
    return Item(blocks=(text, *blocks[1:]), checked=task[1] != " ")


def _without(content: Inline, letters: int) -> Inline:
    if isinstance(content, str):
        return content[letters:]
    first, *rest = content.spans
    return Rich(spans=(replace(first, text=first.text[letters:]), *rest))


def _table(node: SyntaxTreeNode) -> Table:
    rows = [
        tuple(_content(cell) for cell in row.children)
        for section in node.children
        for row in section.children
    ]
    return Table(header=rows[0], rows=tuple(rows[1:]))


def _content(node: SyntaxTreeNode) -> Inline:
    spans = [span for child in node.children for span in _spans(child, _PLAIN)]
    merged: list[Span] = []
    for span in spans:
        if merged and (merged[-1].styles, merged[-1].link) == (span.styles, span.link):
            merged[-1] = replace(span, text=merged[-1].text + span.text)
        elif span.text:
            merged.append(span)
    if all(span.link is None and not span.styles for span in merged):
        return "".join(span.text for span in merged)
    return Rich(spans=tuple(merged))


def _spans(node: SyntaxTreeNode, outer: Span) -> list[Span]:
    """Return the spans of one inline node within the styles and the link of `outer`."""
    match node.type:
        case "strong" | "em" | "s":
            styled = replace(outer, styles=outer.styles | {_STYLES[node.type]})
            return _inside(node, styled)
        case "link":
            return _link(node, outer)
        case "image":
            return _image(node, outer)
        case "code_inline":
            return [replace(outer, text=node.content, styles=outer.styles | {"code"})]
        case "softbreak" | "hardbreak":
            return [replace(outer, text="\n")]
        case "inline":
            return _inside(node, outer)
        case _:
            return [replace(outer, text=node.content)]


def _inside(node: SyntaxTreeNode, outer: Span) -> list[Span]:
    return [span for child in node.children for span in _spans(child, outer)]


def _link(node: SyntaxTreeNode, outer: Span) -> list[Span]:
    address = str(node.attrs.get("href", ""))
    if is_web_address(address):
        return _inside(node, replace(outer, link=address))
    spans = _inside(node, outer)
    label = "".join(span.text for span in spans)
    return spans if label == address else [*spans, replace(outer, text=f" ({address})")]


def _image(node: SyntaxTreeNode, outer: Span) -> list[Span]:
    """Show the description, linked to the picture; embedded pictures are only named."""
    address = str(node.attrs.get("src", ""))
    label = "".join(span.text for span in _inside(node, _PLAIN)) or "🖼"
    if is_web_address(address) and outer.link is None:
        return [replace(outer, text=label, link=address)]
    shown = address.split(",")[0] + ",…" if address.startswith("data:") else address
    return [replace(outer, text=label), replace(outer, text=f" ({shown})")]
