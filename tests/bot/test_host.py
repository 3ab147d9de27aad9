"""The host: one listener a channel, every stored update handled, idle only when all is done."""

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from comal_bot.channels.channel import Retry
from comal_bot.inbox import Intake
from comal_runtime.record import Place
from comal_runtime.testing import FakeClock

from .rig import Rig, rig
from .wire import ROSA, written

LEASE = 0.15  # seconds; a host looks at its lease three times in that time


async def until(check: Callable[[], bool]) -> None:
    async with asyncio.timeout(5):
        while not check():
            await asyncio.sleep(0.005)


async def unread(at: Rig, *batch: dict[str, object]) -> None:
    """Take updates in and do nothing with them."""
    await Intake(at.record, at.clock, at.wire)(batch)


async def test_a_channel_is_heard_by_the_one_host_that_holds_its_lease(
    tmp_path: Path,
) -> None:
    clock = FakeClock()
    async with rig(tmp_path, clock=clock, name="waiting", listen=True, lease=LEASE) as first:
        await until(lambda: first.wire.listeners == 1)
        async with rig(tmp_path, clock=clock, name="second", listen=True, lease=LEASE) as second:
            await asyncio.sleep(3 * LEASE)
            together = second.wire.listeners
            first.write("UPDATE leases SET owner = 'second', until = ?", clock.now() + 60)
            await until(lambda: first.wire.listeners == 0)
            await until(lambda: second.wire.listeners == 1)
            await second.wire.queue.put([written(1, "say hello")])
            await until(lambda: second.one("SELECT COUNT(*) FROM inbox") == 1)
            await second.settle()

            assert together == 0
            assert second.wire.texts(ROSA) == ["hello"]


async def test_a_host_that_ends_gives_its_lease_up_at_once(tmp_path: Path) -> None:
    clock = FakeClock()
    async with rig(tmp_path, clock=clock, name="first", listen=True, lease=LEASE) as first:
        await until(lambda: first.wire.listeners == 1)

    async with rig(tmp_path, clock=clock, name="second", listen=True, lease=LEASE) as second:
        await until(lambda: second.wire.listeners == 1)

        assert second.rows("SELECT name, owner FROM leases") == [("listen:main", "second")]


async def test_a_host_that_cannot_sign_its_lease_hears_nobody_until_it_can(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path, listen=True, lease=LEASE) as at:
        await until(lambda: at.wire.listeners == 1)
        full = "BEFORE UPDATE ON leases BEGIN SELECT RAISE(ABORT, 'the disk is full'); END"
        at.write(f"CREATE TRIGGER full {full}")
        await until(lambda: at.wire.listeners == 0)
        at.write("DROP TRIGGER full")

        await until(lambda: at.wire.listeners == 1)


async def test_what_a_dead_host_took_in_is_handled_by_the_next_one(tmp_path: Path) -> None:
    """TD-03, TD-04: what is stored is done, once and in order."""
    clock = FakeClock()
    async with rig(tmp_path, clock=clock, name="first") as first:
        await unread(first, written(1, "say one"), written(2, "say two"))

    async with rig(tmp_path, clock=clock, name="second") as second:
        await unread(second, written(1, "say one"), written(3, "say three"))
        await second.settle()

        assert second.wire.texts(ROSA) == ["one", "two", "three"]


async def test_an_answer_that_waited_when_the_host_died_is_sent_by_the_next_one(
    tmp_path: Path,
) -> None:
    clock = FakeClock()
    async with rig(tmp_path, clock=clock, name="first") as first:
        first.wire.troubles.append(Retry("502", after=5))
        await first.say("say hello")

    clock.advance(6)
    async with rig(tmp_path, clock=clock, name="second") as second:
        await second.settle()

        assert second.wire.texts(ROSA) == ["hello"]
        assert second.one("SELECT COUNT(*) FROM turns") == 1


async def test_until_idle_waits_for_jobs_and_for_messages(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        await at.host.until_idle()
        await unread(at, written(1, "say hello"))
        waiting = asyncio.create_task(at.host.until_idle())
        await asyncio.sleep(0.35)
        with_a_job = waiting.done()
        async with at.record.transaction() as tx:
            await tx.outbox.cool("main", str(ROSA), until=at.clock.now() + 9)
        await at.settle()
        await asyncio.sleep(0.35)
        with_a_message = waiting.done()
        at.clock.advance(10)
        await at.settle()
        await asyncio.wait_for(waiting, 5)

        assert not with_a_job
        assert not with_a_message
        assert at.wire.texts(ROSA) == ["hello"]


async def test_an_update_of_a_channel_that_is_gone_stops_nobody(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        await unread(at, written(1, "say one"), written(2, "say two"))
        at.write("UPDATE inbox SET channel = 'former' WHERE event = '1'")
        await at.settle()

        assert at.hands.failures == []
        assert at.wire.texts(ROSA) == ["two"]


async def test_a_record_locked_by_another_process_delays_intake_and_loses_nothing(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path) as at:
        other = sqlite3.connect(at.path, isolation_level=None, check_same_thread=False)
        other.execute("BEGIN IMMEDIATE")
        release = threading.Timer(2.0, other.rollback)
        release.start()
        began = time.monotonic()
        await at.hear(written(1, "say hello"))
        took = time.monotonic() - began
        release.join()
        other.close()

        assert took > 1.5
        assert at.wire.texts(ROSA) == ["hello"]
        assert at.rows("SELECT event, state FROM inbox") == [("1", "done")]


async def test_twenty_messages_at_once_are_answered_in_their_order(tmp_path: Path) -> None:
    """TD-07."""
    async with rig(tmp_path) as at:
        await at.hear(*(written(n, f"say number {n}") for n in range(1, 21)))

        assert at.wire.texts(ROSA) == [f"number {n}" for n in range(1, 21)]
        async with at.record.reading() as stored:
            conversation = await stored.people.conversation(Place(channel="main", chat=str(ROSA)))
            history = await stored.turns.history(str(conversation))
        assert [line.role for line in history] == ["user", "assistant"] * 20


@pytest.mark.parametrize("kind", ["message", "tap", "stop"])
async def test_a_job_whose_update_is_gone_or_done_does_nothing(tmp_path: Path, kind: str) -> None:
    async with rig(tmp_path) as at:
        await at.say("say hello")
        before = list(at.wire.log)
        for key in ("1", "4711"):
            await at.hands.handlers[kind](key)

        assert at.wire.log == before
