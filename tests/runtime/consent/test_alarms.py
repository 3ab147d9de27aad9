"""Alarms ring once, whoever sweeps, and look at no question that waits."""

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

from comal_runtime.consent import Escalation, Route, Routes
from comal_runtime.consent.alarms import REMIND, SAY_ESCALATED
from comal_runtime.events import EventDispatcher
from comal_runtime.record import SqliteRecord, memory_record
from comal_runtime.registry import ToolRegistry
from comal_runtime.testing import FakeClock

from ..stations.arranging import Ran, by_ana, made, newest_question, registry_with

LATER = Escalation(after=20.0, approvers=("role:boss",))


def asking(clock: FakeClock, **changes: Any) -> ToolRegistry:
    route = Route(name="r", tool="*", approvers=("role:approver",), ttl=100.0, **changes)
    return registry_with(made(Ran(), mutating=True), clock=clock, routes=Routes([route]))


async def kinds(registry: ToolRegistry) -> list[str]:
    """Return the kinds of the jobs that wait."""
    async with registry.record.transaction() as tx:
        found = []
        while claimed := await tx.jobs.claim("w", now=9e12, lease_until=9e12 + 1, limit=9):
            found += [one.job.kind for one in claimed]
            for one in claimed:
                await tx.jobs.finish(one.id, "w")
    return [kind for kind in found if kind in (REMIND, SAY_ESCALATED)]


async def test_a_question_is_recalled_once_whoever_sweeps() -> None:
    clock = FakeClock()
    registry = asking(clock, remind=10.0)
    await registry.call("wipe", {}, by_ana())
    early = await registry.sweep()
    clock.advance(10)

    swept = await asyncio.gather(*(registry.sweep() for _ in range(5)))

    assert early.reminded == 0
    assert sum(one.reminded for one in swept) == 1
    assert await kinds(registry) == [REMIND]


async def test_all_that_are_due_together_are_one_reminder() -> None:
    clock = FakeClock()
    registry = asking(clock, remind=10.0)
    for number in range(30):
        await registry.call("wipe", {"n": number}, by_ana())
    clock.advance(50)

    swept = await registry.sweep()

    assert swept.reminded == 30
    assert await kinds(registry) == [REMIND]


async def test_a_leap_over_both_alarms_escalates_and_recalls_nothing() -> None:
    clock = FakeClock()
    registry = asking(clock, remind=10.0, escalation=LATER)
    await registry.call("wipe", {}, by_ana())
    clock.advance(50)

    swept = [await registry.sweep() for _ in range(3)]

    assert [(one.reminded, one.escalated) for one in swept] == [(0, 1), (0, 0), (0, 0)]
    assert await kinds(registry) == [SAY_ESCALATED]
    assert (await newest_question(registry.record)).escalated_at == clock.now()


async def test_a_leap_over_the_end_recalls_nothing_and_escalates_nothing() -> None:
    clock = FakeClock()
    registry = asking(clock, remind=10.0, escalation=LATER)
    await registry.call("wipe", {}, by_ana())
    clock.advance(1000)

    swept = await registry.sweep()

    assert (swept.expired, swept.reminded, swept.escalated) == (1, 0, 0)


async def test_listeners_hear_once_that_a_verification_was_escalated() -> None:
    clock, dispatcher = FakeClock(), EventDispatcher()
    heard: list[Any] = []
    dispatcher.subscribe("verification.escalated", heard.append)
    route = Route(name="r", tool="*", approvers=("role:approver",), escalation=LATER)
    registry = registry_with(
        made(Ran(), mutating=True), clock=clock, routes=Routes([route]), dispatcher=dispatcher
    )
    asked = await registry.call("wipe", {}, by_ana())
    clock.advance(20)

    await asyncio.gather(*(registry.sweep() for _ in range(3)))

    assert [event.get_request_id() for event in heard] == [asked.data["request_id"]]
    assert heard[0].get_result().outcome == "pending"


async def test_a_sweep_looks_alarms_up_and_scans_no_questions(tmp_path: Path) -> None:
    path = tmp_path / "comal.db"
    record = SqliteRecord(path, clock=FakeClock())
    async with record.transaction():
        pass
    await record.aclose()
    asked: list[str] = []
    connection = sqlite3.connect(path)
    async with memory_record(clock=FakeClock()).reading() as stored:
        stored.alarms._sql = _Listening(asked)  # type: ignore[assignment]
        await stored.alarms.reminders(now=1.0, limit=9)
        await stored.alarms.escalations(now=1.0, limit=9)
        await stored.alarms.recalled("r", now=1.0)
        await stored.alarms.verifications(after=("", 0.0), limit=9)

    plans = [_plan(connection, query) for query in asked]
    connection.close()

    used = ["questions_remind", "questions_escalate", "questions_reminder", "questions_open"]
    assert len(plans) == len(used)
    for plan, index in zip(plans, used, strict=True):
        assert plan.startswith(f"SEARCH questions USING INDEX {index} (")


class _Listening:
    """Hears queries and finds nothing."""

    def __init__(self, asked: list[str]) -> None:
        self._asked = asked

    async def all(self, query: str, params: object) -> list[object]:
        self._asked.append(query)
        return []


def _plan(connection: sqlite3.Connection, query: str) -> str:
    names = {"now": 1, "limit": 1, "reminder": "r", "at": 1, "id": ""}
    return str(connection.execute(f"EXPLAIN QUERY PLAN {query}", names).fetchone()[3])
