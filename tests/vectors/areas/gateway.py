"""The gateway's vectors: recognised, and left to the tests of the model gateway."""

from typing import Any

from tests.vectors.decisions import Decision
from tests.vectors.rows import NotApplicable, Row

_SHAPES = (
    {"provider_response", "config"},
    {"op", "model_script"},
    {"op", "judge_answer", "floor"},
)
_OBSERVER = {"op": "ChannelObserver that throws"}


def fits(given: dict[str, Any]) -> bool:
    """Tell whether a row speaks of a provider's wire or of the agent loop."""
    return any(shape <= given.keys() for shape in _SHAPES) or given == _OBSERVER


async def differs(row: Row, decision: Decision | None) -> str | None:
    """Say that the row is of another part of the product."""
    del row, decision
    raise NotApplicable("a row of the model gateway, which this runner does not drive")
