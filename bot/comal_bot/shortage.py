"""Shortage: open questions that the people who are left can no longer decide are found."""

import asyncio
from typing import Final

from comal_runtime.consent.question import tell
from comal_runtime.record import Repositories

from .people import Person
from .reach import too_few
from .wiring import Premises

_AT_ONCE: Final = 100  # questions a look; the next one goes on from there
_FIRST: Final = ("", 0.0)


class Shortage:
    """Looks through the open questions after the house's people have changed, and only then."""

    def __init__(self, house: Premises) -> None:
        self._house = house
        self._people: tuple[Person, ...] | None = None
        self._after = _FIRST
        self._is_done = False

    async def look(self) -> None:
        """Look at the next few questions; those that stand otherwise than they show are told."""
        house = self._house
        async with house.record.reading() as stored:
            await house.people.refresh(stored)
            known = house.people.known()
            if known != self._people:
                self._people, self._after, self._is_done = known, _FIRST, False
            if self._is_done:
                return
            found = await stored.alarms.verifications(after=self._after, limit=_AT_ONCE)
        changed = []
        for key, _ in found:
            async with house.record.reading() as stored:
                if await self._stands_otherwise(stored, key):
                    changed.append(key)
            await asyncio.sleep(0)  # whoever presses meanwhile is not to wait for all of them
        if changed:
            async with house.record.transaction() as tx:
                for key in changed:
                    tx.defer(tell(key))
        self._is_done = len(found) < _AT_ONCE
        self._after = found[-1] if found else _FIRST

    async def _stands_otherwise(self, stored: Repositories, key: str) -> bool:
        question = await stored.questions.get(key)
        if question is None:
            return False
        lacks = too_few(question, await stored.questions.votes(key), self._house.people)
        shown = [card.shown or "" for card in await stored.cards.of(key)]
        return lacks is not any(":few" in one for one in shown)
