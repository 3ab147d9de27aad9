"""What tools and listeners of the vectors do, read from the prose that tells it."""

import asyncio
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from comal_runtime import ToolContext, ToolError, ToolResult
from comal_runtime.events import ToolExecuting

_TAKES: Final = re.compile(r"takes ([\d.]+) ?s\b")
_A_TIE: Final = 1e-6  # seconds; what takes exactly its limit is within it
_THROWS: Final = re.compile(r'throws?(?: (?P<kind>\w+))?(?:\("(?P<text>[^"]*)"\))?')
_RETURNS: Final = re.compile(r"returns (.+)$")
_MADE: Final = re.compile(r"ToolResult(?:\.|::)(\w+)\((.*)\)")
_SHORT: Final = re.compile(r"short_?[cC]ircuit\((.*)\)")


class Unread(Exception):
    """A phrase says what no reader here knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """What a tool does: the seconds it takes, then what it raises or gives.

    `gives` is the whole of a context where `gives_principal`; it is None with `known` False when
    the prose cannot be read, and what was recorded stands for it.
    """

    seconds: float = 0.0
    raises: Exception | None = None
    gives: Any = None
    gives_principal: bool = False
    known: bool = True


def body_of(does: str) -> Body:
    """Read what a tool does."""
    takes = _TAKES.search(does)
    seconds = float(takes[1]) if takes else 0.0
    throws = _THROWS.search(does)
    if throws:
        return Body(seconds=seconds, raises=_error(throws))
    returns = _RETURNS.search(does)
    if returns is None:
        return Body(seconds=seconds, gives={"done": True}, known=takes is not None)
    if "principal" in returns[1] and "_ctx" in returns[1]:
        return Body(seconds=seconds, gives_principal=True)
    try:
        return Body(seconds=seconds, gives=value_of(returns[1]))
    except Unread:
        return Body(seconds=seconds, known=False)


def value_of(text: str) -> Any:
    """Read a value: JSON, or a result made by one of its constructors.

    Raises:
        Unread: It is neither.
    """
    made = _MADE.search(text)
    try:
        if made is None:
            return json.loads(text)
        return _result(made[1], json.loads(f"[{made[2]}]"))
    except ValueError as error:
        raise Unread(text) from error


def callback(body: Body, received: list[dict[str, Any]], stand_in: Any) -> Callable[..., Any]:
    """Make the tool's function; it notes what it receives, but for the context."""

    async def run(calling_context: ToolContext, **given: Any) -> Any:
        received.append(given)
        if body.seconds:
            await asyncio.sleep(body.seconds - _A_TIE)
        if body.raises is not None:
            raise body.raises
        if body.gives_principal:
            return calling_context.principal
        return body.gives if body.known else stand_in

    return run


def listener(does: str, name: str) -> Callable[[Any], None]:
    """Make a listener that stops, answers, fails or meddles as the prose says."""

    def hear(event: Any) -> None:
        if "assign" in does:
            event.arguments = {}
        if isinstance(event, ToolExecuting):
            short = _SHORT.search(does)
            if short:
                event.slot.short_circuit(value_of(short[1] or "null"))
            elif "stop()" in does:
                event.slot.stop()
        if "throw" in does:
            raise RuntimeError(does)

    hear.__qualname__ = name
    return hear


def reaction(does: str) -> str:
    """Name what a listener to `tool.executing` comes to: answers, stops, raises, or nothing."""
    if _SHORT.search(does):
        return "answers and raises" if "throw" in does else "answers"
    if "stop()" in does:
        return "stops"
    return "raises" if "throw" in does or "assign" in does else "nothing"


def fails_at(dispatcher: Any) -> frozenset[str]:
    """Return the events at which a dispatcher told in prose fails; all, if it names none."""
    if not isinstance(dispatcher, str) or not re.search(r"throw|fail|crash", dispatcher):
        return frozenset()
    named = re.findall(r"tool\.(?:executing|executed|failed)", dispatcher)
    return frozenset(named or ("tool.executing", "tool.executed", "tool.failed"))


def answer_of(does: str) -> Any:
    """Return what a listener answers with."""
    short = _SHORT.search(does)
    return value_of(short[1] or "null") if short else None


def _error(throws: re.Match[str]) -> Exception:
    text = throws["text"] if throws["text"] is not None else "late"
    return ToolError(text) if throws["kind"] == "ToolError" else RuntimeError(text)


def _result(kind: str, args: list[Any]) -> ToolResult:
    """Make a result from positional arguments in the original's order."""
    padded = [*args, None, None, None, None, None]
    first, second, third, fourth, fifth = padded[:5]
    match kind:
        case "success":
            return ToolResult.success(first, second, third)
        case "error":
            return ToolResult.error(first, data=second, meta=third)
        case "blocked":
            return ToolResult.blocked(first, second)
        case "detail":
            return ToolResult.detail(first, second)
        case "confirmation":
            meta = {"action": third, "target": fourth, "target_id": fifth}
            return ToolResult.confirmation(first, second, meta)
        case _:
            raise Unread(kind)
