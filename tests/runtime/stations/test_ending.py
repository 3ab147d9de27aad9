"""The end of an act is stored, whenever that becomes possible."""

import asyncio

import pytest

from comal_runtime.record import ActState, memory_record
from comal_runtime.result import ErrorCode
from comal_runtime.testing import FakeClock

from .arranging import LosableRecord, eventually, in_code, key, made, only_act, registry_with


@pytest.mark.parametrize(("past", "state"), [(0, ActState.DONE), (36, ActState.DONE_LATE)])
async def test_an_end_that_could_not_be_stored_is_stored_and_told_once_the_store_is_back(
    monkeypatch: pytest.MonkeyPatch, past: float, state: ActState
) -> None:
    monkeypatch.setattr("comal_runtime.stations.ending._AGAIN", 0.02)
    monkeypatch.setattr("comal_runtime.stations.lasting._FIRST_PAUSE", 0.02)
    clock = FakeClock()
    record = LosableRecord(memory_record(clock=clock, hosted=True))

    async def body() -> str:
        record.gone = True
        return "wiped"

    registry = registry_with(made(body, mutating=True, timeout=30), clock=clock, record=record)
    result = await registry.call("wipe", {}, in_code(call_key=key()))
    await asyncio.sleep(0.05)  # a second try fails too
    clock.advance(past)
    record.gone = False

    await eventually(lambda: not registry._deps.late)

    act = await only_act(registry)
    assert result.code == ErrorCode.OUTCOME_UNKNOWN
    assert act.state is state
    assert '"data": "wiped"' in str(act.result)
    async with record.reading() as stored:
        assert await stored.jobs.count() == 1


async def test_an_async_callback_that_ignores_its_limit_ends_late(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("comal_runtime.invoke._STOPPING", 0.01)
    goes_on = asyncio.Event()

    async def body() -> str:
        while not goes_on.is_set():
            try:
                await goes_on.wait()
            except asyncio.CancelledError:
                continue
        return "wiped"

    registry = registry_with(made(body, mutating=True, timeout=0.02))
    result = await registry.call("wipe", {}, in_code(call_key=key()))
    before = (await only_act(registry)).state
    goes_on.set()
    await eventually(lambda: not registry._deps.late)

    assert (result.code, result.meta["still_running"]) == (ErrorCode.OUTCOME_UNKNOWN, True)
    assert (before, (await only_act(registry)).state) == (ActState.UNKNOWN, ActState.DONE_LATE)
