"""Posts the audit's heads to its owners: what is noted in a chat, nobody changes in a database."""

from datetime import UTC, datetime
from typing import Final

from comal_renderers.i18n import text
from comal_runtime.audit import Head
from comal_runtime.record import Sought

from .owners import owner_chats
from .speech import Speech
from .wiring import House

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
            places = await owner_chats(house, stored)
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
