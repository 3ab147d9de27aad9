"""`comal acts settle`: somebody says how an act of unknown outcome ended."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from comal_bot.remedying import remedied
from comal_bot.settings import Settings, load_settings
from comal_runtime.consent.settling import (
    Remedy,
    Unfit,
    unfit,
)
from comal_runtime.record import Act, ActState, Question

from ..acting import Acting, Actor, actor, announce, audit
from ..beginning import one_act
from ..complaints import CommandFailed, Refused
from ..printing import print_json, print_text
from ..working import at_work
from .looking import as_dict

_REMEDIES: Final[Mapping[str, Remedy]] = {
    "done": Remedy.DONE,
    "not-done": Remedy.NOT_DONE,
    "leave": Remedy.LEAVE,
}
_WHY: Final[Mapping[Unfit, str]] = {
    Unfit.NOT_ENTITLED: "{name} may not settle this act: whoever may answer its question may, and "
    "owners",
    Unfit.ONLY_AGAIN: "{name} asked for this, or is whoever did; somebody else must say how it "
    "ended",
}


def settle(
    key: str,
    outcome: str,
    acting: Acting,
    where: tuple[Path | None, Path | None],
    *,
    as_json: bool,
) -> None:
    """Settle an unknown act, as who acts: who may answer its question, or an owner.

    Whoever asked for what others approved may not. Breaking the glass may, and is announced.

    Raises:
        CommandFailed: There is no record, no such act, or it is not unknown any more.
        Refused: Whoever acts may not; nothing was changed.
    """
    config, data = where
    settings = load_settings(config, data=data)
    act, question, who = asyncio.run(_settled(settings, key, _REMEDIES[outcome], acting))
    if as_json:
        print_json(as_dict(act, question) | {"actor": who.principal, "reason": who.reason})
    else:
        how = "BREAK-GLASS: " if who.breaks_glass else ""
        said = "is left unknown" if act.state is ActState.UNKNOWN else act.state.replace("_", " ")
        print_text(f"{how}{act.tool} {said}, says {who.name}; the running host does the rest")


async def _settled(
    settings: Settings, key: str, remedy: Remedy, acting: Acting
) -> tuple[Act, Question | None, Actor]:
    """Settle the act as one more worker of the host."""
    async with at_work(settings) as desk:
        now, people = desk.clock.now(), desk.people
        async with desk.record.transaction() as tx:
            await people.refresh(tx)
            who = actor(people, acting)
            act = await one_act(tx, key)
            question = await tx.questions.get(act.key)
            by = who.principal
            refusal = unfit(act, question, by, remedy, people, now)
            if refusal is not None and not who.breaks_glass:
                raise Refused(_WHY[refusal].format(name=who.name))
            if not await remedied(tx, act, remedy, by=by, now=now):
                raise CommandFailed(f"act {act.key[:8]} is {_stands(act)}; nothing was changed")
            did = f"settled {act.tool} as {remedy.replace('_', ' ')}"
            if remedy is Remedy.LEAVE:
                did = f"left {act.tool} unknown"
            await announce(tx, who, did, conversation=act.conversation, now=now)
            after = await tx.acts.get(act.key)
        said = f"{did}; it was unknown"
        audit(desk.audit, who, "settle_act", said, question=act.question or act.key)
    return after or act, question, who


def _stands(act: Act) -> str:
    if act.state is ActState.UNKNOWN:
        return f"left unknown already by {act.left_by}"
    return f"{act.state}, not unknown"
