"""A worker that dies between any two steps of a decision loses and repeats nothing."""

from pathlib import Path

import pytest

from comal_bot.inbox import Intake
from comal_bot.recovery import Recovery
from comal_runtime.testing import FakeClock

from .rig import Rig, Shop, rig
from .wire import ROSA, tapped

DELETE = 'call delete_note {"note": 2}'


async def do(at: Rig, jobs: int, *, ending_last: bool) -> None:
    """Do some jobs and die: before the next one, or with the last one done and not noted."""
    for number in range(1, jobs + 1):
        now = at.clock.now()
        async with at.record.transaction() as tx:
            claimed = await tx.jobs.claim("dying", now=now, lease_until=now + 1, limit=1)
        if not claimed:
            return
        await at.hands.handlers[claimed[0].job.kind](claimed[0].job.key)
        if number < jobs or ending_last:
            async with at.record.transaction() as tx:
                await tx.jobs.finish(claimed[0].id, "dying")


@pytest.mark.failure_mode(6, 24, 25, 26)
@pytest.mark.parametrize("ending_last", [True, False])
@pytest.mark.parametrize("jobs", range(8))
async def test_a_decision_is_carried_out_once_and_shown_wherever_its_worker_died(
    tmp_path: Path, jobs: int, ending_last: bool
) -> None:
    """AP-05: jobs are the tap, the act, what is told of both, the model's turn."""
    clock, shop = FakeClock(), Shop()
    async with rig(tmp_path, clock=clock, tools=lambda _: [shop], name="first") as at:
        await at.say(DELETE)
        card = at.wire.card()
        press = tapped(900, card.data[0], ROSA, ROSA, card.message)
        await Intake(at.record, clock, at.wire)([press])
        await do(at, jobs, ending_last=ending_last)
        first = at.wire
    clock.advance(30)

    async with rig(tmp_path, clock=clock, tools=lambda _: [shop], name="second") as again:
        await Recovery(again.house, again.outbox, lease=10.0)._sweep()
        await again.settle()
        tried = [*first.log, *again.wire.log]
        heard = [*first.texts(ROSA), *again.wire.texts(ROSA)]

        assert shop.ran == [2]
        assert "executed" in [text for kind, _, text in tried if kind == "amend"][-1]
        assert heard.count("I heard: done") == 1
        assert again.rows("SELECT state FROM acts") == [("done",)]


@pytest.mark.failure_mode(25)
async def test_around_the_end_of_its_time_what_a_card_says_and_what_ran_agree(
    tmp_path: Path,
) -> None:
    """AP-08: 200 presses within a millisecond of the end, while the sweep goes by."""
    async with rig(tmp_path) as at:
        sweeper = Recovery(at.house, at.outbox, lease=10.0)
        agreed, ran = 0, 0
        for number in range(200):
            await at.say(DELETE)
            card = at.wire.card()
            ends = at.one("SELECT expires_at FROM questions WHERE state = 'open'")
            at.clock.advance(ends - at.clock.now() + (number % 3 - 1) / 1000)
            press = tapped(5000 + number, card.data[0], ROSA, ROSA, card.message)
            await Intake(at.record, at.clock, at.wire)([press])
            if number % 2:
                await sweeper._sweep()
            await at.settle()
            at.clock.advance(1)
            await sweeper._sweep()
            await at.settle()
            shown, did = at.wire.sent[card.message], len(at.shop.ran) > ran
            ran = len(at.shop.ran)
            told = at.wire.answers[-1] == "Recorded."
            agreed += did is told is ("executed" in shown.text)
            agreed += did is not ("nothing was done" in shown.text)
            at.wire.sent.clear()

        assert agreed == 400
        assert 60 < ran < 140
