"""`TurnRunner`: the loop as the host runs it, in turns that survive the worker."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import KW_ONLY, dataclass

from ..clock import Clock
from ..context import ToolContext
from ..gates import ToolCallGate, ToolCallRecorder
from ..llm import LlmServiceInterface
from ..record import Record, Transaction
from ..registry import ToolRegistry
from .ending import Ending, RunEnd
from .events import HOST_EVENT_NOTE
from .facade import ToolFacade
from .loop import MAX_STEPS, Manner, advance
from .recorded import RecordedJournal, take_turn

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnOutcome:
    """How a turn ended. `text` is what to show, if there is any; `error` is why it failed."""

    reason: RunEnd
    text: str | None = None
    error: Exception | None = None


OnFinal = Callable[[Transaction, TurnOutcome], Awaitable[None]]
"""Stores what the host makes of an outcome, in the transaction that ends the turn."""


@dataclass(frozen=True, slots=True)
class TurnRunner:
    """Runs stored turns to their end; whatever worker resumes one goes on where it stands."""

    record: Record
    service: LlmServiceInterface
    registry: ToolRegistry
    clock: Clock
    _: KW_ONLY
    system: str | None = None
    max_steps: int = MAX_STEPS
    output_tokens: int | None = None
    gate: ToolCallGate | None = None
    recorder: ToolCallRecorder | None = None

    def __post_init__(self) -> None:
        self._manner()

    async def run(
        self, turn_id: str, ctx: ToolContext, on_final: OnFinal | None = None
    ) -> TurnOutcome:
        """Carry a turn to its end as its only writer.

        The last text, the turn's end and what `on_final` writes are one transaction.

        Raises:
            TurnTakenOver: It has ended or is another worker's; there is nothing to do.
            RecordError: Something was not stored; run it again.
        """
        tools = ToolFacade(
            registry=self.registry,
            ctx=ctx,
            turn=turn_id,
            gate=self.gate,
            recorder=self.recorder,
        )
        hold = await take_turn(self.record, turn_id)

        async def store(tx: Transaction, ending: Ending) -> None:
            if on_final is not None:
                await on_final(tx, _outcome(ending))

        journal = RecordedJournal(self.record, self.clock, hold, store)
        outcome = _outcome(await advance(journal, tools, self.service, self._manner()))
        log.info("turn.ended", extra={"turn": turn_id, "reason": outcome.reason.value})
        return outcome

    def _manner(self) -> Manner:
        system = f"{self.system}\n\n{HOST_EVENT_NOTE}" if self.system else HOST_EVENT_NOTE
        return Manner(system=system, max_steps=self.max_steps, output_tokens=self.output_tokens)


def _outcome(ending: Ending) -> TurnOutcome:
    return TurnOutcome(reason=ending.reason, text=ending.text, error=ending.error)
