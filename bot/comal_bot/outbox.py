"""Delivery: what waits is sent, each chat at its own pace, and what became of it is stored."""

import asyncio
import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from comal_runtime.clock import Clock
from comal_runtime.lanes import Waking
from comal_runtime.rate_limit import GcraRateLimiter, RateLimiter
from comal_runtime.record import ClaimedMessage, Outgoing, Record, RecordError, Transaction

from . import copies
from .channels.channel import (
    Address,
    Channel,
    Denied,
    Receipt,
    Retry,
    Uncertain,
    Unsupported,
)
from .speech import ANSWER, DECISION

log = logging.getLogger(__name__)

_POLL: Final = 0.25  # seconds between looks for what another process queued
_LONGEST: Final = 15.0  # seconds one send may take
_LEASE: Final = 20.0  # seconds until somebody else may settle what a sender left
_AT_ONCE: Final = 40
_RESERVED: Final = 8  # of these, for decisions: slow answers must not keep a card open
_LONGEST_PAUSE: Final = 15.0  # seconds between two tries of a message
_FINISH: Final = 3.0  # seconds that running sends get when the pump stops


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast one chat and one channel take messages. Source: core.telegram.org/bots/faq."""

    chat: RateLimiter
    group: RateLimiter
    channel: RateLimiter

    @classmethod
    def telegram(cls) -> "Pace":
        """One a second and chat in short bursts, 20 a minute and group, 30 a second in all."""
        return cls(GcraRateLimiter(5, 5), GcraRateLimiter(20, 60), GcraRateLimiter(30, 1))

    def wait(self, message: Outgoing, now: float) -> float:
        """Return how many seconds to wait, spending nothing then; 0 spends and lets through."""
        chat = f"{message.channel}:{message.chat}"
        limits = [(self.channel, message.channel)]
        limits.append((self.group if message.chat.startswith("-") else self.chat, chat))
        wait = max(limiter.peek(key, 1, now=now) for limiter, key in limits)
        if wait <= 0:
            for limiter, key in limits:
                limiter.take(key, 1, now=now)
        return wait


class Outbox:
    """Sends what the record holds. `owner` names this process."""

    def __init__(
        self, record: Record, clock: Clock, channels: Mapping[str, Channel], owner: str, pace: Pace
    ) -> None:
        self._record = record
        self._clock = clock
        self._channels = channels
        self._owner = owner
        self._pace = pace
        self._sending: set[asyncio.Task[None]] = set()
        self._waking = Waking()
        record.on_work(self._waking.wake)

    async def run(self) -> None:
        """Send until cancelled; what is being sent then may finish."""
        looking: asyncio.Task[None] | None = None
        try:
            while True:
                looking = asyncio.create_task(self._send_due())
                try:
                    await asyncio.shield(looking)  # what it claims, somebody must send
                except RecordError:
                    log.exception("outbox.record_unavailable")
                await self._waking.rest(_POLL)
        finally:
            if looking is not None:
                await asyncio.wait([looking])
            await self._stop()

    async def idle(self) -> bool:
        """Tell whether nothing waits or is being sent."""
        async with self._record.reading() as stored:
            return not self._sending and await stored.outbox.unsettled() == 0

    async def recover(self) -> None:
        """Settle what a dead sender left: edits go again, sends are uncertain."""
        now = self._clock.now()
        async with self._record.reading() as stored:
            left = await stored.outbox.abandoned(now=now)
        for claimed, owner in left:
            async with self._record.transaction() as tx:
                if claimed.message.edits is not None:
                    await tx.outbox.retry(claimed.id, owner, not_before=now, error="sender died")
                else:
                    await self._uncertain(tx, claimed, owner, "its sender died while sending")

    def wake(self) -> None:
        """Look for due messages now, as after a clock that was set."""
        self._waking.wake()

    async def _stop(self) -> None:
        """Let running sends end; one cut off is settled by whoever finds its lease ended."""
        if not self._sending:
            return
        _, late = await asyncio.wait(self._sending, timeout=_FINISH)
        for task in late:
            task.cancel()
        if late:
            await asyncio.wait(late)

    async def _send_due(self) -> None:
        now = self._clock.now()
        async with self._record.reading() as stored:
            due = await stored.outbox.next_due()
        free = _AT_ONCE - len(self._sending)
        if due is None or due > now or free <= 0:
            return
        limit, lowest = (free - _RESERVED, ANSWER) if free > _RESERVED else (free, DECISION)
        async with self._record.transaction() as tx:
            claimed = await tx.outbox.claim(
                self._owner, now=now, lease_until=now + _LEASE, limit=limit, lowest=lowest
            )
            held_back = [(one, self._pace.wait(one.message, now)) for one in claimed]
            for one, wait in held_back:
                if wait > 0:
                    await tx.outbox.put_back(one.id, self._owner, not_before=now + wait, why="pace")
        for one, wait in held_back:
            if wait <= 0:
                task = asyncio.create_task(self._send(one))
                self._sending.add(task)
                task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._sending.discard(task)
        self._waking.wake()

    async def _send(self, claimed: ClaimedMessage) -> None:
        try:
            await self._attempt(claimed)
        except RecordError:
            log.exception("outbox.not_stored", extra={"message": claimed.id})

    async def _attempt(self, claimed: ClaimedMessage) -> None:
        message = claimed.message
        channel = self._channels.get(message.channel)
        if channel is None:
            await self._refuse(claimed, Denied(f"there is no channel {message.channel!r} any more"))
            return
        if await self._is_gone(message):
            await self._refuse(claimed, Denied("the chat is gone; it counts again once it writes"))
            return
        try:
            receipt = await _deliver(channel, message)
        except Retry as error:
            await self._later(claimed, error)
        except Uncertain as error:
            async with self._record.transaction() as tx:
                await self._uncertain(tx, claimed, self._owner, str(error))
        except (Denied, Unsupported) as error:
            await self._refuse(claimed, error)
        else:
            await self._arrived(claimed, receipt)

    async def _is_gone(self, message: Outgoing) -> bool:
        """Tell whether not to try; a card is tried, as an approvers' chat may never write to us."""
        if message.card is not None:
            return False
        async with self._record.reading() as stored:
            return await stored.outbox.is_gone(message.channel, message.chat)

    async def _arrived(self, claimed: ClaimedMessage, receipt: Receipt) -> None:
        message = claimed.message
        async with self._record.transaction() as tx:
            await tx.outbox.sent(claimed.id, self._owner, message=receipt.message)
            if message.card is not None:
                await tx.showings.note(message, receipt.message, now=self._clock.now())
            if message.card is not None and message.edits is None:
                await copies.arrived(tx, message, message.card, receipt.message)
            if message.card is not None:
                await copies.heard_from(tx, message.channel, message.chat)

    async def _later(self, claimed: ClaimedMessage, error: Retry) -> None:
        message, after = claimed.message, _pause(error, claimed.attempts)
        until = self._clock.now() + after
        log.info("message.put_off", extra={"after": after, "reason": str(error)})
        async with self._record.transaction() as tx:
            await tx.outbox.retry(claimed.id, self._owner, not_before=until, error=str(error))
            await tx.outbox.cool(message.channel, message.chat, until=until)

    async def _refuse(self, claimed: ClaimedMessage, error: Denied | Unsupported) -> None:
        message = claimed.message
        moved = error.moved_to if isinstance(error, Denied) else None
        async with self._record.transaction() as tx:
            if moved is not None:
                now = self._clock.now()
                await tx.people.move(message.channel, message.chat, moved)
                await tx.outbox.retry(claimed.id, self._owner, not_before=now, error="moved")
                return
            where = f"{message.channel}:{message.chat}"
            log.warning("message.refused", extra={"reason": str(error), "chat": where})
            await tx.outbox.give_up(claimed.id, self._owner, "refused", error=str(error))
            gone = isinstance(error, Denied) and error.gone
            if message.card is not None and message.edits is None:
                await copies.refused(tx, message, message.card)
            elif message.card is not None and gone:
                await copies.unseen(tx, message.card)
            elif message.card is not None and isinstance(error, Denied) and error.lost:
                await copies.beyond_change(tx, message, message.card, self._clock.now())
            if gone and await tx.outbox.mark_gone(message.channel, message.chat):
                await copies.lost_chat(tx, message.channel, message.chat)

    async def _uncertain(
        self, tx: Transaction, claimed: ClaimedMessage, owner: str, reason: str
    ) -> None:
        """A plain message is not repeated; a card goes once more as a copy of its own."""
        message = claimed.message
        if not await tx.outbox.give_up(claimed.id, owner, "uncertain", error=reason):
            return
        log.warning("message.uncertain", extra={"reason": reason, "card": message.card is not None})
        if message.card is not None:
            await copies.uncertain(tx, message, message.card, self._clock.now())


def _pause(error: Retry, attempts: int) -> float:
    """Return how long to wait: what the server said, longer each time that it goes on."""
    return max(error.after, min(_LONGEST_PAUSE, 2.0 ** min(attempts - 1, 10)))


async def _deliver(channel: Channel, message: Outgoing) -> Receipt:
    try:
        async with asyncio.timeout(_LONGEST):
            return await _sent(channel, message)
    except TimeoutError:
        silence = f"no answer within {_LONGEST:g} s"
        raise (Uncertain(silence) if message.edits is None else Retry(silence)) from None


async def _sent(channel: Channel, message: Outgoing) -> Receipt:
    body = json.loads(message.body)
    address = Address(channel=message.channel, chat=message.chat, thread=message.thread or None)
    if message.edits is None:
        return await channel.deliver(address, body)
    receipt = Receipt(address=address, message=message.edits)
    await channel.amend(receipt, body)
    return receipt
