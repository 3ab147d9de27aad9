"""Events: order, patterns, and what a listener may and may not do to a call."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass
from typing import Any

import pytest

from comal_runtime.context import ToolContext
from comal_runtime.events import (
    EventDispatcher,
    InterceptionSlot,
    ToolExecuted,
    ToolExecuting,
    ToolFailed,
)
from comal_runtime.result import ToolResult
from comal_runtime.tools import Tool


@dataclass(frozen=True)
class Named:
    """An event that is nothing but its name."""

    name: str


def wipe() -> Tool:
    return Tool(
        name="wipe",
        description="Wipe.",
        input_schema={"type": "object", "properties": {}},
        callback=lambda: None,
    )


def executing() -> ToolExecuting:
    return ToolExecuting(tool=wipe(), arguments={}, ctx=ToolContext.cli())


def noting(calls: list[str], name: str) -> Callable[[Any], None]:
    def note(event: Any) -> None:
        calls.append(name)

    return note


@pytest.mark.runtime_line(40)
@pytest.mark.original_fault("EV:exact-before-wild-same-priority")
async def test_higher_priority_is_called_first_then_the_order_of_subscription() -> None:
    dispatcher = EventDispatcher()
    calls: list[str] = []
    dispatcher.subscribe("a.*", noting(calls, "wild"))
    dispatcher.subscribe("a.b", noting(calls, "exact"))
    dispatcher.subscribe("a.b", noting(calls, "first"), priority=5)
    dispatcher.subscribe("a.b", noting(calls, "last"), priority=-1)

    await dispatcher.dispatch(Named("a.b"))

    assert calls == ["first", "wild", "exact", "last"]


@pytest.mark.runtime_line(40)
@pytest.mark.original_fault("EV:wild-regexchars", "EV:wild-newline")
@pytest.mark.parametrize(
    ("pattern", "name", "called"),
    [
        ("verification.*", "verification.granted", True),
        ("verification.*", "verification.a.b", False),
        ("verification.*", "verification.", False),
        ("*.granted", "verification.granted", True),
        ("tool.exec*", "tool.executed", True),
        ("*", "boot", True),
        ("*", "a.b", False),
        ("a+.b", "aa.b", False),
        ("a.b", "axb", False),
        ("a.b", "a.b\n", False),
        ("a.*", "a.b\n", False),
    ],
)
async def test_a_star_stands_for_one_part_of_a_name_and_nothing_else_is_special(
    pattern: str, name: str, called: bool
) -> None:
    dispatcher = EventDispatcher()
    calls: list[str] = []
    dispatcher.subscribe(pattern, noting(calls, "x"))

    await dispatcher.dispatch(Named(name))

    assert bool(calls) is called
    assert dispatcher.has_listeners(name) is called


@pytest.mark.runtime_line(40)
@pytest.mark.original_fault("EV:same-handler-exact-and-wild")
async def test_a_handler_that_fits_twice_is_called_once_bound_methods_included() -> None:
    class Listener:
        def __init__(self) -> None:
            self.heard = 0

        async def hear(self, event: Named) -> None:
            self.heard += 1

    dispatcher = EventDispatcher()
    listener = Listener()
    dispatcher.subscribe("a.b", listener.hear)
    dispatcher.subscribe("a.*", listener.hear)

    await dispatcher.dispatch(Named("a.b"))

    assert listener.heard == 1


async def test_a_later_subscription_is_heard_although_the_name_was_asked_before() -> None:
    dispatcher = EventDispatcher()
    assert not dispatcher.has_listeners("a.b")
    calls: list[str] = []

    dispatcher.subscribe("a.b", noting(calls, "x"))
    await dispatcher.dispatch(Named("a.b"))

    assert calls == ["x"]


async def test_after_the_fact_a_listener_that_raises_is_logged_and_the_next_is_called(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def bad(event: Named) -> None:
        raise ValueError("mine")

    dispatcher = EventDispatcher()
    calls: list[str] = []
    dispatcher.subscribe("tool.executed", bad)
    dispatcher.subscribe("tool.executed", noting(calls, "good"))

    with caplog.at_level(logging.ERROR):
        await dispatcher.dispatch(Named("tool.executed"))

    assert calls == ["good"]
    (record,) = caplog.records
    assert record.getMessage() == "event.listener_failed"
    assert record.__dict__["listener"].endswith("bad")


async def test_before_the_fact_a_listener_that_raises_stops_everything() -> None:
    async def bad(event: ToolExecuting) -> None:
        raise ValueError("mine")

    dispatcher = EventDispatcher()
    calls: list[str] = []
    dispatcher.subscribe("tool.executing", bad)
    dispatcher.subscribe("tool.executing", noting(calls, "next"))

    with pytest.raises(ValueError, match="mine"):
        await dispatcher.dispatch(executing())

    assert calls == []


async def test_a_listener_that_stops_the_call_is_named_and_later_ones_are_not_asked() -> None:
    def veto(event: ToolExecuting) -> None:
        event.slot.stop("not on Fridays")

    dispatcher = EventDispatcher()
    calls: list[str] = []
    dispatcher.subscribe("tool.executing", noting(calls, "late"))
    dispatcher.subscribe("tool.*", veto, priority=1)
    event = executing()

    await dispatcher.dispatch(event)

    slot = event.slot
    assert (slot.is_stopped, slot.has_result, slot.reason) == (True, False, "not on Fridays")
    assert slot.listener is not None
    assert slot.listener.endswith("veto")
    assert calls == []


@pytest.mark.runtime_line(38)
async def test_a_short_circuit_gives_result_and_stop_together() -> None:
    async def cached(event: ToolExecuting) -> None:
        event.slot.short_circuit(None)

    dispatcher = EventDispatcher()
    dispatcher.subscribe("tool.executing", cached)
    event = executing()

    await dispatcher.dispatch(event)

    assert (event.slot.is_stopped, event.slot.has_result, event.slot.result) == (True, True, None)


async def test_an_untouched_slot_lets_every_listener_hear_and_the_call_go_on() -> None:
    dispatcher = EventDispatcher()
    calls: list[str] = []
    dispatcher.subscribe("tool.executing", noting(calls, "a"))
    dispatcher.subscribe("tool.executing", noting(calls, "b"))
    event = executing()

    await dispatcher.dispatch(event)

    assert calls == ["a", "b"]
    assert not event.slot.is_stopped
    assert event.slot.listener is None


@pytest.mark.runtime_line(38)
def test_a_slot_is_decided_once() -> None:
    slot = InterceptionSlot()
    slot.stop()

    with pytest.raises(RuntimeError, match="already"):
        slot.short_circuit("other")

    assert not slot.has_result


async def test_a_decision_after_the_listeners_were_asked_is_refused() -> None:
    event = executing()
    await EventDispatcher().dispatch(event)

    with pytest.raises(RuntimeError, match="while handling"):
        event.slot.stop()

    assert not event.slot.is_stopped


@pytest.mark.runtime_line(38)
def test_events_are_frozen_and_do_not_print_arguments() -> None:
    event = ToolExecuted(
        tool=wipe(),
        arguments={"text": "private"},
        ctx=ToolContext.cli(),
        result=ToolResult.success(1),
        cache_served=True,
    )

    with pytest.raises(FrozenInstanceError):
        event.cache_served = False  # type: ignore[misc]  # the mistake under test

    assert "private" not in repr(event)


@pytest.mark.runtime_line(38)
def test_events_are_called_as_the_specification_calls_them() -> None:
    names = [event.name for event in (ToolExecuting, ToolExecuted, ToolFailed)]

    assert names == ["tool.executing", "tool.executed", "tool.failed"]


class TestSubscribing:
    """By a decorator or by hand, and until it is ended."""

    async def test_a_decorated_function_hears_and_stays_itself(self) -> None:
        dispatcher, calls = EventDispatcher(), list[str]()

        @dispatcher.on("tool.*", priority=3)
        async def hear(event: Named) -> None:
            calls.append(event.name)

        await dispatcher.dispatch(Named("tool.executed"))

        assert calls == ["tool.executed"]
        assert asyncio.iscoroutinefunction(hear)

    async def test_what_was_unsubscribed_hears_nothing_and_the_rest_does(self) -> None:
        dispatcher, calls = EventDispatcher(), list[str]()
        gone = dispatcher.subscribe("a.b", noting(calls, "gone"))
        dispatcher.subscribe("a.b", noting(calls, "stays"))
        assert dispatcher.has_listeners("a.b")

        gone()
        gone()
        await dispatcher.dispatch(Named("a.b"))

        assert calls == ["stays"]
