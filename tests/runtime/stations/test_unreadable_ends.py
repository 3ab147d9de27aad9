"""A tool has run, and what it gave cannot be read: the act still ends, and that is said."""

from collections.abc import Callable
from typing import Any

import pytest

from comal_runtime.errors import ToolError
from comal_runtime.events import EventDispatcher
from comal_runtime.record import ActState
from comal_runtime.result import ErrorCode, ToolResult

from .arranging import Ran, decisions, in_code, made, only_act, registry_with


def fails(*_: object) -> Any:
    raise RuntimeError("the author's own fault")


class Unreadable(ToolResult):
    """A result of the author's own that raises when it is looked at."""

    success: Any = property(fails)


class Unsayable(ToolError):
    """An error of the author's own whose text raises."""

    message: Any = property(fails, lambda self, value: None)


class NotItsKind:
    """What raises when it is asked what it is."""

    __class__: Any = property(fails)


class ForeignWait:
    """What another library than asyncio waits for."""

    def __await__(self) -> Any:
        yield 42


class NoText:
    """What cannot be turned into text."""

    def __str__(self) -> str:
        raise RuntimeError("no text")


async def gives_an_unreadable_result() -> ToolResult:
    return Unreadable(True)


async def raises_an_unsayable_error() -> None:
    raise Unsayable("x")


async def gives_what_has_no_kind() -> object:
    return NotItsKind()


async def waits_for_what_asyncio_does_not_know() -> None:
    await ForeignWait()


def gives_an_unreadable_result_from_a_thread() -> ToolResult:
    return Unreadable(True)


@pytest.mark.runtime_line(32, 33, 37)
@pytest.mark.parametrize(
    "body",
    [
        gives_an_unreadable_result,
        gives_an_unreadable_result_from_a_thread,
        gives_what_has_no_kind,
        raises_an_unsayable_error,
        waits_for_what_asyncio_does_not_know,
    ],
)
async def test_an_act_whose_end_cannot_be_read_is_unknown_and_not_left_running(
    body: Callable[[], object],
) -> None:
    registry = registry_with(made(body, mutating=True))

    result = await registry.call("wipe", {}, in_code())

    assert result.code == ErrorCode.OUTCOME_UNKNOWN
    assert (await only_act(registry)).state is ActState.UNKNOWN
    assert await decisions(registry) == ["act_unknown"]


@pytest.mark.runtime_line(11, 34)
async def test_a_listeners_answer_that_cannot_be_read_ends_the_call_and_no_more() -> None:
    dispatcher, ran = EventDispatcher(), Ran()
    evil = ToolResult(True, 1, meta={"type": NoText()})
    dispatcher.subscribe("tool.executing", lambda event: event.slot.short_circuit(evil))
    registry = registry_with(made(ran), dispatcher=dispatcher)

    result = await registry.call("wipe", {}, in_code())

    assert (result.data, result.type, ran.calls) == (1, "generic", [])
    assert await decisions(registry) == ["cache_served"]


async def test_an_act_for_which_there_is_no_thread_was_not_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refused(self: object) -> None:
        raise RuntimeError("can't start new thread")

    registry = registry_with(made(lambda: None, mutating=True))
    monkeypatch.setattr("threading.Thread.start", refused)

    result = await registry.call("wipe", {}, in_code())

    assert result.code == ErrorCode.INTERNAL_ERROR
    assert (await only_act(registry)).state is ActState.FAILED
