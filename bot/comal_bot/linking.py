"""Linking: two accounts become one person once each has named the other."""

from typing import Final

from comal_runtime.record import Transaction

from .channels.channel import Inbound
from .people import LINK_RESTS, PeopleDirectory
from .receiving import Reception, Reply, spoken_time

OFFER_LASTS: Final = 24 * 3600.0
"""Seconds within which the second account names the first."""

_MOST_ACCOUNTS: Final = 8


class Linking:
    """Handles `/link OTHER` and `/unlink OTHER`."""

    def __init__(self, reception: Reception) -> None:
        self._reception = reception
        self._house = reception.house

    async def link(self, update: int, inbound: Inbound) -> None:
        """Take note whom a person says they are as well, and link the two if the other said so.

        Anybody may name anybody, in private; nothing comes of it until the other does the same.
        """
        async with self._reception.open(inbound) as tx:
            reply, other = await self._linked(tx, inbound)
            if not self._house.shuns(inbound.sender):
                await self._reception.answer(tx, update, inbound, reply)
            if reply.key == "link.done" and other is not None:
                await self._reception.tell(tx, f"link:{update}", other, reply)
                await self._reception.tell_owners(tx, f"link-owner:{update}", reply)
        self._reception.witness(inbound.sender, "link", {"other": other or ""}, reply)

    async def unlink(self, update: int, inbound: Inbound) -> None:
        """End the link of the account that writes, in private, with another.

        Only the two that are linked may; that they were is kept.
        """
        async with self._reception.open(inbound) as tx:
            reply, other = await self._unlinked(tx, inbound)
            if not self._house.shuns(inbound.sender):
                await self._reception.answer(tx, update, inbound, reply)
            if reply.done and other is not None:
                await self._reception.tell(tx, f"unlink:{update}", other, reply)
                await self._reception.tell_owners(tx, f"unlink-owner:{update}", reply)
        self._reception.witness(inbound.sender, "unlink", {"other": other or ""}, reply)

    async def _linked(self, tx: Transaction, inbound: Inbound) -> tuple[Reply, str | None]:
        mine, other, refusal = self._two(inbound, "link")
        people, now = self._house.people, self._house.clock.now()
        if refusal is not None:
            return refusal, other
        if people.person(mine) == people.person(other):
            return Reply("link.already", values={"other": other}), other
        if people.is_named(mine):
            return Reply("link.named"), other
        if not await tx.identities.take_offer(other, mine, since=now - OFFER_LASTS):
            await tx.identities.offer(mine, other, now=now)
            return Reply("link.offered", done=True, values={"mine": mine, "other": other}), other
        why = unlinkable(people, mine, other)
        if why is not None:
            return Reply(why), other
        is_older = people.is_known(mine) and not people.is_known(other)
        anchor, added = (mine, other) if is_older else (other, mine)
        await tx.identities.link(anchor, added, now=now)
        await people.refresh(tx)
        told = {
            "anchor": self._reception.called(anchor),
            "added": self._reception.called(added),
            "time": spoken_time(now + LINK_RESTS),
        }
        return Reply("link.done", done=True, values=told), other

    async def _unlinked(self, tx: Transaction, inbound: Inbound) -> tuple[Reply, str | None]:
        mine, other, refusal = self._two(inbound, "unlink")
        if refusal is not None:
            return refusal, other
        if not await tx.identities.unlink(mine, other, now=self._house.clock.now()):
            return Reply("unlink.none", values={"other": other}), other
        told = {"mine": self._reception.called(mine), "other": self._reception.called(other)}
        return Reply("unlink.done", done=True, values=told), other

    def _two(self, inbound: Inbound, command: str) -> tuple[str, str, Reply | None]:
        """Return who writes and whom they name, or why that is not said here."""
        other = self._reception.named(inbound.text)
        if inbound.sender is None or inbound.sender_is_bot:
            return "", "", Reply("answer.nobody")
        if not inbound.private:
            return inbound.sender, "", Reply("people.private")
        if other is None or other == inbound.sender:
            return inbound.sender, "", Reply(f"{command}.how")
        return inbound.sender, other, None


def unlinkable(people: PeopleDirectory, one: str, other: str) -> str | None:
    """Return the key of why two accounts cannot become one person, or None.

    Nobody gains a right by it: whom a route names in person stays who they are, two people of the
    settings stay two, and two who both decide do not become one.
    """
    accounts = [people.accounts(one), people.accounts(other)]
    if all(any(map(people.is_told, side)) for side in accounts):
        return "link.settings"
    if people.is_named(one) or people.is_named(other):
        return "link.named"
    if people.decides(one) and people.decides(other):
        return "link.both_decide"
    return "link.too_many" if sum(map(len, accounts)) > _MOST_ACCOUNTS else None
