"""Settling: finding out how an act of unknown outcome ended, and saying so once."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeGuard

from ..afterwards import keyed
from ..callables import way_of
from ..clock import Clock
from ..context import ToolContext
from ..invoke import Raised, Returned, invoke
from ..record import (
    Act,
    ActState,
    Job,
    Question,
    QuestionKind,
    QuestionState,
    Repositories,
    Transaction,
)
from ..result import ToolResult
from ..tools import Tool
from .directory import Directory
from .entitlement import barred, was_requester
from .question import tell

RECONCILE: Final = "reconcile_act"
"""The job that asks a tool's service whether an unknown act was done; its key is the act's."""

SERVICE: Final = "service"
"""Who settled an act, where the tool's `reconcile` told."""

OWNER: Final = "owner"
"""The role whose people may settle every act."""

PAUSES: Final = (60.0, 300.0, 1800.0, 7200.0)
"""Seconds between one question to the service and the next; after the last people decide."""

PATIENCE: Final = 30.0
"""Seconds that `reconcile` gets to answer."""

DONE_AFTER_ALL: Final = "the first attempt was done after all"


class Remedy(StrEnum):
    """What a person makes of an act of unknown outcome."""

    DONE = "done"
    NOT_DONE = "not_done"
    AGAIN = "again"
    LEAVE = "leave"


class Unfit(StrEnum):
    """Why somebody may not."""

    NOT_ENTITLED = "not_entitled"
    ONLY_AGAIN = "only_again"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement:
    """How an unknown act ended, as `by` says; `result` is the JSON of a ToolResult."""

    to: ActState
    by: str
    result: str
    at: float


def unfit(
    act: Act, question: Question | None, who: str, remedy: Remedy, directory: Directory, at: float
) -> Unfit | None:
    """Return why `who` may not do this about an unknown act, or None if they may.

    Whoever may answer its question may, and every owner. Who asked for what others approved may
    have it asked for again, and no more: they do not vouch for their own call.
    """
    if not who.strip() or not directory.counts(who, at):
        return Unfit.NOT_ENTITLED
    if _asked_others(question) and was_requester(question, who, directory):
        return None if remedy is Remedy.AGAIN else Unfit.ONLY_AGAIN
    if OWNER in directory.roles(who):
        return None
    if question is None:
        mine = act.principal is not None and directory.person(act.principal) == directory.person(
            who
        )
        return None if mine else Unfit.NOT_ENTITLED
    return None if barred(question, who, directory, at) is None else Unfit.NOT_ENTITLED


def _asked_others(question: Question | None) -> TypeGuard[Question]:
    return question is not None and question.kind is QuestionKind.VERIFICATION


async def settle_act(tx: Transaction, key: str, how: Settlement) -> bool:
    """End an unknown act as it is said to have ended; False when it is not unknown any more."""
    if not await tx.acts.settle(key, how.to, result=how.result, by=how.by, now=how.at):
        return False
    tx.defer(tell(key))
    if how.to is ActState.SETTLED_DONE:
        await forestall(tx, key, now=how.at)
    return True


async def leave_act(tx: Transaction, key: str, *, by: str, now: float) -> bool:
    """Note that a person leaves an act unknown; False when it is not, or was left before."""
    if not await tx.acts.leave(key, by=by, now=now):
        return False
    tx.defer(tell(key))
    return True


async def forestall(tx: Transaction, key: str, *, now: float) -> None:
    """End what was to do again an act that turned out to be done, as far as it has not begun."""
    for again in await tx.questions.repetitions(key):
        ended = await tx.questions.close(
            again.id, QuestionState.SUPERSEDED, now=now, reason=DONE_AFTER_ALL
        )
        if ended or await tx.acts.void(again.id, reason=DONE_AFTER_ALL, now=now):
            tx.defer(tell(again.id))


async def may_still_run(stored: Repositories | Transaction, act: Act, clock: Clock) -> bool:
    """Tell whether the first attempt of an unknown act may still be at work.

    Its tool was not seen to end, and the process it runs in still gives signs of life.
    """
    if not act.goes_on or act.instance is None:
        return False
    return await stored.leases.lives(
        act.instance, boot_id=clock.boot_id(), boot=clock.boot(), now=clock.now()
    )


def reconcile(key: str) -> Job:
    """Return the job that asks an act's service; one at a time for each act."""
    return Job(kind=RECONCILE, lane=f"reconcile:{key}", key=key)


async def ask_service(tool: Tool, act: Act, ctx: ToolContext) -> bool | ToolResult | None:
    """Ask a tool's `reconcile` whether an act was applied; None when that is not known yet.

    Raises nothing: a service that fails, is too slow or answers anything else knows nothing.
    """
    hook = tool.options.reconcile
    if hook is None:
        return None
    ask, keywords = keyed(hook, act.idempotency_key, ctx)
    came = invoke(ask, keywords, way=way_of(hook), timeout=PATIENCE, report=lambda _: None)
    ending = came if isinstance(came, Returned | Raised) else await came
    value = ending.value if isinstance(ending, Returned) else None
    return value if isinstance(value, bool | ToolResult) else None
