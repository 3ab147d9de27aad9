"""How a run ends: its reasons, what can be observed afterwards, and what may be raised."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from ..errors import ComalError
from ..llm import AssistantMessage
from ..result import ToolResult

STEPS_EXHAUSTED: Final = "The step limit was reached before there was an answer."
"""What a run returns at its step limit; `termination()` tells it from an answer that quotes it."""

INVALID_RESPONSE: Final = "The model wrote a tool call as text; it was neither run nor shown."
"""What a run returns instead of a text that is an unparsed tool call."""


class RunEnd(StrEnum):
    """Why a run ended; the branch that was taken, never what a text says."""

    FINAL_ANSWER = "final_answer"
    TOOL_REFUSED = "tool_refused"
    CONFIRMATION_REQUIRED = "confirmation_required"
    BLOCKED = "blocked"
    STEPS_EXHAUSTED = "steps_exhausted"
    INVALID_RESPONSE = "invalid_response"
    INTERRUPTED = "interrupted"
    OUTPUT_TRUNCATED = "output_truncated"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTermination:
    """What can be observed of a run that ended; a final answer says nothing of the work.

    `receipt` is what the run has to show for it, JSON-shaped; None for nothing.
    """

    reason: RunEnd
    receipt: Mapping[str, object] | None = None

    def to_dict(self) -> dict[str, object]:
        """Return the reason and the receipt as JSON values."""
        receipt = None if self.receipt is None else dict(self.receipt)
        return {"reason": self.reason.value, "receipt": receipt}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How the loop ended. `text` is for people, `message` the line that history still needs.

    `result` is the one that stopped a run at once; `error` is what escaped.
    """

    reason: RunEnd
    text: str | None = None
    message: AssistantMessage | None = None
    result: ToolResult | None = None
    error: Exception | None = None


class ContextMissing(ComalError):
    """Nobody said whose calls these are; there are no calls without a context."""

    def __init__(self) -> None:
        super().__init__("no tool context is set; call set_tool_context(ctx) first")


class RunInProgress(ComalError):
    """One orchestrator was asked to run twice at a time; make one for each run."""

    def __init__(self) -> None:
        super().__init__("this orchestrator is running; make another one for a run beside it")


class RunInterrupted(ComalError):
    """Raised by `on_step` to end a run between two steps."""


class TurnTakenOver(ComalError):
    """The turn has ended or is another worker's; this one adds nothing to it."""

    def __init__(self, turn: str) -> None:
        super().__init__(f"turn {turn!r} has ended or is another worker's; leave it alone")
        self.turn = turn
