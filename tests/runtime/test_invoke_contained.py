"""What the author's code does to end everything, or not to end, stays within its call."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from contextvars import ContextVar

import pytest

from comal_runtime.invoke import (
    CalledOff,
    Ending,
    ForeignCancellation,
    ForeignExit,
    Raised,
    Returned,
    TimedOut,
)

from .test_invoke import run


class Odd(BaseException):
    """What no `except Exception` catches."""


@pytest.mark.parametrize("kind", ["async", "sync", "stream"])
@pytest.mark.parametrize("error", [SystemExit(3), KeyboardInterrupt(), GeneratorExit(), Odd()])
async def test_a_callback_that_ends_everything_ends_only_itself(
    kind: str, error: BaseException
) -> None:
    async def exits() -> None:
        raise error

    def exits_sync() -> None:
        raise error

    async def exits_stream() -> AsyncIterator[int]:
        yield 1
        raise error

    callbacks = {"async": exits, "sync": exits_sync, "stream": exits_stream}
    ending, _ = await run(callbacks[kind])

    assert isinstance(ending, Raised)
    assert isinstance(ending.error, ForeignExit)
    assert not ending.applied_nothing


async def test_a_callback_that_cancels_its_own_task_cancels_nobody_else() -> None:
    async def cancels_itself() -> None:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        await asyncio.sleep(1)

    ending, _ = await run(cancels_itself)

    own = asyncio.current_task()
    assert isinstance(ending, Raised)
    assert isinstance(ending.error, ForeignCancellation)
    assert own is not None
    assert own.cancelling() == 0


async def stubborn(goes_on: asyncio.Event) -> str:
    while not goes_on.is_set():
        try:
            await goes_on.wait()
        except asyncio.CancelledError:
            continue
    return "late"


async def test_an_async_callback_that_ignores_its_limit_is_left_running(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("comal_runtime.invoke._STOPPING", 0.01)
    goes_on = asyncio.Event()

    ending, _ = await run(stubborn, timeout=0.01, goes_on=goes_on)

    assert isinstance(ending, TimedOut)
    assert ending.running is not None
    goes_on.set()
    assert await ending.running == Returned("late")


async def test_a_called_off_callback_that_goes_on_still_tells_how_it_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("comal_runtime.invoke._STOPPING", 0.01)
    goes_on = asyncio.Event()
    running = asyncio.ensure_future(run(stubborn, goes_on=goes_on))
    await asyncio.sleep(0.01)
    running.cancel()

    ending, _ = await running

    assert isinstance(ending, CalledOff)
    assert ending.running is not None
    goes_on.set()
    assert await ending.running == Returned("late")


async def cancelled_before(body: Callable[..., object]) -> Ending:
    task = asyncio.current_task()
    assert task is not None
    task.cancel()
    ending, _ = await run(body)
    task.uncancel()
    return ending


async def test_a_call_cancelled_while_its_callback_ends_tells_how_it_ended() -> None:
    async def body() -> str:
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        return "done"

    ending = await asyncio.ensure_future(cancelled_before(body))

    assert ending == CalledOff(Returned("done"))


async def test_a_callback_that_waits_for_nothing_is_over_before_a_cancellation_comes() -> None:
    endings: list[Ending] = []

    async def body() -> str:
        return "done"

    async def calling() -> None:
        endings.append(await cancelled_before(body))
        await asyncio.sleep(0)

    with pytest.raises(asyncio.CancelledError):
        await asyncio.ensure_future(calling())
    assert endings == [Returned("done")]


SAID: ContextVar[str] = ContextVar("said", default="nothing")


async def said_async() -> str:
    return SAID.get()


@pytest.mark.parametrize("callback", [said_async, SAID.get])
async def test_a_callback_sees_the_context_variables_of_its_caller(
    callback: Callable[..., object],
) -> None:
    SAID.set("hello")

    ending, _ = await run(callback)

    assert ending == Returned("hello")
