"""Running an act: claimed in the record before the callback, ended there after it."""

import asyncio

from ..call import Call
from ..deps import Deps
from ..invoke import CalledOff, Ended, Ending, Raised, Returned, TimedOut, wrapped
from ..record import ActState
from ..result import ErrorCode, ToolResult
from .claiming import Held, claim_fresh, give_back, with_idempotency
from .ending import ending, ending_late, unknown
from .lasting import keep
from .running import announce, run_callback
from .wording import raised, timed_out


async def run_act(call: Call, deps: Deps) -> ToolResult:
    """Claim, run and end an act. What cannot be known is said, never guessed."""
    held = await claim_fresh(call, deps)
    if not isinstance(held, Held):
        return held
    call = with_idempotency(call, held.key)
    came = await run_callback(call, deps)
    if isinstance(came, CalledOff) and _never_began(came):
        give_back(call, held, deps)
        raise asyncio.CancelledError
    state, result = _judge(call, came)
    stored = ending(call, deps, held, state, result)
    if isinstance(came, TimedOut | CalledOff) and came.running is not None:
        keep(deps, _end_late(call, deps, held, came.running))
    told = await asyncio.shield(stored)
    if isinstance(came, CalledOff):
        raise asyncio.CancelledError
    await announce(call, came, told, deps)
    return told


def _never_began(came: CalledOff) -> bool:
    return isinstance(came.ended, Raised) and not came.ended.began


def _judge(call: Call, ending: Ending) -> tuple[ActState, ToolResult]:
    match ending:
        case Returned(value=value):
            result = wrapped(value)
            return (ActState.DONE if result.success else ActState.FAILED), result
        case Raised() if ending.applied_nothing:
            return ActState.FAILED, raised(call, ending.error)
        case Raised(error=error):
            said = raised(call, error)
            return ActState.UNKNOWN, unknown(f"{said.error}; whether it was done is not known.")
        case TimedOut(running=running):
            code = ErrorCode.OUTCOME_UNKNOWN
            return ActState.UNKNOWN, timed_out(call, running is not None, code)
        case CalledOff(ended=Returned() | Raised() as ended):
            return _judge(call, ended)
        case CalledOff():
            return ActState.UNKNOWN, _cancelled(call)


async def _end_late(call: Call, deps: Deps, held: Held, running: "asyncio.Future[Ended]") -> None:
    state, result = _judge(call, await running)
    if state is not ActState.UNKNOWN:
        ending_late(deps, held, state, result)


def _cancelled(call: Call) -> ToolResult:
    return unknown(f"{call.tool.name} was cancelled while it ran; whether it was done is unknown.")
