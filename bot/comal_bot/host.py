"""The host: hears its channels, does the jobs, sends what waits, signs and sweeps."""

import asyncio
import json
import logging
from typing import Final

from comal_runtime.consent import EXECUTE_ACT, SHOW_QUESTION, TELL
from comal_runtime.consent.alarms import REMIND, SAY_ESCALATED
from comal_runtime.consent.overriding import TELL_OVERRIDE
from comal_runtime.consent.settling import RECONCILE
from comal_runtime.lanes import Handlers, Lanes
from comal_runtime.record import RecordError, StoredUpdate

from .answers.replying import Replies
from .burials import end_turn
from .channels.channel import Channel, ChannelError, Inbound
from .conversation import Conversations
from .doing import Doing
from .escalating import Escalating
from .host_events import HostEvents
from .inbox import Intake
from .introducing import Introductions
from .outbox import Outbox
from .overriding import Overriding
from .questions import QuestionCards
from .receipts.filing import SIGN_RECEIPT, Filing
from .reconciling import Reconciling
from .recovery import Recovery
from .reminding import Reminding
from .speech import Speech
from .taps import Taps
from .wiring import HOST_EVENT, MESSAGE, STOP, TAP, House

log = logging.getLogger(__name__)

_IDLE_LOOKS: Final = 3  # times in a row that nothing must be left to do


class Host:
    """Puts jobs to their handlers and runs everything together. `lease` is in seconds."""

    def __init__(
        self,
        house: House,
        cards: QuestionCards,
        lanes: Lanes,
        outbox: Outbox,
        filing: Filing,
        lease: float,
    ) -> None:
        self._house = house
        self._lanes = lanes
        self._outbox = outbox
        self._conversations = Conversations(house, Speech(house.channels))
        self._lease = lease
        self._cards = cards
        self._filing = filing
        self._taps = Taps(house, cards)
        self._introductions = Introductions(house)
        self._replies = Replies(house, Speech(house.channels))
        self._recovery = Recovery(house, outbox, lease)

    async def run(self, *, listen: bool = True) -> None:
        """Serve until cancelled; with `listen` False only what is stored already is done."""
        await self._recovery.sign()
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._recovery.run())
            tasks.create_task(self._lanes.run(self._handlers()))
            tasks.create_task(self._outbox.run())
            if listen:
                for channel in self._house.channels.values():
                    tasks.create_task(self._listen(channel))

    async def until_idle(self) -> None:
        """Wait until nothing is left to do; only the outside world could bring more."""
        looks = 0
        while looks < _IDLE_LOOKS:
            quiet = await self._lanes.idle() and await self._outbox.idle()
            looks = looks + 1 if quiet else 0
            await asyncio.sleep(0.1)

    def _handlers(self) -> Handlers:
        doing = Doing(self._house)
        events = HostEvents(self._house, self._conversations)
        return {
            MESSAGE: self._on_update,
            STOP: self._on_update,
            TAP: self._on_update,
            SHOW_QUESTION: self._cards.show,
            TELL: self._tell,
            EXECUTE_ACT: doing.execute,
            RECONCILE: Reconciling(self._house).handle,
            HOST_EVENT: events.handle,
            REMIND: Reminding(self._house).tell,
            SAY_ESCALATED: Escalating(self._house).say,
            TELL_OVERRIDE: Overriding(self._house).tell,
            SIGN_RECEIPT: self._filing.sign,
        }

    async def _tell(self, key: str) -> None:
        """Tell how a question or an act ended; cards first, then what is signed about it."""
        await self._introductions.pairings.look(key)
        await self._cards.tell(key)
        await self._filing.look(key)

    async def _on_update(self, key: str) -> None:
        number = int(key)
        async with self._house.record.reading() as stored:
            update = await stored.inbox.get(number)
        if update is None or update.state != "new":
            return
        channel = self._house.channels.get(update.channel)
        if channel is None:
            await self._leave(update)
            return
        for inbound in channel.parse(json.loads(update.raw)):
            await self._on_inbound(number, inbound)
        async with self._house.record.transaction(durable=False) as tx:
            await tx.inbox.settle(number, "done")

    async def _leave(self, update: StoredUpdate) -> None:
        """End an update whose channel is there no more, with the turn it may have begun."""
        self._house.reaches(update.channel)
        async with self._house.record.transaction() as tx:
            await tx.inbox.settle(update.id, "failed", error="its channel is gone")
            await end_turn(tx, f"update:{update.id}", now=self._house.clock.now())

    async def _on_inbound(self, update: int, inbound: Inbound) -> None:
        if inbound.tap is not None:
            await self._taps.handle(inbound, inbound.tap)
        elif inbound.command == "stop":
            await self._conversations.stop(update, inbound)
        elif await self._introductions.handle(update, inbound):
            return
        elif not await self._replies.handle(update, inbound):
            await self._conversations.handle(update, inbound)

    async def _listen(self, channel: Channel) -> None:
        """Listen while this process holds the channel's lease, and only then."""
        name = f"listen:{channel.name}"
        intake = Intake(self._house.record, self._house.clock, channel)
        listening: asyncio.Task[None] | None = None
        try:
            while True:
                holds = await self._hold(name)
                if holds and listening is None:
                    listening = asyncio.create_task(channel.listen(intake))
                elif not holds and listening is not None:
                    await _ended(listening)
                    listening = None
                if listening is not None and listening.done():
                    listening.result()
                    listening = None
                await asyncio.sleep(self._lease / 3)
        finally:
            if listening is not None:
                await _ended(listening)
            await self._drop(name)

    async def _hold(self, name: str) -> bool:
        now = self._house.clock.now()
        try:
            async with self._house.record.transaction(durable=False) as tx:
                return await tx.leases.hold(
                    name, self._house.instance, now=now, until=now + self._lease
                )
        except RecordError:
            log.exception("lease.record_unavailable")
            return False

    async def _drop(self, name: str) -> None:
        try:
            async with self._house.record.transaction(durable=False) as tx:
                await tx.leases.drop(name, self._house.instance)
        except RecordError:
            log.exception("lease.not_dropped")


async def _ended(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.wait([task])
    if not task.cancelled() and isinstance(task.exception(), ChannelError):
        log.warning("channel.ended", extra={"reason": str(task.exception())})
