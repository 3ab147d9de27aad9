"""Listeners: heard after every gate, believed for reads, never for what changes something."""

import asyncio
from typing import Any

import pytest

from comal_runtime.events import EventDispatcher
from comal_runtime.rate_limit import GcraRateLimiter
from comal_runtime.result import ErrorCode
from comal_runtime.testing import FakeClock

from .arranging import (
    Ran,
    answered,
    by_ana,
    consent_to,
    decisions,
    in_code,
    made,
    registry_with,
)


def heard_by(dispatcher: EventDispatcher) -> list[Any]:
    heard: list[Any] = []
    dispatcher.subscribe("tool.*", heard.append)
    return heard


@pytest.mark.runtime_line(30, 38)
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


@pytest.mark.runtime_line(38)
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


@pytest.mark.runtime_line(31)
@pytest.mark.original_fault("RC:shortcircuit-raw", "RC:shortcircuit-toolresult")
async def test_an_answer_in_a_reading_tools_place_is_served_and_said() -> None:
    dispatcher, ran = EventDispatcher(), Ran()
    dispatcher.subscribe("tool.executing", lambda event: event.slot.short_circuit({"cached": 1}))
    heard = heard_by(dispatcher)
    registry = registry_with(made(ran), dispatcher=dispatcher)

    result = await registry.call("wipe", {}, in_code())

    assert (result.data, result.meta["cache_served"]) == ({"cached": 1}, True)
    assert result.meta["tool"] == "wipe"
    assert ran.calls == []
    assert [(event.name, event.cache_served) for event in heard] == [("tool.executed", True)]


@pytest.mark.runtime_line(31)
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


@pytest.mark.runtime_line(31)
@pytest.mark.original_fault("RC:listener-throws-fail-open")
async def test_a_listener_that_raises_stops_the_call() -> None:
    dispatcher, ran = EventDispatcher(), Ran()

    def broken(event: Any) -> None:
        raise RuntimeError("secret of the listener")

    dispatcher.subscribe("tool.executing", broken)
    registry = registry_with(made(ran), dispatcher=dispatcher)

    result = await registry.call("wipe", {}, in_code())

    assert result.type == "blocked"
    assert "broken" in str(result.error)
    assert "secret" not in result.to_json()
    assert ran.calls == []
    assert await decisions(registry) == ["listener_failed"]


@pytest.mark.runtime_line(31)
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


@pytest.mark.runtime_line(36)
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


@pytest.mark.runtime_line(31)
@pytest.mark.original_fault("RC:veto")
@pytest.mark.parametrize("mutating", [False, True])
async def test_a_veto_has_a_code_and_names_its_listener(mutating: bool) -> None:
    dispatcher, ran = EventDispatcher(), Ran()

    def not_on_fridays(event: Any) -> None:
        event.slot.stop("it is Friday")

    dispatcher.subscribe("tool.executing", not_on_fridays)
    registry = registry_with(made(ran, mutating=mutating), dispatcher=dispatcher)

    result = await registry.call("wipe", {}, in_code())

    assert (result.type, result.code) == ("blocked", ErrorCode.FORBIDDEN)
    assert "not_on_fridays: it is Friday" in str(result.error)
    assert str(result.meta["listener"]).endswith("not_on_fridays")
    assert ran.calls == []
    assert await decisions(registry) == ["vetoed"]


@pytest.mark.runtime_line(30)
@pytest.mark.parametrize(
    "why",
    ["unknown tool", "unfit arguments", "missing scope", "rate limit", "plan mode", "unconfirmed"],
)
async def test_a_call_that_did_not_pass_every_gate_is_never_announced(why: str) -> None:
    dispatcher = EventDispatcher()
    heard = heard_by(dispatcher)
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
    registry = registry_with(
        made(Ran(), schema=schema, scopes=("disk",)),
        made(Ran(), "asks", confirm=True),
        dispatcher=dispatcher,
        limiter=GcraRateLimiter(1, 60),
    )
    ctx = in_code(scopes=("disk",))
    if why == "rate limit":
        await registry.call("wipe", {}, ctx)
        heard.clear()
    name = {"unknown tool": "no", "unconfirmed": "asks"}.get(why, "wipe")
    args = {"n": "x"} if why == "unfit arguments" else {}
    ctx = {"missing scope": in_code(), "plan mode": ctx.as_plan()}.get(why, ctx)

    await registry.call(name, args, ctx)

    assert heard == []


@pytest.mark.runtime_line(38)
async def test_a_listener_cannot_change_what_the_tool_is_called_with() -> None:
    dispatcher, ran = EventDispatcher(), Ran()
    refused: list[Exception] = []

    def meddle(event: Any) -> None:
        for change in (lambda: event.arguments["disks"].append("all"), event.arguments.clear):
            try:
                change()
            except TypeError as error:
                refused.append(error)

    dispatcher.subscribe("tool.executing", meddle)
    registry = registry_with(made(ran, mutating=True), dispatcher=dispatcher)

    await registry.call("wipe", {"disks": ["a"]}, in_code())

    assert len(refused) == 2
    assert ran.calls == [{"disks": ["a"]}]


@pytest.mark.parametrize(("mutating", "answerable"), [(False, True), (True, False)])
async def test_an_event_says_whether_a_listener_may_answer(
    mutating: bool, answerable: bool
) -> None:
    dispatcher = EventDispatcher()
    heard = heard_by(dispatcher)
    registry = registry_with(made(Ran(), mutating=mutating), dispatcher=dispatcher)

    await registry.call("wipe", {}, in_code())

    assert [event.answerable for event in heard] == [answerable, answerable]


async def test_arguments_that_a_tool_made_endless_do_not_spoil_its_result() -> None:
    async def keeps(items: list[Any]) -> str:
        items.append(items)
        return "done"

    dispatcher = EventDispatcher()
    heard = heard_by(dispatcher)
    registry = registry_with(made(keeps, mutating=True), dispatcher=dispatcher)

    result = await registry.call("wipe", {"items": []}, in_code())

    assert result.data == "done"
    assert [event.name for event in heard] == ["tool.executing", "tool.executed"]
    assert heard[1].arguments == {"items": []}


@pytest.mark.runtime_line(8)
@pytest.mark.original_fault("RC:ctx-spoof")
async def test_listeners_and_tools_know_who_calls_whatever_the_arguments_say() -> None:
    dispatcher, ran = EventDispatcher(), Ran()
    heard = heard_by(dispatcher)
    registry = registry_with(made(ran), dispatcher=dispatcher)
    args = {"_ctx": {"principal": "boss"}}

    result = await registry.call("wipe", args, in_code())

    assert [event.ctx.principal for event in heard] == ["cli:ana", "cli:ana"]
    assert result.meta["principal"] == "cli:ana"
    assert ran.calls == [args]
