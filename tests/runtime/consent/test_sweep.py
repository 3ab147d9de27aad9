"""The sweep ends what nobody ended, each thing once."""

import asyncio
from typing import Any

import pytest

from comal_runtime.events import EventDispatcher
from comal_runtime.record import QuestionState
from comal_runtime.testing import FakeClock

from ..stations.arranging import Ran, by_ana, made, newest_question, registry_with, routes


async def test_a_question_expires_when_its_time_is_over_and_is_told_once() -> None:
    clock = FakeClock()
    registry = registry_with(made(Ran(), mutating=True), clock=clock)
    await registry.call("wipe", {}, by_ana())
    async with registry.record.reading() as stored:
        before = await stored.jobs.count()

    early = await registry.sweep()
    clock.advance(60)
    swept = await asyncio.gather(*(registry.sweep() for _ in range(5)))

    async with registry.record.reading() as stored:
        assert await stored.jobs.count() == before + 1
    assert early.expired == 0
    assert sum(one.expired for one in swept) == 1
    assert (await newest_question(registry.record)).state is QuestionState.EXPIRED


async def test_one_sweep_ends_more_questions_than_go_into_one_transaction() -> None:
    clock = FakeClock()
    registry = registry_with(made(Ran(), mutating=True), clock=clock)
    for number in range(230):
        await registry.call("wipe", {"n": number}, by_ana(principal=f"telegram:{number}"))
    clock.advance(61)

    counts = [(await registry.sweep()).expired for _ in range(2)]

    assert counts == [230, 0]


async def test_an_idle_sweep_opens_no_transaction() -> None:
    registry = registry_with()
    heard: list[bool] = []
    registry.record.on_work(lambda: heard.append(True))

    swept = await registry.sweep()

    assert (swept.expired, swept.void, swept.unknown) == (0, 0, 0)
    assert heard == []


@pytest.mark.runtime_line(39)
async def test_listeners_hear_once_of_expired_verifications_and_of_no_confirmation() -> None:
    clock, dispatcher = FakeClock(), EventDispatcher()
    heard: list[Any] = []
    dispatcher.subscribe("verification.*", heard.append)
    registry = registry_with(
        made(Ran(), mutating=True),
        made(Ran(), "other", confirm=True),
        clock=clock,
        routes=routes(),
        dispatcher=dispatcher,
    )
    asked = await registry.call("wipe", {}, by_ana())
    await registry.call("other", {}, by_ana())
    clock.advance(24 * 3600)

    await asyncio.gather(*(registry.sweep() for _ in range(3)))

    assert [event.name for event in heard] == ["verification.requested", "verification.expired"]
    assert heard[1].get_request_id() == asked.data["request_id"]
    assert heard[1].get_result().outcome == "failed"
