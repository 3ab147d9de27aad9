"""Introductions: the commands by which people say who they are, and ask who they are."""

from collections.abc import Awaitable, Callable, Mapping

from comal_renderers.i18n import text

from .channels.channel import Inbound
from .linking import Linking
from .owning import Owning
from .pairing import Pairings
from .people import LINK_RESTS
from .receiving import Reception, Reply, spoken_time
from .wiring import House

Handler = Callable[[int, Inbound], Awaitable[None]]


class Introductions:
    """Handles `/owner`, `/pair`, `/link`, `/unlink` and `/whoami`."""

    def __init__(self, house: House) -> None:
        self._reception = Reception(house)
        self._house = house
        linking = Linking(self._reception)
        self.pairings = Pairings(self._reception)
        self._handlers: Mapping[str, Handler] = {
            "owner": Owning(self._reception).handle,
            "pair": self.pairings.handle,
            "link": linking.link,
            "unlink": linking.unlink,
            "whoami": self.whoami,
        }

    async def handle(self, update: int, inbound: Inbound) -> bool:
        """Answer one of these commands; False for anything else. Done twice, it answers once."""
        handler = self._handlers.get(inbound.command or "")
        if handler is None:
            return False
        await handler(update, inbound)
        return True

    async def whoami(self, update: int, inbound: Inbound) -> None:
        """Tell a person who they are here: anybody may ask, about themselves alone."""
        async with self._reception.open(inbound) as tx:
            if not self._house.shuns(inbound.sender):
                await self._reception.answer(tx, update, inbound, self._standing(inbound.sender))

    def _standing(self, sender: str | None) -> Reply:
        if sender is None:
            return Reply("answer.nobody")
        people, language = self._house.people, self._house.language
        roles = ", ".join(sorted(people.roles(sender))) or text("host.no_roles", language)
        told = {"principal": self._reception.called(sender), "roles": roles}
        others = people.accounts(sender)[1:]
        if not others:
            return Reply("host.whoami", values=told)
        told["others"] = ", ".join(others)
        links = [
            link.since + LINK_RESTS for link in people.links_of(sender) if link.added == sender
        ]
        since = max(links, default=0.0)
        if since <= self._house.clock.now():
            return Reply("host.whoami_linked", values=told)
        return Reply("host.whoami_resting", values={**told, "time": spoken_time(since)})
