"""Who may refuse a tool call before the law is asked, and who is told what was run."""

import inspect
from collections.abc import Awaitable
from typing import Protocol

from .call import Arguments
from .errors import ComalError


class ToolCallGate(Protocol):
    """A gate of the caller's own, asked before every call; it may be async."""

    def refuse(self, tool: str, args: Arguments) -> str | Awaitable[str | None] | None:
        """Return why this call must not run, or None to let it go on."""
        ...


class ToolCallRecorder(Protocol):
    """Told after every executed call, failures included; it may be async."""

    def recorded(
        self, tool: str, args: Arguments, rendered_result: str, ok: bool
    ) -> Awaitable[None] | None:
        """Take note of one call, as its caller reads the result."""
        ...


class ToolCallRefused(ComalError):
    """A gate refused a call, so that it did not run; no tool error."""

    def __init__(self, tool: str, reason: str) -> None:
        super().__init__(reason)
        self.tool = tool
        self.reason = reason


async def ask_gate(gate: ToolCallGate | None, tool: str, args: Arguments) -> None:
    """Return if the call may go on.

    Raises:
        ToolCallRefused: The gate refused it.
    """
    if gate is None:
        return
    answer = gate.refuse(tool, args)
    reason = await answer if inspect.isawaitable(answer) else answer
    if reason is not None:
        raise ToolCallRefused(tool, reason)


async def tell_recorder(
    recorder: ToolCallRecorder | None, tool: str, args: Arguments, rendered: str, *, ok: bool
) -> None:
    """Tell the recorder, if there is one, of a call that was executed."""
    if recorder is None:
        return
    noted = recorder.recorded(tool, args, rendered, ok)
    if inspect.isawaitable(noted):
        await noted
