"""What a person makes of an act of unknown outcome, whichever door they come through."""

from typing import Final

from comal_runtime.audit import result_json
from comal_runtime.consent.settling import Remedy, Settlement, leave_act, settle_act
from comal_runtime.record import Act, ActState, Transaction
from comal_runtime.result import ToolResult

_DONE: Final = ToolResult.success(message="It was done, as a person found out.")
_NOT_DONE: Final = ToolResult.error("Not done, as a person found out.")


async def remedied(tx: Transaction, act: Act, remedy: Remedy, *, by: str, now: float) -> bool:
    """Settle an unknown act as somebody says, or leave it; False when it is unknown no more.

    Whether they may is the caller's to check.
    """
    if remedy is Remedy.LEAVE:
        return await leave_act(tx, act.key, by=by, now=now)
    done = remedy is Remedy.DONE
    to = ActState.SETTLED_DONE if done else ActState.SETTLED_NOT_DONE
    result = result_json(_DONE if done else _NOT_DONE)
    return await settle_act(tx, act.key, Settlement(to=to, by=by, result=result, at=now))
