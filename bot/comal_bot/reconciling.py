"""Reconciling: acts of unknown outcome whose tool can ask its service are asked about."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

from comal_runtime.audit import result_json
from comal_runtime.call import Request
from comal_runtime.consent.settling import (
    PAUSES,
    SERVICE,
    Settlement,
    ask_service,
    may_still_run,
    reconcile,
    settle_act,
)
from comal_runtime.context import ToolContext
from comal_runtime.record import Act, ActState, Transaction
from comal_runtime.result import ToolResult

from .answers.requesting import as_requester
from .wiring import House

log = logging.getLogger(__name__)

_BATCH: Final = 50  # acts a look; the next one takes the others


class Reconciling:
    """Looks for acts to ask about, and handles the jobs that ask."""

    def __init__(self, house: House) -> None:
        self._house = house

    async def look(self) -> None:
        """Let a job ask about each act whose time has come; acts of other tools are let be."""
        clock, record = self._house.clock, self._house.record
        async with record.reading() as stored:
            due = await stored.acts.to_ask(
                boot_id=clock.boot_id(), boot=clock.boot(), now=clock.now(), limit=_BATCH
            )
        if not due:
            return
        async with record.transaction() as tx:
            for act in due:
                taken = await tx.acts.ask(act.key, at=None, before=act.ask_at)
                if taken and self._can_tell(act):
                    tx.defer(reconcile(act.key))

    async def handle(self, key: str) -> None:
        """Ask the service of an unknown act; what it does not know yet it is asked again later.

        That nothing was done counts only once the first attempt can do nothing any more.
        """
        house = self._house
        async with house.record.reading() as stored:
            await house.people.refresh(stored)
            act = await stored.acts.get(key)
        tool = None if act is None else house.registry.get(act.tool)
        if act is None or tool is None or act.state is not ActState.UNKNOWN:
            return
        said = await ask_service(tool, act, self._as_service(act))
        log.info("act.asked_about", extra={"act": key, "known": said is not None})
        async with house.record.reading() as stored:
            runs_on = await may_still_run(stored, act, house.clock)
        if said is None or (said is False and runs_on):
            await self._ask_later(act)
            return
        result = _result(act, said)
        to = ActState.SETTLED_NOT_DONE if said is False else ActState.SETTLED_DONE
        now = house.clock.now()
        how = Settlement(to=to, by=SERVICE, result=result_json(result), at=now)
        await noted(house, act, None, str(to), lambda tx: settle_act(tx, key, how))

    async def _ask_later(self, act: Act) -> None:
        pauses = PAUSES[act.times_asked :]
        async with self._house.record.transaction() as tx:
            counted = await tx.acts.asked(act.key, times=act.times_asked)
            if counted and pauses:
                at = self._house.clock.now() + pauses[0]
                await tx.acts.ask(act.key, at=at, before=None)

    def _can_tell(self, act: Act) -> bool:
        tool = self._house.registry.get(act.tool)
        return tool is not None and tool.options.reconcile is not None

    def _as_service(self, act: Act) -> ToolContext:
        ctx = as_requester(self._house, act)
        return replace(ctx, origin="service", idempotency_key=act.idempotency_key)


async def noted(
    house: House,
    act: Act,
    who: str | None,
    became: str,
    change: Callable[[Transaction], Awaitable[bool]],
) -> bool:
    """Change an unknown act and store who did, from what to what, in one transaction.

    Returns:
        Whether the change won; one that did not leaves no record here.
    """
    audit = house.registry.audit
    ctx = ToolContext(
        principal=who,
        channel=act.channel,
        conversation=act.conversation,
        origin="service" if who is None else "human",
    )
    request = Request("settle_act", {"tool": act.tool, "from": str(act.state), "to": became}, ctx)
    request.trail.question = act.question or act.key
    outcome = audit.outcome(request, request.args, ToolResult.success(), f"act_{became}")
    batch = None
    try:
        async with house.record.transaction() as tx:
            if not await change(tx):
                return False
            batch = await audit.write(tx, outcome)
    except BaseException:
        if batch is not None:
            audit.not_written(batch)
        raise
    audit.written(batch)
    return True


def _result(act: Act, said: bool | ToolResult) -> ToolResult:
    if isinstance(said, ToolResult):
        return said
    if said:
        return ToolResult.success(message="Its service says that it was done.")
    return ToolResult.error(f"Not done: the service of {act.tool} knows nothing of it.")
