"""Telling of overrides: what somebody did at the machine without being entitled to it."""

from comal_renderers.i18n import text
from comal_renderers.visible import visible
from comal_runtime.record import Override, Place, Transaction

from .naming import broken_by
from .owners import owner_chats
from .speech import Speech
from .wiring import Premises


class Overriding:
    """Handles the jobs that tell of overrides."""

    def __init__(self, house: Premises) -> None:
        self._house = house
        self._speech = Speech(house.channels)

    async def tell(self, key: str) -> None:
        """Tell every owner in private, and whom it is about; told twice, it is said once."""
        house, now = self._house, self._house.clock.now()
        async with house.record.transaction() as tx:
            override = await tx.overrides.get(key)
            if override is None:
                return
            await house.people.refresh(tx)
            said = text(
                "host.break_glass",
                house.language,
                who=broken_by(override.principal),
                did=visible(override.did),
                why=visible(override.reason),
            )
            for place in await self._places(tx, override):
                spot = f"{place.channel}:{place.chat}:{place.thread}"
                await self._speech.plain(tx, f"override:{key}:{spot}", place, said, now)

    async def _places(self, tx: Transaction, override: Override) -> list[Place]:
        places = await owner_chats(self._house, tx)
        if override.conversation is not None:
            home = await tx.people.places(override.conversation)
            places += [place for place in home if self._house.reaches(place.channel)][:1]
        return list(dict.fromkeys(places))
