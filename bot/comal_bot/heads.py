"""Posts the audit's heads to its owners: what is noted in a chat, nobody changes in a database."""

from datetime import UTC, datetime
from typing import Final

from comal_renderers.i18n import text
from comal_runtime.audit import Head
from comal_runtime.record import Place, Repositories, Sought

from .speech import Speech
from .wiring import House

OWNER: Final = "owner"
"""The role of those who are posted the heads."""

_DAY: Final = 24 * 3600.0  # seconds
_MOST: Final = 20  # heads a message names


class HeadPosts:
    """Posts how far the chains have come, once a day to each owner who has talked to the bot."""

    def __init__(self, house: House) -> None:
        self._house = house

    async def post(self) -> None:
        """Post the heads of today, unless they were, by whichever process.

        Days on which nothing was audited, and days that nobody was there, are passed over.
        """
        house, now = self._house, self._house.clock.now()
        async with house.record.reading() as stored:
            places = await self._places(stored)
            if not places or not await stored.audit.count(Sought(since=now - _DAY)):
                return
            chains = await stored.audit.unfollowed()
        heads = [str(Head(one.id, one.last, one.mac)) for one in chains[-_MOST:]]
        day = datetime.fromtimestamp(now, UTC).date().isoformat()
        said = text("host.audit_heads", house.language, day=day, heads="\n".join(heads))
        speech = Speech(house.channels)
        async with house.record.transaction() as tx:
            for place in places:
                key = f"heads:{day}:{place.channel}:{place.chat}"
                await speech.plain(tx, key, place, said, now)

    async def _places(self, stored: Repositories) -> list[Place]:
        """Return the owners' private chats with the bot."""
        places = []
        for identity in self._house.people.holders(OWNER):
            kind, _, chat = identity.partition(":")
            for name, channel in self._house.channels.items():
                place = Place(channel=name, chat=chat)
                if channel.descriptor.name == kind and await _is_private(stored, place):
                    places.append(place)
        return places


async def _is_private(stored: Repositories, place: Place) -> bool:
    conversation = await stored.people.conversation(place)
    return conversation is not None and await stored.people.is_private(conversation)
