"""Running a tool's own code, wherever it has to run, under its time limit."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable
from functools import partial, wraps
from typing import Any

import pytest

from comal_runtime.callables import way_of
from comal_runtime.errors import ToolError
from comal_runtime.invoke import (
    CalledOff,
    Ending,
    Raised,
    Returned,
    TimedOut,
    invoke,
    wrapped,
)
from comal_runtime.progress import Progress
from comal_runtime.result import ToolResult


async def run(
    callback: Callable[..., object], timeout: float = 5, **keywords: Any
) -> tuple[Ending, list[Progress]]:
    told: list[Progress] = []
    way = way_of(callback)
    came = invoke(callback, keywords, way=way, timeout=timeout, report=told.append)
    return came if isinstance(came, Returned | Raised) else await came, told


async def as_async(n: int) -> int:
    return n + 1


def as_sync(n: int) -> int:
    return n + 1


class AsObject:
    async def __call__(self, n: int) -> int:
        return n + 1


async def as_stream(n: int) -> AsyncIterator[object]:
    yield Progress(text="half", done=1, total=2)
    yield n
    yield n + 1


@wraps(as_stream)
def as_wrapped_stream(n: int) -> object:
    return as_stream(n)


@pytest.mark.parametrize(
    "callback",
    [
        *(as_async, as_sync, AsObject(), as_stream, partial(as_async), partial(as_sync)),
        as_wrapped_stream,
    ],
)
async def test_every_kind_of_callback_returns_its_last_value(
    callback: Callable[..., object],
) -> None:
    ending, _ = await run(callback, n=1)

    assert ending == Returned(2)


@pytest.mark.parametrize("callback", [as_stream, as_wrapped_stream])
async def test_a_stream_reports_on_the_way(callback: Callable[..., object]) -> None:
    _, told = await run(callback, n=1)

    assert [part.text for part in told] == ["half"]


async def test_a_generator_that_a_tool_gives_is_no_result() -> None:
    ending, _ = await run(lambda: (number for number in range(3)))

    assert isinstance(ending, Raised)
    assert "generator" in str(ending.error)


async def test_a_sync_callback_blocks_nobody() -> None:
    goes_on = threading.Event()
    running = asyncio.ensure_future(run(lambda: goes_on.wait(5)))
    await asyncio.sleep(0.01)

    assert not running.done()
    goes_on.set()
    ending, _ = await running
    assert ending == Returned(True)


async def test_a_hung_thread_keeps_no_other_from_running() -> None:
    goes_on = threading.Event()
    for _ in range(40):
        ending, _ = await run(lambda: goes_on.wait(30), timeout=0)
        assert isinstance(ending, TimedOut)

    ending, _ = await run(as_sync, n=1)

    assert ending == Returned(2)
    goes_on.set()


async def test_an_async_callback_is_cancelled_at_its_limit() -> None:
    cancelled: list[bool] = []

    async def hangs() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.append(True)
            raise

    ending, _ = await run(hangs, timeout=0.01)

    assert ending == TimedOut(None)
    assert cancelled == [True]


async def test_a_thread_past_its_limit_still_tells_how_it_ended() -> None:
    def slow() -> str:
        time.sleep(0.05)
        return "late"

    ending, _ = await run(slow, timeout=0.01)

    assert isinstance(ending, TimedOut)
    assert ending.running is not None
    assert await ending.running == Returned("late")


async def test_a_timeout_of_the_tools_own_is_not_its_limit() -> None:
    async def impatient() -> None:
        async with asyncio.timeout(0):
            await asyncio.sleep(1)

    ending, _ = await run(impatient)

    assert isinstance(ending, Raised)
    assert isinstance(ending.error, TimeoutError)


@pytest.mark.parametrize("kind", ["async", "sync", "stream"])
async def test_what_a_callback_raises_is_an_ending(kind: str) -> None:
    async def raising() -> None:
        raise ToolError("no")

    def raising_sync() -> None:
        raise ToolError("no")

    async def raising_stream() -> AsyncIterator[int]:
        yield 1
        raise ToolError("no")

    callbacks = {"async": raising, "sync": raising_sync, "stream": raising_stream}
    ending, _ = await run(callbacks[kind])

    assert isinstance(ending, Raised)
    assert ending.applied_nothing


async def test_keywords_that_do_not_fit_mean_that_nothing_ran() -> None:
    ending, _ = await run(as_async, nonsense=1)

    assert isinstance(ending, Raised)
    assert ending.applied_nothing


async def test_cancelling_the_caller_cancels_the_callback() -> None:
    started, cancelled = asyncio.Event(), asyncio.Event()

    async def hangs() -> None:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    running = asyncio.ensure_future(run(hangs))
    await started.wait()
    running.cancel()

    ending, _ = await running
    assert ending == CalledOff()
    assert cancelled.is_set()


async def test_a_cancellation_from_within_is_the_tools_failure() -> None:
    async def awaits_a_cancelled_task() -> None:
        task = asyncio.ensure_future(asyncio.sleep(5))
        task.cancel()
        await task

    ending, _ = await run(awaits_a_cancelled_task)

    assert isinstance(ending, Raised)
    assert not ending.applied_nothing


def test_a_bare_value_becomes_a_success_and_a_result_stays() -> None:
    result = ToolResult.success(1, meta={"mine": 2})

    assert wrapped({"a": 1}) == ToolResult.success({"a": 1})
    assert wrapped(None) == ToolResult.success(None)
    assert wrapped(result) is result
