"""The tools as an agent may use them: always somebody's, always as a model, never redeeming."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..consent.verification import RESOLVE_VERIFICATION
from ..context import CallKey, ToolContext
from ..gates import ToolCallGate, ToolCallRecorder, ask_gate, tell_recorder
from ..llm import ToolCallRequest, ToolSummary
from ..record import ActState
from ..registry import ToolRegistry
from ..result import ErrorCode, ToolResult
from .ending import ContextMissing
from .model_view import model_view, ordinary, waits

_QUOTED = 200  # characters of malformed arguments that are quoted back


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolFacade:
    """A registry for one turn of one caller.

    Raises:
        ContextMissing: There is no caller.
    """

    registry: ToolRegistry
    ctx: ToolContext | None
    turn: str
    gate: ToolCallGate | None = None
    recorder: ToolCallRecorder | None = None

    def __post_init__(self) -> None:
        if self.ctx is None:
            raise ContextMissing

    def summaries(self) -> Sequence[ToolSummary]:
        """Return what a model is told of the tools: those it may use, as they are now."""
        told = self.registry.get_tool_summaries()
        return [tool for tool in told if tool["name"] != RESOLVE_VERIFICATION]

    def changes_something(self, name: str) -> bool:
        """Tell whether this is a tool that changes something; an unknown one does not."""
        tool = self.registry.get(name)
        return tool is not None and tool.options.mutating

    async def asks(self, request: ToolCallRequest) -> bool:
        """Tell whether this call would ask somebody, or be refused, instead of running."""
        tool = self.registry.get(request.name)
        if tool is None or request.malformed is not None or tool.options.approval is not None:
            return True
        ctx = self._as_model(None)
        if self.registry.policy_gate.requires_confirmation(ctx, tool):
            return True
        if not self.registry.wiring().has_routes:
            return False
        planned = await self.registry.call(request.name, request.parsed(), ctx.as_plan())
        if not planned.success or not isinstance(planned.data, dict):
            return False
        return bool(planned.data["plan"]["requires_approval"])

    async def begun(self, step: int, index: int) -> bool:
        """Tell whether this call has a question or an act already, so that it was not held back."""
        key = str(CallKey(turn=self.turn, step=step, index=index))
        async with self.registry.record.reading() as stored:
            return (
                await stored.acts.get(key) is not None
                or await stored.questions.by_call(key) is not None
            )

    async def call(self, request: ToolCallRequest, step: int, index: int) -> ToolResult:
        """Run one call of a step under the law; what was executed is recorded.

        The gate is not asked again of a call that had begun before a crash: it only tells how that
        one ended.

        Raises:
            ToolCallRefused: The gate refused it; it did not run.
        """
        if request.malformed is not None:
            return _malformed(request, request.malformed)
        args = request.parsed()
        if self.gate is not None and not await self.begun(step, index):
            await ask_gate(self.gate, request.name, args)
        key = CallKey(turn=self.turn, step=step, index=index)
        result = await self.registry.call(request.name, args, self._as_model(key))
        if waits(result) and not await self._waiting(key):
            result = ordinary(result)
        if not waits(result):
            rendered = model_view(result)
            await tell_recorder(self.recorder, request.name, args, rendered, ok=result.success)
        return result

    async def _waiting(self, key: CallKey) -> bool:
        """Tell whether somebody is asked because of this call, or an act of it still runs."""
        async with self.registry.record.reading() as stored:
            question = await stored.questions.by_call(str(key))
            act = await stored.acts.get(str(key) if question is None else question.id)
        if act is None:
            return question is not None
        return act.state in (ActState.APPROVED, ActState.STARTED)

    def _as_model(self, key: CallKey | None) -> ToolContext:
        if self.ctx is None:
            raise ContextMissing
        return replace(self.ctx, origin="model", consent=None, call_key=key, idempotency_key=None)


def _malformed(request: ToolCallRequest, written: str) -> ToolResult:
    shown = written if len(written) <= _QUOTED else f"{written[:_QUOTED]}..."
    return ToolResult.error(
        f"the arguments of {request.name!r} are not a JSON object: found {shown!r}; nothing was "
        "run, send one JSON object",
        code=ErrorCode.VALIDATION_ERROR,
    )
