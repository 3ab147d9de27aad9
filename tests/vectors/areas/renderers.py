"""Rendering: which renderer answers, the JSON fallback, that nothing crashes, no token shown.

Facets: `crashed`, `shows_token`; for rows of a registry `answered_by` and `json`; `lookup`.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from comal_renderers import DocumentRenderer, JsonRenderer, Rendered, RendererRegistry
from comal_renderers.plain import spell_plain
from comal_renderers.telegram import spell_telegram
from comal_runtime import ToolContext, ToolResult
from tests.vectors.areas.area import Comparison, Facets, Ruling
from tests.vectors.rows import Row

_CHANNELS: Final = ("cli", "tui", "console", "web", "telegram", "mcp", "default")
_TERMINALS: Final = ("cli", "tui")
_TELLING: Final = 4  # characters; a shorter token may stand in any text by chance
_CATCH_ALL: Final = "DefaultRenderer"
_LOOKUP: Final = re.compile(r"(?:has|get) (?P<channel>\w+)(?P<default> with default)?$")


def fits(given: dict[str, Any]) -> bool:
    """Tell whether a row renders a result, or asks who would."""
    one = {"renderer", "result"} <= given.keys()
    several = "renderers" in given and {"channel", "result"} & given.keys()
    return one or bool(several) or str(given.get("op", "")).startswith("getRenderer")


async def found(row: Row) -> Facets:
    """Render the row's result by every renderer that could answer."""
    if "op" in row.input:
        return {"lookup": {name: _looked_up(name) for name in row.output}}
    result = _result(row)
    facets = _shown(result)
    if "renderers" in row.input:
        given = row.input
        registry = _registry(given["renderers"], given.get("default"))
        rendered = registry.render(result, _on(given.get("channel")))
        facets["answered_by"] = _label(rendered)
        if facets["answered_by"] == "json":
            facets["json"] = _json(rendered)
    return facets


def recorded(row: Row) -> Facets:
    """Read who answered, and whether it crashed or showed a token."""
    if "op" in row.input:
        return {"lookup": {name: _who(said) for name, said in row.output.items()}}
    rendered = row.output.get("rendered")
    facets: Facets = {"crashed": "rendered" not in row.output, "shows_token": False}
    if isinstance(rendered, str):
        facets["shows_token"] = any(token in rendered for token in _tokens(_result(row).data))
    if "renderers" in row.input and rendered is not None:
        facets["answered_by"] = _original_label(rendered, row.input)
        if facets["answered_by"] == "json":
            facets["json"] = json.loads(rendered)
    return facets


def ruled(row: Row) -> Ruling | None:
    """Say that nothing crashes, no token is shown, and a full-screen terminal is one too."""
    if "op" in row.input:
        return None
    before = recorded(row)
    if before["crashed"] or before["shows_token"]:
        why = "no shape of data makes a renderer fail, and none prints a confirm token"
        expected: Facets = {"crashed": False, "shows_token": False}
        return Ruling(expected=expected, line="54", why=why)
    terminal = row.input.get("channel") == "tui" and "cli" in row.input.get("renderers", ())
    if terminal and before["answered_by"] != "cli":
        expected = {**before, "answered_by": "cli"}
        return Ruling(expected=expected, line="faults 10", why="tui is served as cli is")
    return None


COMPARISON: Final = Comparison(found=found, recorded=recorded, ruled=ruled)


class _Labelled:
    """A renderer that shows nothing but its own name, on one channel or on all."""

    def __init__(self, label: str, channel: str | None) -> None:
        self._label = label
        self._channel = channel

    def supports(self, channel: str) -> bool:
        """Tell whether this is its channel."""
        return self._channel in (None, channel)

    def render(self, result: ToolResult, ctx: ToolContext) -> Rendered:
        """Show the name."""
        return Rendered(parts=({"label": self._label},))


class _Terminal(_Labelled):
    """The renderer of terminals: the channels on which the standard one shows text."""

    def __init__(self) -> None:
        super().__init__("cli", None)

    def supports(self, channel: str) -> bool:
        """Tell whether this is a terminal's channel that the standard registry serves."""
        rendered = RendererRegistry.standard().render(ToolResult.success(), _on(channel))
        return channel in _TERMINALS and _label(rendered) != "json"


def _registry(specs: list[str], default: str | None) -> RendererRegistry:
    renderers = [_renderer(spec) for spec in specs]
    return RendererRegistry(renderers, _Labelled(_CATCH_ALL, None) if default else None)


def _renderer(spec: str) -> _Labelled:
    label, _, channel = spec.partition(":")
    return _Terminal() if spec == "cli" else _Labelled(label, channel or None)


def _on(channel: str | None) -> ToolContext:
    return ToolContext(principal="cli:1", channel=channel or "default")


def _label(rendered: Rendered) -> str:
    for part in rendered.parts:
        if "label" in part:
            return str(part["label"])
    return "json" if _json(rendered) is not None else "text"


def _json(rendered: Rendered) -> Any:
    try:
        return json.loads("".join(str(part.get("text", "")) for part in rendered.parts))
    except ValueError:
        return None


def _original_label(rendered: Any, given: dict[str, Any]) -> str:
    labels = {spec.partition(":")[0] for spec in given["renderers"] if ":" in spec}
    if not isinstance(rendered, str):
        return next(iter(labels))
    if rendered in labels:
        return rendered
    if rendered.startswith("{"):
        return "json"
    return "cli" if rendered.startswith("<") else _CATCH_ALL


def _looked_up(name: str) -> str:
    match = _LOOKUP.match(name)
    if match is None:
        return f"no question: {name}"
    registry = _registry(["cli"], _CATCH_ALL if match["default"] else None)
    answered = _label(registry.render(ToolResult.success(), _on(match["channel"])))
    return _who(answered != "json" if name.startswith("has") else answered)


def _who(said: Any) -> str:
    """Name a renderer in one way; none at all is the JSON fallback."""
    if isinstance(said, bool):
        return "somebody" if said else "nobody"
    return "nobody" if said in (None, "json") else str(said).rpartition("\\")[2].lower()[:3]


def _result(row: Row) -> ToolResult:
    """Make the row's result; where it is not written, the one its JSON shows."""
    given = row.input.get("result")
    if isinstance(given, str):
        return ToolResult.success("\udcff")  # a byte that is no UTF-8, as Python reads it
    rendered = row.output.get("rendered")
    if given is None and isinstance(rendered, str) and rendered.startswith("{"):
        given = json.loads(rendered)
    if given is None:
        return ToolResult.error("x")
    meta = given.get("meta") or {}
    return ToolResult(given["success"], given["data"], given["message"], given["error"], meta)


def _shown(result: ToolResult) -> Facets:
    tokens = list(_tokens(result.data))
    renderers = (
        JsonRenderer(),
        DocumentRenderer(_CHANNELS, spell_plain),
        DocumentRenderer(_CHANNELS, spell_telegram),
        RendererRegistry.standard(),
    )
    texts: list[str] = []
    for renderer in renderers:
        for channel in _CHANNELS:
            try:
                texts.append(str(renderer.render(result, _on(channel)).parts))
            except Exception as error:
                return {"crashed": f"{type(renderer).__name__} on {channel}: {error!r}"}
    shows_token = any(token in text for token in tokens for text in texts)
    return {"crashed": False, "shows_token": shows_token}


def _tokens(data: Any) -> Iterator[str]:
    token = data.get("confirm_token") if isinstance(data, dict) else None
    if isinstance(token, str) and len(token) >= _TELLING:
        yield token
