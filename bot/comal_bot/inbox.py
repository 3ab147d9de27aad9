"""Intake: every update is stored, with the job it begins, before it is acknowledged."""

import hashlib
import json
import logging
from collections.abc import Sequence

from comal_runtime.clock import Clock
from comal_runtime.consent.question import new_id
from comal_runtime.record import Job, Place, Record, Transaction

from .channels.channel import Channel, Inbound, Raw
from .wiring import MESSAGE, STOP, TAP, conversation_lane

log = logging.getLogger(__name__)


class Intake:
    """Takes what one channel hears."""

    def __init__(self, record: Record, clock: Clock, channel: Channel) -> None:
        self._record = record
        self._clock = clock
        self._channel = channel

    async def __call__(self, batch: Sequence[Raw]) -> None:
        """Store a batch in one transaction; what is there already is not stored again."""
        async with self._record.transaction() as tx:
            for raw in batch:
                await self._take(tx, raw)

    async def _take(self, tx: Transaction, raw: Raw) -> None:
        text = json.dumps(raw, ensure_ascii=True, sort_keys=True)
        digest = hashlib.sha256(text.encode()).hexdigest()
        event = str(raw.get("update_id", digest))
        name = self._channel.name
        update = await tx.inbox.add(name, event, digest, text, now=self._clock.now())
        if update is None:
            log.info("update.repeated", extra={"channel": name, "event": event})
            return
        try:
            heard = self._channel.parse(raw)
        except ValueError as error:
            log.warning(
                "update.broken", extra={"channel": name, "event": event, "reason": str(error)}
            )
            await tx.inbox.settle(update, "broken", error=str(error))
            return
        jobs = [job for inbound in heard if (job := await self._job(tx, update, inbound))]
        for job in jobs:
            tx.defer(job)
        if not jobs:
            await tx.inbox.settle(update, "done")

    async def _job(self, tx: Transaction, update: int, inbound: Inbound) -> Job | None:
        key, address = str(update), inbound.address
        if inbound.migrated_to is not None:
            await tx.people.move(address.channel, address.chat, inbound.migrated_to)
            return None
        if inbound.sender_is_bot:
            return None
        if inbound.tap is not None:
            return Job(kind=TAP, lane=f"tap:{inbound.sender}", key=key)
        if not inbound.addressed:
            return None
        place = place_of(inbound)
        if await _answers_card(tx, inbound, place):
            return Job(kind=TAP, lane=f"tap:{inbound.sender}", key=key)
        conversation = await tx.people.settle(
            place, new_id(), private=inbound.private, now=self._clock.now()
        )
        if inbound.command == "stop":
            return Job(kind=STOP, lane=f"stop:{conversation}", key=key)
        return Job(kind=MESSAGE, lane=conversation_lane(conversation), key=key)


async def _answers_card(tx: Transaction, inbound: Inbound, place: Place) -> bool:
    """Tell whether a message replies to a card: it is kept in order with the sender's presses."""
    if inbound.reply_to is None or inbound.command is not None:
        return False
    return await tx.cards.at(place.channel, place.chat, inbound.reply_to) is not None


def place_of(inbound: Inbound) -> Place:
    """Return the address an inbound came from, as the record keeps it."""
    address = inbound.address
    return Place(channel=address.channel, chat=address.chat, thread=address.thread or "")
