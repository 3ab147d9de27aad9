"""`AgentOrchestrator`: the loop for code that wants an answer and keeps the conversation itself."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field

from ..consent.question import new_id
from ..context import ToolContext
from ..gates import ToolCallGate, ToolCallRecorder
from ..llm import LlmServiceInterface, Message, UserMessage
from ..registry import ToolRegistry
from ..result import ToolResult
from .ending import (
    INVALID_RESPONSE,
    STEPS_EXHAUSTED,
    Ending,
    RunEnd,
    RunInProgress,
    RunTermination,
)
from .events import legal
from .facade import ToolFacade
from .journal import MemoryJournal
from .loop import MAX_STEPS, Manner, OnStep, advance


@dataclass(slots=True, eq=False)
class AgentOrchestrator:
    """Runs prompts against a model and a registry, one at a time.

    `gate` is asked before every call, `recorder` told after; `output_tokens` is for each answer,
    of which a run takes `max_steps` at most.
    """

    service: LlmServiceInterface
    registry: ToolRegistry
    _: KW_ONLY
    max_steps: int = MAX_STEPS
    output_tokens: int | None = None
    gate: ToolCallGate | None = None
    recorder: ToolCallRecorder | None = None
    _ctx: ToolContext | None = field(default=None, init=False, repr=False)
    _running: bool = field(default=False, init=False, repr=False)
    _termination: RunTermination | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        Manner(max_steps=self.max_steps, output_tokens=self.output_tokens)

    def set_tool_context(self, ctx: ToolContext) -> None:
        """Say whose calls the next runs make; they are made as a model's."""
        self._ctx = ctx

    def termination(self) -> RunTermination | None:
        """Return how the last run ended; None before it has."""
        return self._termination

    async def run(
        self,
        prompt: str,
        system: str | None = None,
        history: Sequence[Message] = (),
        on_step: OnStep | None = None,
    ) -> str | ToolResult:
        """Return the model's answer, or the result that stopped the run.

        A call that asks or is blocked stops it at once and is returned; see `termination()`.

        Raises:
            RunInProgress: This instance is running.
            ContextMissing: Nobody said whose calls these are.
            ValueError: `history` leaves a call unanswered, or answers one that was never made.
            LlmError: The model gave no usable answer.
            RunInterrupted: `on_step` said so.
        """
        if self._running:
            raise RunInProgress
        self._running, self._termination = True, None
        reason = RunEnd.FAILED
        try:
            ending = await self._run(prompt, history, self._manner(system, on_step))
            reason = ending.reason
        finally:
            self._running, self._termination = False, RunTermination(reason=reason)
        return _returned(ending)

    async def _run(self, prompt: str, history: Sequence[Message], manner: Manner) -> Ending:
        if not legal(history):
            raise ValueError(
                "the history is not legal: each tool call must be answered once, directly after "
                "the message that makes it"
            )
        tools = ToolFacade(
            registry=self.registry,
            ctx=self._ctx,
            turn=new_id(),
            gate=self.gate,
            recorder=self.recorder,
        )
        journal = MemoryJournal([*history, UserMessage(content=prompt)])
        return await advance(journal, tools, self.service, manner)

    def _manner(self, system: str | None, on_step: OnStep | None) -> Manner:
        return Manner(
            system=system,
            max_steps=self.max_steps,
            output_tokens=self.output_tokens,
            stop_at_first=True,
            on_step=on_step,
        )


def _returned(ending: Ending) -> str | ToolResult:
    if ending.error is not None:
        raise ending.error
    if ending.result is not None:
        return ending.result
    match ending.reason:
        case RunEnd.STEPS_EXHAUSTED:
            return STEPS_EXHAUSTED
        case RunEnd.INVALID_RESPONSE:
            return INVALID_RESPONSE
        case _:
            return ending.text or ""
