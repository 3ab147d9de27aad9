"""Beginning a coroutine at once, with a task of its own for the rest."""

import asyncio
import contextvars
from collections.abc import Coroutine
from typing import Any, TypeVar

import pytest

from comal_runtime.eager import Came, begin

COLOUR: contextvars.ContextVar[str] = contextvars.ContextVar("COLOUR", default="none")


T = TypeVar("T")


async def answer() -> int:
    return 7


def waiting(coroutine: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    """Begin work that waits for something, and return its task."""
    task = begin(coroutine)
    assert isinstance(task, asyncio.Task)
    return task


async def test_work_that_waits_for_nothing_has_come_at_once() -> None:
    came = begin(answer())

    assert came == Came(7)


async def test_work_that_waits_is_left_to_a_task() -> None:
    async def work() -> int:
        await asyncio.sleep(0)
        return 7

    task = waiting(work())

    assert await task == 7


async def test_both_halves_of_the_work_see_one_task_which_is_not_the_callers() -> None:
    seen: list[object] = []

    async def work() -> None:
        seen.append(asyncio.current_task())
        await asyncio.sleep(0)
        seen.append(asyncio.current_task())

    task = waiting(work())
    mine = asyncio.current_task()
    await task

    assert seen == [task, task]
    assert mine is not task


async def test_a_time_limit_inside_the_work_cuts_the_work_and_not_its_caller() -> None:
    async def work() -> str:
        try:
            async with asyncio.timeout(0):
                await asyncio.Event().wait()
        except TimeoutError:
            return "cut inside"
        return "never"

    task = waiting(work())

    assert await task == "cut inside"
    assert asyncio.current_task().cancelling() == 0


async def test_a_task_group_begun_in_the_first_step_holds() -> None:
    async def work() -> int:
        async with asyncio.TaskGroup() as group:
            parts = [group.create_task(answer()) for _ in range(3)]
        return sum(part.result() for part in parts)

    task = waiting(work())

    assert await task == 21


async def test_a_cancellation_before_the_tasks_first_step_reaches_the_work() -> None:
    undone: list[str] = []

    async def work() -> str:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            await asyncio.sleep(0)
            undone.append("put back")
            raise
        return "never"

    task = waiting(work())
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    assert undone == ["put back"]


async def test_a_cancellation_cancels_what_the_work_waits_for() -> None:
    inner = asyncio.ensure_future(asyncio.Event().wait())

    async def work() -> None:
        await inner

    task = waiting(work())
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    assert inner.cancelled()


async def test_work_that_ignores_its_cancellation_goes_on() -> None:
    async def work() -> str:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return "no"
        return "never"

    task = waiting(work())
    task.cancel()

    assert await task == "no"


async def test_a_future_that_others_wait_for_meanwhile_still_wakes_the_work() -> None:
    shared: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def work() -> int:
        return await shared

    first, second = waiting(work()), waiting(work())
    shared.set_result(7)

    assert await shared == 7
    assert [await first, await second] == [7, 7]


async def test_what_the_first_step_raises_comes_out() -> None:
    async def work() -> None:
        raise LookupError("nothing here")

    with pytest.raises(LookupError):
        begin(work())


async def test_context_variables_are_seen_and_what_is_set_stays_inside() -> None:
    COLOUR.set("red")

    async def work() -> tuple[str, str]:
        before = COLOUR.get()
        COLOUR.set("blue")
        await asyncio.sleep(0)
        return before, COLOUR.get()

    assert await waiting(work()) == ("red", "blue")
    assert COLOUR.get() == "red"


async def test_work_begun_inside_work_leaves_the_outer_task_current() -> None:
    async def inner() -> object:
        return asyncio.current_task()

    async def outer() -> tuple[object, object]:
        came = begin(inner())
        return came, asyncio.current_task()

    came = begin(outer())

    assert isinstance(came, Came)
    inside, current = came.value
    assert isinstance(inside, Came)
    assert inside.value is not current


class ForeignWait:
    """What another library than asyncio waits for."""

    def __await__(self) -> Any:
        yield 42


async def test_what_asyncio_cannot_wait_for_is_told_to_the_work_in_its_task() -> None:
    closed: list[str] = []

    async def work() -> None:
        try:
            await ForeignWait()
        finally:
            closed.append("closed")

    task = waiting(work())

    with pytest.raises(RuntimeError, match="bad yield"):
        await task
    assert closed == ["closed"]
