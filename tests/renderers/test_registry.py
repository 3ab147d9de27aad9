"""Who shows a result on which channel."""

import json

from comal_renderers import DocumentRenderer, Rendered, RendererRegistry
from comal_renderers.document import Document
from comal_runtime.context import ToolContext
from comal_runtime.result import ToolResult


def named(name: str, *channels: str) -> DocumentRenderer:
    def spell(_document: Document) -> Rendered:
        return Rendered(parts=({"text": name},))

    return DocumentRenderer(channels, spell)


def shown(registry: RendererRegistry, channel: str) -> str:
    ctx = ToolContext(channel=channel)
    return str(registry.render(ToolResult.success(message="hello"), ctx).parts[0]["text"])


def test_the_first_renderer_that_supports_the_channel_shows_the_result() -> None:
    registry = RendererRegistry((named("a", "x"), named("b", "x", "y")))

    assert (shown(registry, "x"), shown(registry, "y")) == ("a", "b")


def test_the_default_shows_what_no_renderer_supports() -> None:
    assert shown(RendererRegistry((named("a", "x"),), named("d")), "z") == "d"


def test_json_shows_what_nothing_else_does() -> None:
    assert json.loads(shown(RendererRegistry(), "z"))["message"] == "hello"


def test_the_standard_registry_speaks_entities_text_and_json() -> None:
    registry = RendererRegistry.standard()
    result = ToolResult.success(message="hello")

    telegram = registry.render(result, ToolContext.telegram(1, 2))
    assert telegram.parts == ({"text": "hello", "entities": []},)
    assert shown(registry, "console") == "hello"
    assert json.loads(shown(registry, "mcp"))["success"] is True


def test_no_channel_prints_a_confirm_token() -> None:
    data = {"confirm_token": "tok-1", "deep": [{"confirm_token": "tok-2"}]}
    result = ToolResult.confirmation("Sure?", data)

    for channel in ("telegram", "console", "web", "mcp", "unheard-of"):
        rendered = RendererRegistry.standard().render(result, ToolContext(channel=channel))
        assert "tok-" not in json.dumps(rendered.parts)
