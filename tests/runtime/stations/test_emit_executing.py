"""Listeners: heard after every gate, believed for reads, never for what changes something."""

import asyncio
from typing import Any

import pytest

from comal_runtime.events import EventDispatcher
from comal_runtime.result import ErrorCode
from comal_runtime.testing import FakeClock

from .arranging import Ran, answered, by_ana, consent_to, decisions, in_code, made, registry_with


def heard_by(dispatcher: EventDispatcher) -> list[Any]:
    heard: list[Any] = []
    dispatcher.subscribe("tool.*", heard.append)
    return heard


@pytest.mark.parametrize("mutating", [False, True])
async def test_a_call_is_announced_before_and_after_it_ran(mutating: bool) -> None:
    dispatcher, ran = EventDispatcher(), Ran()
    heard = heard_by(dispatcher)
    registry = registry_with(made(ran, mutating=mutating), dispatcher=dispatcher)

    result = await registry.call("wipe", {"a": 1}, in_code())

    assert [event.name for event in heard] == ["tool.executing", "tool.executed"]
    assert heard[1].result.data == result.data == "done"
    assert heard[1].arguments == {"a": 1}
    assert not heard[1].cache_served


@pytest.mark.parametrize("mutating", [False, True])
async def test_a_raising_tool_is_announced_as_failed(mutating: bool) -> None:
    async def breaks() -> None:
        raise ConnectionError("gone")

    dispatcher = EventDispatcher()
    heard = heard_by(dispatcher)
    registry = registry_with(made(breaks, mutating=mutating), dispatcher=dispatcher)

    await registry.call("wipe", {}, in_code())

    assert [event.name for event in heard] == ["tool.executing", "tool.failed"]
    assert isinstance(heard[1].error, ConnectionError)


async def test_a_tool_that_took_too_long_is_announced_as_failed() -> None:
    async def hangs() -> None:
        await asyncio.Event().wait()

    dispatcher = EventDispatcher()
    heard = heard_by(dispatcher)
    registry = registry_with(made(hangs, timeout=0.01), dispatcher=dispatcher)

    await registry.call("wipe", {}, in_code())

    assert heard[1].name == "tool.failed"
    assert isinstance(heard[1].error, TimeoutError)


async def test_an_answer_in_a_reading_tools_place_is_served_and_said() -> None:
    dispatcher, ran = EventDispatcher(), Ran()
    dispatcher.subscribe("tool.executing", lambda event: event.slot.short_circuit({"cached": 1}))
    heard = heard_by(dispatcher)
    registry = registry_with(made(ran), dispatcher=dispatcher)

    result = await registry.call("wipe", {}, in_code())

    assert (result.data, result.meta["cache_served"]) == ({"cached": 1}, True)
    assert ran.calls == []
    assert [(event.name, event.cache_served) for event in heard] == [("tool.executed", True)]


async def test_an_answer_in_a_changing_tools_place_is_refused_before_and_after_a_yes() -> None:
    dispatcher, ran, clock = EventDispatcher(), Ran(), FakeClock()
    dispatcher.subscribe("tool.executing", lambda event: event.slot.short_circuit("cached"))
    registry = registry_with(
        made(ran, mutating=True),
        made(ran, "asks", confirm=True),
        dispatcher=dispatcher,
        clock=clock,
    )
    changing = await registry.call("wipe", {}, in_code())
    await registry.call("asks", {}, by_ana())
    await answered(registry, clock, by="telegram:1")

    confirmed = await registry.call("asks", {}, by_ana(consent=await consent_to(registry)))

    for result in (changing, confirmed):
        assert result.type == "blocked"
        assert result.code == ErrorCode.FORBIDDEN
        assert result.data is None
    assert ran.calls == []
    assert (await decisions(registry)).count("short_circuit_refused") == 2


async def test_a_listener_that_raises_stops_the_call() -> None:
    dispatcher, ran = EventDispatcher(), Ran()

    def broken(event: Any) -> None:
        raise RuntimeError("secret of the listener")

    dispatcher.subscribe("tool.executing", broken)
    registry = registry_with(made(ran), dispatcher=dispatcher)

    result = await registry.call("wipe", {}, in_code())

    assert result.type == "blocked"
    assert "secret" not in result.to_json()
    assert ran.calls == []
    assert await decisions(registry) == ["listener_failed"]


async def test_a_listener_that_never_ends_stops_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    dispatcher, ran, asked = EventDispatcher(), Ran(), asyncio.Event()

    async def endless(event: Any) -> None:
        asked.set()
        await asyncio.Event().wait()

    dispatcher.subscribe("tool.executing", endless)
    registry = registry_with(made(ran), dispatcher=dispatcher)
    calling = asyncio.ensure_future(registry.call("wipe", {}, in_code()))
    await asked.wait()
    later = asyncio.get_running_loop().time() + 60
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: later)

    result = await asyncio.wait_for(calling, 5)

    assert result.type == "blocked"
    assert ran.calls == []


async def test_a_listener_that_raises_after_the_fact_changes_nothing() -> None:
    dispatcher, ran = EventDispatcher(), Ran()
    heard: list[str] = []

    def broken(event: Any) -> None:
        raise RuntimeError("late")

    dispatcher.subscribe("tool.executed", broken, priority=9)
    dispatcher.subscribe("tool.executed", lambda event: heard.append("second"))
    registry = registry_with(made(ran, mutating=True), dispatcher=dispatcher)

    result = await registry.call("wipe", {}, in_code())

    assert result.data == "done"
    assert heard == ["second"]
