"""Shows a ToolResult on a channel; pure."""

from .cards import (
    CardLabels,
    CardRendering,
    CardView,
    card_document,
    card_parts,
    fits,
    full_rendered,
    labels,
)
from .commonmark import spell_markdown
from .console import spell_console
from .descriptor import CONSOLE, MARKDOWN, MCP, PLAIN, TELEGRAM, WEB, ButtonLimits, Descriptor
from .document import (
    Action,
    Block,
    Code,
    Divider,
    Document,
    Field,
    Fields,
    Heading,
    Inline,
    Item,
    List,
    Notice,
    Quote,
    Rich,
    Span,
    Table,
    Text,
    entries,
)
from .effects import Effect
from .json import JsonRenderer, spell_json
from .markdown import parse_markdown
from .plain import spell_plain
from .registry import DocumentRenderer, Renderer, RendererRegistry
from .rendered import Rendered
from .results import document_of
from .spelling import spell
from .telegram import spell_telegram

__all__ = [
    "CONSOLE",
    "MARKDOWN",
    "MCP",
    "PLAIN",
    "TELEGRAM",
    "WEB",
    "Action",
    "Block",
    "ButtonLimits",
    "CardLabels",
    "CardRendering",
    "CardView",
    "Code",
    "Descriptor",
    "Divider",
    "Document",
    "DocumentRenderer",
    "Effect",
    "Field",
    "Fields",
    "Heading",
    "Inline",
    "Item",
    "JsonRenderer",
    "List",
    "Notice",
    "Quote",
    "Rendered",
    "Renderer",
    "RendererRegistry",
    "Rich",
    "Span",
    "Table",
    "Text",
    "card_document",
    "card_parts",
    "document_of",
    "entries",
    "fits",
    "full_rendered",
    "labels",
    "parse_markdown",
    "spell",
    "spell_console",
    "spell_json",
    "spell_markdown",
    "spell_plain",
    "spell_telegram",
]
