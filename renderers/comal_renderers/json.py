"""Shows a result as JSON, where nothing else fits."""

import json
from collections.abc import Iterable
from typing import Any, Final

from comal_runtime.context import ToolContext
from comal_runtime.result import ToolResult

from .concealing import concealed
from .descriptor import MCP, Descriptor
from .measuring import size
from .rendered import Rendered

MEDIA_TYPE: Final = "application/vnd.comal.result.v1+json"
"""Names the shape: success, data, message, error, meta. What is added to it keeps the number."""

_LONGEST_WORDS: Final = 200  # Characters of a message or an error in a shortened result.


class JsonRenderer:
    """Shows any result as one body of JSON: on every channel, or on the named ones alone."""

    def __init__(self, channels: Iterable[str] | None = None, descriptor: Descriptor = MCP) -> None:
        self._channels = None if channels is None else frozenset(channels)
        self._descriptor = descriptor

    def supports(self, channel: str) -> bool:
        """Tell whether this is one of the named channels; without names every one is."""
        return self._channels is None or channel in self._channels

    def render(self, result: ToolResult, ctx: ToolContext) -> Rendered:
        """Return the wire shape of the result without tokens and ids of questions."""
        return spell_json(result, self._descriptor)


def spell_json(result: ToolResult, descriptor: Descriptor = MCP) -> Rendered:
    """Spell a result as one `{"text": …, "media_type": …}` of strict JSON.

    What JSON lacks is written as text. A result that is over the channel's text limit keeps its
    shape, with the beginning of its data's JSON as `data_start` in `meta` and `truncated` there;
    below a limit that holds not even this, there is no message.
    """
    shape = concealed(result).to_dict()
    text = _json(shape, indent=2)
    limit, unit = descriptor.text_limit, descriptor.text_unit
    if limit is None or size(text, unit) <= limit:
        return _rendered(text, 0)
    whole = _json(shape["data"])
    low, high = 0, min(len(whole), limit)
    while low < high:
        middle = (low + high + 1) // 2
        if size(_json(_shortened(shape, whole, middle)), unit) <= limit:
            low = middle
        else:
            high = middle - 1
    short = _json(_shortened(shape, whole, low))
    if size(short, unit) <= limit:
        return _rendered(short, len(whole) - low)
    return Rendered(parts=(), cut=len(text))


def _rendered(text: str, cut: int) -> Rendered:
    return Rendered(parts=({"text": text, "media_type": MEDIA_TYPE},), cut=cut)


def _shortened(shape: dict[str, Any], data: str, letters: int) -> dict[str, Any]:
    kept = ("type", "code", "requires_confirmation")
    meta = {key: value for key, value in shape["meta"].items() if key in kept}
    start = {"data_start": data[:letters], "data_characters": len(data), "truncated": True}
    words = {key: shape[key] and shape[key][:_LONGEST_WORDS] for key in ("message", "error")}
    return {"success": shape["success"], "data": None, **words, "meta": {**meta, **start}}


def _json(value: Any, indent: int | None = None) -> str:
    text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
