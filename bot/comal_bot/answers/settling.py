"""It was done, Do it again, Leave it: what people make of an act of unknown outcome."""

from collections.abc import Mapping
from functools import partial
from typing import Final

from comal_runtime.consent.settling import (
    Remedy,
    Unfit,
    unfit,
)
from comal_runtime.record import Act, ActState

from ..buttons import IT_WAS_DONE, LEAVE_IT, REPEAT
from ..doing import Doing
from ..reconciling import noted
from ..remedying import remedied
from ..wiring import House
from .noting import note
from .tapped import Said, Tapped

_REMEDIES: Final[Mapping[str, Remedy]] = {
    IT_WAS_DONE: Remedy.DONE,
    REPEAT: Remedy.AGAIN,
    LEAVE_IT: Remedy.LEAVE,
}
_REFUSED: Final[Mapping[Unfit, str]] = {
    Unfit.NOT_ENTITLED: "answer.not_yours",
    Unfit.ONLY_AGAIN: "answer.only_again",
}
_LONGEST_WHY: Final = 120  # characters of a reason; what a tap is answered with holds 200
_WAITS: Final = ("confirmation", "pending")


class Settling:
    """Settles, leaves or repeats unknown acts.

    For those who may answer the question of the act, and owners; who asked for what others
    approved may only have it asked for again.
    """

    def __init__(self, house: House) -> None:
        self._house = house
        self._doing = Doing(house)

    async def handle(self, tapped: Tapped) -> Said:
        """Do what one of the three buttons stands for."""
        house, remedy = self._house, _REMEDIES[tapped.choice]
        question, who, now = tapped.question, tapped.voter, self._house.clock.now()
        async with house.record.reading() as stored:
            await house.people.refresh(stored)
            act = await stored.acts.get(question.id)
        if act is None:
            return Said("answer.unknown_button")
        refusal = unfit(act, question, who, remedy, house.people, now)
        if refusal is not None:
            note(house, question, who, f"tap_{refusal}")
            return Said(_REFUSED[refusal])
        if act.state is not ActState.UNKNOWN or act.left_by is not None:
            return Said("answer.settled_before")
        if remedy is Remedy.AGAIN:
            return await self._again(tapped, act)
        became = "left" if remedy is Remedy.LEAVE else str(ActState.SETTLED_DONE)
        change = partial(remedied, act=act, remedy=remedy, by=who, now=now)
        if await noted(house, act, who, became, change):
            return Said("answer.recorded", alert=False)
        return Said("answer.settled_before")

    async def _again(self, tapped: Tapped, act: Act) -> Said:
        """Ask for it again as its requester, whoever taps: they answer for it, not the tapper."""
        result = await self._doing.repeat(act)
        asked = result.requires_confirmation or result.type in _WAITS
        decision = "tap_repeat" if asked else "tap_not_repeated"
        note(self._house, tapped.question, tapped.voter, decision, counted=asked)
        if asked:
            return Said("answer.asked_again")
        if result.success:
            return Said("answer.recorded", alert=False)
        why = " ".join((result.error or "").split())[:_LONGEST_WHY]
        return Said("answer.not_asked_again", values={"why": why})
