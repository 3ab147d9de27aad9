"""Life signs and sweeps."""

import asyncio
import contextlib
from dataclasses import replace
from pathlib import Path

from comal_bot.recovery import Recovery

from .rig import Rig, rig
from .wire import ROSA

DELETE = 'call delete_note {"note": 2}'
DAY = 24 * 3600.0


async def begin_an_act(at: Rig, owner: str) -> str:
    """Leave an act that somebody started; its key."""
    await at.say(DELETE)
    at.hands.handlers = {**at.hands.handlers, "execute_act": _nothing}
    card = at.wire.card()
    await at.tap(card.data[0], card)
    at.write(
        "UPDATE acts SET state = 'started', attempt = 1, instance = ?, boot_id = 'fake-boot', "
        "deadline_boot = ?, deadline_at = ?",
        owner,
        at.clock.boot() + 1,
        at.clock.now() + 1,
    )
    return str(at.one("SELECT key FROM acts"))


async def test_a_process_that_signs_keeps_its_act_and_one_that_does_not_loses_it(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path) as at:
        await begin_an_act(at, "other")
        recovery = Recovery(replace(at.house, instance="other"), at.outbox, lease=10.0)
        await recovery.sign()
        for _ in range(4):
            at.clock.advance(9)
            await recovery.sign()
            await at.house.registry.sweep()
        living = at.one("SELECT state FROM acts")
        at.clock.advance(11)
        await at.house.registry.sweep()
        await at.settle()

        assert living == "started"
        assert at.one("SELECT state FROM acts") == "unknown"
        assert any("outcome unknown" in text for text in at.wire.texts(ROSA))
        assert "I heard: unknown the process that ran it is gone" in at.wire.texts(ROSA)[-1]


async def test_the_sweep_expires_what_nobody_answered_and_tells_it(tmp_path: Path) -> None:
    """AP-08."""
    async with rig(tmp_path) as at:
        await at.say(DELETE)
        at.clock.advance(601)
        await Recovery(at.house, at.outbox, lease=10.0)._sweep()
        await at.settle()

        assert "Expired" in at.wire.texts(ROSA)[0]
        assert "nothing was done" in at.wire.texts(ROSA)[0]
        assert at.wire.texts(ROSA)[1:] == ["I heard: expired"]


async def test_handled_updates_are_forgotten_after_a_week_and_broken_ones_kept(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path) as at:
        await at.say("say hello")
        await at.hear({"update_id": 5, "message": "broken"})
        recovery = Recovery(at.house, at.outbox, lease=10.0)
        at.clock.advance(7 * DAY - 1)
        await recovery._clean()
        within = at.one("SELECT COUNT(*) FROM inbox")
        at.clock.advance(2)
        await recovery._clean()

        assert within == 2
        assert at.rows("SELECT state FROM inbox") == [("broken",)]


async def test_a_record_that_is_out_of_order_for_a_while_does_not_end_recovery(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path) as at:
        recovery = Recovery(at.house, at.outbox, lease=0.03)
        full = "BEFORE UPDATE ON instances BEGIN SELECT RAISE(ABORT, 'the disk is full'); END"
        running = asyncio.create_task(recovery.run())
        await asyncio.sleep(0.05)
        at.write(f"CREATE TRIGGER full {full}")
        at.clock.advance(100)
        await asyncio.sleep(0.1)
        at.write("DROP TRIGGER full")
        async with asyncio.timeout(5):
            while at.one("SELECT MAX(lease_at) FROM instances") < at.clock.now():
                await asyncio.sleep(0.01)

        assert not running.done()
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running


async def _nothing(key: str) -> None:
    """Leave a job undone."""
