"""Chooses who shows a result on a channel."""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, Protocol

from comal_runtime.context import ToolContext
from comal_runtime.result import ToolResult

from .commonmark import spell_markdown
from .concealing import secrets_of
from .console import spell_console
from .descriptor import WEB
from .document import Action, Document
from .json import JsonRenderer
from .plain import spell_plain
from .rendered import Rendered
from .results import document_of
from .telegram import spell_telegram

log = logging.getLogger(__name__)

Speller = Callable[[Document], Rendered]
"""Spells a document for one channel, such as `spell_console` or a `partial` of it."""

Language = Callable[[ToolContext], str | None]
"""Tells the language of the reader as an IETF tag; None is English."""

Offer = Callable[[ToolResult, ToolContext], Iterable[Action]]
"""Makes the actions under a result that asks; the host knows what their data stands for."""

_TERMINALS: Final = ("cli", "tui", "console")


class Renderer(Protocol):
    """Shows results on the channels it supports."""

    def supports(self, channel: str) -> bool:
        """Tell whether results can be shown on this channel."""
        ...

    def render(self, result: ToolResult, ctx: ToolContext) -> Rendered:
        """Show one result."""
        ...


def language_of(ctx: ToolContext) -> str | None:
    """Return the language that the context's `extra` names as `language`, if it does."""
    language = ctx.extra.get("language")
    return language if isinstance(language, str) else None


def no_actions(result: ToolResult, ctx: ToolContext) -> Iterable[Action]:
    """Offer nothing to press."""
    return ()


class DocumentRenderer:
    """Shows results as documents through one speller, on the named channels."""

    def __init__(
        self,
        channels: Iterable[str],
        spell: Speller,
        *,
        language: Language = language_of,
        actions: Offer = no_actions,
    ) -> None:
        self._channels = frozenset(channels)
        self._spell = spell
        self._language = language
        self._actions = actions

    def supports(self, channel: str) -> bool:
        """Tell whether this is one of the named channels."""
        return channel in self._channels

    def render(self, result: ToolResult, ctx: ToolContext) -> Rendered:
        """Spell the result's document; one that asks carries the actions offered for it."""
        document = document_of(result, self._language(ctx))
        if result.requires_confirmation:
            document = replace(document, actions=tuple(self._actions(result, ctx)))
        return self._spell(document)


_OURS: Final = (DocumentRenderer, JsonRenderer)  # They show what is concealed already.


class RendererRegistry:
    """Shows a result by the first renderer that supports its channel, else as JSON.

    One that raises is passed over: the next that supports the channel shows the result, then the
    default, and JSON at the last.
    """

    def __init__(self, renderers: Iterable[Renderer] = (), default: Renderer | None = None) -> None:
        self._renderers = tuple(renderers)
        self._default = default

    @classmethod
    def standard(
        cls,
        renderers: Iterable[Renderer] = (),
        default: Renderer | None = None,
        *,
        language: Language = language_of,
        actions: Offer = no_actions,
    ) -> "RendererRegistry":
        """Return the renderers that come with the host, behind those that are given.

        Text for terminals (cli, tui, console), Markdown for web, entities for telegram, plain text
        for plain, JSON for mcp and for every channel that neither they nor `default` show.
        """

        def web(document: Document) -> Rendered:
            return spell_markdown(document, WEB)

        spellers: dict[tuple[str, ...], Speller] = {
            ("telegram",): spell_telegram,
            _TERMINALS: spell_console,
            ("web",): web,
            ("plain",): spell_plain,
        }
        ours = (
            DocumentRenderer(channels, spell, language=language, actions=actions)
            for channels, spell in spellers.items()
        )
        return cls((*renderers, *ours, JsonRenderer(("mcp",))), default)

    def render(self, result: ToolResult, ctx: ToolContext) -> Rendered:
        """Show a result on the channel of its context; no confirm token is ever in its text.

        Raises nothing: a renderer that fails is logged by its type, without what it said.
        """
        for renderer in self._candidates():
            try:
                if renderer is self._default or renderer.supports(ctx.channel):
                    rendered = renderer.render(result, ctx)
                    return rendered if isinstance(renderer, _OURS) else _guarded(rendered, result)
            except Exception as error:  # A user's renderer; the channel must not fall by it.
                facts = {"renderer": type(renderer).__name__, "error": type(error).__name__}
                log.warning("renderer.failed", extra={**facts, "channel": ctx.channel})
        return Rendered(parts=())

    def _candidates(self) -> Iterator[Renderer]:
        yield from self._renderers
        if self._default is not None:
            yield self._default
        yield JsonRenderer()


def _guarded(rendered: Rendered, result: ToolResult) -> Rendered:
    """Dot out the secrets of a result that a renderer put into a text, letter by letter."""
    secrets = secrets_of(result)
    if not secrets:
        return rendered
    parts: list[Mapping[str, Any]] = []
    for part in rendered.parts:
        text = part.get("text")
        if isinstance(text, str):
            part = {**part, "text": secrets.replaced(text, lambda secret: "•" * len(secret))}
        parts.append(part)
    return replace(rendered, parts=tuple(parts))
