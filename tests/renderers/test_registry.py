"""Who shows a result on which channel."""

import json
import logging

import pytest

from comal_renderers import (
    Action,
    DocumentRenderer,
    Rendered,
    RendererRegistry,
)
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


@pytest.mark.runtime_line(54)
def test_the_first_renderer_that_supports_the_channel_shows_the_result() -> None:
    registry = RendererRegistry((named("a", "x"), named("b", "x", "y")))

    assert (shown(registry, "x"), shown(registry, "y")) == ("a", "b")


@pytest.mark.runtime_line(54)
def test_the_default_shows_what_no_renderer_supports() -> None:
    assert shown(RendererRegistry((named("a", "x"),), named("d")), "z") == "d"


@pytest.mark.runtime_line(54)
def test_json_shows_what_nothing_else_does() -> None:
    assert json.loads(shown(RendererRegistry(), "z"))["message"] == "hello"


def test_the_standard_registry_speaks_entities_text_and_json() -> None:
    registry = RendererRegistry.standard()
    result = ToolResult.success(message="hello")

    telegram = registry.render(result, ToolContext.telegram(1, 2))
    assert telegram.parts == ({"text": "hello", "entities": []},)
    assert shown(registry, "console") == "hello"
    assert json.loads(shown(registry, "mcp"))["success"] is True


@pytest.mark.runtime_line(54)
@pytest.mark.original_fault("RR:default-confirmation-runtime", "RR:cli-confirmation-runtime")
def test_no_channel_prints_a_confirm_token() -> None:
    data = {"confirm_token": "tok-1", "deep": [{"confirm_token": "tok-2"}]}
    result = ToolResult.confirmation("Sure?", data)

    for channel in ("telegram", "console", "web", "mcp", "unheard-of"):
        rendered = RendererRegistry.standard().render(result, ToolContext(channel=channel))
        assert "tok-" not in json.dumps(rendered.parts)


class Failing:
    """A user's renderer that fails at everything."""

    def supports(self, channel: str) -> bool:
        return channel != "odd" or self._fail()

    def render(self, result: ToolResult, ctx: ToolContext) -> Rendered:
        raise RuntimeError(f"cannot show {result.confirm_token}")

    def _fail(self) -> bool:
        raise RuntimeError("cannot tell")


class Careless:
    """A user's renderer that prints whatever the result holds."""

    def supports(self, channel: str) -> bool:
        return True

    def render(self, result: ToolResult, ctx: ToolContext) -> Rendered:
        text = f"token {result.confirm_token}!"
        entity = {"type": "bold", "offset": 0, "length": len(text)}
        return Rendered(parts=({"text": text, "entities": [entity]},))


def test_a_given_renderer_comes_before_those_of_the_host() -> None:
    registry = RendererRegistry.standard((named("mine", "web"),))

    assert (shown(registry, "web"), shown(registry, "cli")) == ("mine", "hello")


@pytest.mark.parametrize("channel", ["cli", "odd"])
def test_a_renderer_that_fails_is_passed_over_and_logged_without_its_words(
    channel: str, caplog: pytest.LogCaptureFixture
) -> None:
    result = ToolResult.confirmation("Sure?", {"confirm_token": "tok-12345678"})

    with caplog.at_level(logging.WARNING):
        rendered = RendererRegistry.standard((Failing(),)).render(
            result, ToolContext(channel=channel)
        )

    assert "Sure?" in rendered.parts[0]["text"]
    (record,) = caplog.records
    assert record.message == "renderer.failed"
    assert record.__dict__["renderer"] == "Failing"
    assert "tok-" not in str(record.__dict__)


def test_a_default_that_fails_leaves_it_to_json() -> None:
    assert json.loads(shown(RendererRegistry((), Failing()), "z"))["message"] == "hello"


@pytest.mark.runtime_line(54)
def test_a_token_that_a_given_renderer_prints_is_dotted_out_in_place() -> None:
    result = ToolResult.confirmation("Sure?", {"confirm_token": "tok-12345678"})

    (body,) = RendererRegistry((Careless(),)).render(result, ToolContext(channel="x")).parts

    assert body["text"] == "token ••••••••••••!"
    assert body["entities"][0]["length"] == len(body["text"])


@pytest.mark.parametrize(
    ("channel", "shape"),
    [
        (
            "telegram",
            {"reply_markup": {"inline_keyboard": [[{"text": "Sí", "callback_data": "y"}]]}},
        ),
        ("web", {"buttons": [[{"label": "Sí", "data": "y", "tone": "neutral"}]]}),
        ("console", {}),
    ],
)
def test_a_result_that_asks_carries_what_the_host_offers(
    channel: str, shape: dict[str, object]
) -> None:
    def offer(result: ToolResult, ctx: ToolContext) -> tuple[Action, ...]:
        return (Action(label="Sí", data="y", code="K7Q2"),)

    registry = RendererRegistry.standard(actions=offer)
    ctx = ToolContext(channel=channel, extra={"language": "es"})

    (body,) = registry.render(ToolResult.confirmation("¿Seguro?"), ctx).parts

    rest = {key: value for key, value in body.items() if key not in ("text", "entities")}
    assert rest == shape
    assert ("K7Q2" in body["text"]) is (channel == "console")
    (done,) = registry.render(ToolResult.success("done"), ctx).parts
    assert "reply_markup" not in done
    assert "buttons" not in done


def test_each_reader_is_told_in_their_own_language() -> None:
    registry = RendererRegistry.standard()

    told = [
        registry.render(ToolResult.success(), ToolContext(extra={"language": language}))
        for language in ("es-MX", "en", None)
    ]

    assert [rendered.parts[0]["text"] for rendered in told] == ["Hecho.", "Done.", "Done."]


@pytest.mark.original_fault("RR:registry-tui-not-cli")
def test_a_full_screen_terminal_is_served_as_the_command_line_is() -> None:
    registry = RendererRegistry.standard()

    assert shown(registry, "tui") == shown(registry, "cli") == "hello"
