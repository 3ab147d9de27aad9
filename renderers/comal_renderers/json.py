"""Shows a result as JSON, where nothing else fits."""

import json

from comal_runtime.context import ToolContext
from comal_runtime.result import ToolResult

from .rendered import Rendered
from .results import conceal


class JsonRenderer:
    """Shows any result on any channel as one `{"text": …}` of JSON."""

    def supports(self, channel: str) -> bool:
        """Support every channel."""
        return True

    def render(self, result: ToolResult, ctx: ToolContext) -> Rendered:
        """Return the wire shape of the result without tokens and ids of questions."""
        return spell_json(result)


def spell_json(result: ToolResult) -> Rendered:
    """Spell a result as JSON; what JSON lacks is written as text."""
    shown = json.dumps(conceal(result.to_dict()), ensure_ascii=False, indent=2)
    return Rendered(parts=({"text": shown.encode("utf-8", "replace").decode()},))
