"""Answering the calls of one step, those that a crash left open as well."""

import asyncio
from collections.abc import Coroutine, Sequence

from ..gates import ToolCallRefused
from ..llm import AssistantMessage
from ..result import ErrorCode, ToolResult
from .ending import Ending, RunEnd
from .facade import ToolFacade
from .journal import Journal, Step
from .model_view import (
    model_view,
    not_run,
    not_run_waiting,
    refusal_in,
    refused,
    waiting_for,
    waits,
)

_STOPPED = "a person asked to stop"
_AFTER_REFUSAL = "the turn ended before it: another call was refused"
_AFTER_STOP = "the run ended before it"


class Answering:
    """The calls of one step on their way to answers.

    What is decided is derived from the stored answers, so that a resumed step decides the same.
    With `stop_at_first` calls run one by one, and one that asks or is blocked ends the run.
    """

    def __init__(
        self, journal: Journal, tools: ToolFacade, step: Step, *, stop_at_first: bool
    ) -> None:
        self._journal = journal
        self._tools = tools
        self._step = step
        self._texts = dict(step.answers)
        self._stop_at_first = stop_at_first
        self._stopping: ToolResult | None = None

    async def run(self) -> Ending | None:
        """Answer every open call; the turn's ending if this step ends it."""
        for group in self._groups():
            left = [index for index in group if index not in self._texts]
            await _all([self._one(index) for index in left])
        return self._ending()

    def _groups(self) -> list[list[int]]:
        """Return the calls in order; those that change nothing run beside their neighbours."""
        groups: list[list[int]] = []
        together = False
        for index, call in enumerate(self._step.message.tool_calls, 1):
            alone = self._stop_at_first or self._tools.changes_something(call.name)
            if together and not alone:
                groups[-1].append(index)
            else:
                groups.append([index])
            together = not alone
        return groups

    async def _one(self, index: int) -> None:
        held_back = await self._held_back(index)
        text = held_back if held_back is not None else await self._call(index)
        call = self._step.message.tool_calls[index - 1]
        await self._journal.answered(self._step.number, index, call, text)
        self._texts[index] = text

    async def _held_back(self, index: int) -> str | None:
        """Return the answer of a call that must not run now; None if it goes on."""
        if self._stopping is not None:
            return not_run(_AFTER_STOP)
        if self._refusal() is not None:
            return not_run(_AFTER_REFUSAL)
        call = self._step.message.tool_calls[index - 1]
        if not self._tools.changes_something(call.name):
            return None
        if await self._journal.stop_asked() and not await self._tools.begun(
            self._step.number, index
        ):
            return not_run(_STOPPED)
        before = self._waiting_before(index)
        if before is not None and not await self._tools.asks(call):
            return not_run_waiting(before)
        return None

    async def _call(self, index: int) -> str:
        call = self._step.message.tool_calls[index - 1]
        try:
            result = await self._tools.call(call, self._step.number, index)
        except ToolCallRefused as refusal:
            return refused(refusal.reason)
        if self._stop_at_first and _stops(result):
            self._stopping = result
        return model_view(result)

    def _refusal(self) -> str | None:
        reasons = (refusal_in(self._texts[index]) for index in sorted(self._texts))
        return next((reason for reason in reasons if reason is not None), None)

    def _waiting_before(self, index: int) -> str | None:
        earlier = (waiting_for(self._texts[one]) for one in sorted(self._texts) if one < index)
        return next((summary for summary in earlier if summary is not None), None)

    def _ending(self) -> Ending | None:
        refusal = self._refusal()
        if refusal is not None:
            said = AssistantMessage(content=refusal) if refusal.strip() else None
            return Ending(reason=RunEnd.TOOL_REFUSED, text=refusal, message=said)
        if self._stopping is not None:
            asked = waits(self._stopping)
            reason = RunEnd.CONFIRMATION_REQUIRED if asked else RunEnd.BLOCKED
            return Ending(reason=reason, result=self._stopping)
        if self._waiting_before(len(self._step.message.tool_calls) + 1) is not None:
            return Ending(
                reason=RunEnd.CONFIRMATION_REQUIRED, text=self._step.message.content or None
            )
        return None


def _stops(result: ToolResult) -> bool:
    return waits(result) or result.type == "blocked" or result.code == ErrorCode.FORBIDDEN


async def _all(works: Sequence[Coroutine[None, None, None]]) -> None:
    """Let all of them end, then raise what the first one raised."""
    outcomes = await asyncio.gather(*works, return_exceptions=True)
    for outcome in outcomes:
        if isinstance(outcome, BaseException):
            raise outcome
