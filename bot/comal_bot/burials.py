"""Work that was given up: whoever waits for it hears so."""

import json
import logging

from comal_renderers.i18n import text
from comal_runtime.consent import SHOW_QUESTION
from comal_runtime.record import Job, QuestionState, StoredUpdate, Transaction

from .channels.channel import Inbound
from .inbox import place_of
from .notices import Notices
from .speech import Speech
from .wiring import HOST_EVENT, MESSAGE, Premises

log = logging.getLogger(__name__)


class Burials:
    """Hears of jobs that are not tried again."""

    def __init__(self, house: Premises) -> None:
        self._house = house

    async def tell(self, job: Job) -> None:
        """End what the job had begun; who wrote or asked what is given up is told."""
        log.error("work.given_up", extra={"kind": job.kind, "key": job.key})
        if job.kind == MESSAGE:
            await self._message(int(job.key))
        elif job.kind == SHOW_QUESTION:
            await self._question(job.key)
        elif job.kind == HOST_EVENT:
            async with self._house.record.transaction() as tx:
                await end_turn(tx, f"event:{job.key}", now=self._house.clock.now())

    async def _message(self, number: int) -> None:
        now = self._house.clock.now()
        said = text("host.failed", self._house.language, request_id=str(number))
        async with self._house.record.transaction() as tx:
            update = await tx.inbox.get(number)
            if update is None or update.state != "new":
                return
            await tx.inbox.settle(number, "failed", error="its job was given up")
            await end_turn(tx, f"update:{number}", now=now)
            for inbound in self._heard(update):
                place = place_of(inbound)
                await Speech(self._house.channels).plain(tx, f"failed:{number}", place, said, now)

    async def _question(self, key: str) -> None:
        async with self._house.record.transaction() as tx:
            question = await tx.questions.get(key)
            if question is not None and question.state is QuestionState.OPEN:
                await Notices(self._house).unshown(tx, question)

    def _heard(self, update: StoredUpdate) -> list[Inbound]:
        if not self._house.reaches(update.channel):
            return []
        try:
            return self._house.channels[update.channel].parse(json.loads(update.raw))
        except ValueError:
            log.exception("update.broken", extra={"channel": update.channel})
            return []


async def end_turn(tx: Transaction, event: str, *, now: float) -> None:
    """End the turn that an event began, if it runs; its worker, if there is one, writes no more."""
    turn = await tx.turns.by_event(event)
    epoch = None if turn is None else await tx.turns.take(turn.id)
    if turn is not None and epoch is not None:
        await tx.turns.end(turn.id, epoch=epoch, reason="failed", now=now)
