"""Chooses who shows a result on a channel."""

from collections.abc import Callable, Iterable
from typing import Protocol

from comal_runtime.context import ToolContext
from comal_runtime.result import ToolResult

from .document import Document
from .json import JsonRenderer
from .plain import spell_plain
from .rendered import Rendered
from .results import document_of
from .telegram import spell_telegram


class Renderer(Protocol):
    """Shows results on the channels it supports."""

    def supports(self, channel: str) -> bool:
        """Tell whether results can be shown on this channel."""
        ...

    def render(self, result: ToolResult, ctx: ToolContext) -> Rendered:
        """Show one result."""
        ...


class DocumentRenderer:
    """Shows results as documents through one speller, on the named channels."""

    def __init__(self, channels: Iterable[str], spell: Callable[[Document], Rendered]) -> None:
        self._channels = frozenset(channels)
        self._spell = spell

    def supports(self, channel: str) -> bool:
        """Tell whether this is one of the named channels."""
        return channel in self._channels

    def render(self, result: ToolResult, ctx: ToolContext) -> Rendered:
        """Spell the result's document."""
        return self._spell(document_of(result))


class RendererRegistry:
    """Shows a result by the first renderer that supports its channel, else as JSON."""

    def __init__(self, renderers: Iterable[Renderer] = (), default: Renderer | None = None) -> None:
        self._renderers = tuple(renderers)
        self._default: Renderer = default or JsonRenderer()

    @classmethod
    def standard(cls) -> "RendererRegistry":
        """Return the renderers that come with the host."""
        telegram = DocumentRenderer(("telegram",), spell_telegram)
        plain = DocumentRenderer(("cli", "tui", "console", "web", "plain"), spell_plain)
        return cls((telegram, plain))

    def render(self, result: ToolResult, ctx: ToolContext) -> Rendered:
        """Show a result on the channel of its context; no confirm token is ever shown."""
        found = (each for each in self._renderers if each.supports(ctx.channel))
        return next(found, self._default).render(result, ctx)
