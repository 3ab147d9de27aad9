"""Beginning a coroutine at once: a task of its own that costs a wait only if the work waits."""

import asyncio
import contextvars
from collections.abc import Coroutine, Generator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Came(Generic[T]):
    """The coroutine came to its end without waiting for anything."""

    value: T


def begin(coroutine: Coroutine[Any, Any, T]) -> "Came[T] | asyncio.Task[T]":
    """Run `coroutine` to its first wait, here and now, and leave the rest to a task of its own.

    Its first step already sees that task as the current one, and a copy of the caller's context
    variables, so that time limits, task groups and cancel scopes inside it hold. What its first
    step raises comes out of here.

    Source: asyncio, "Extending": `_enter_task` and `_leave_task` keep `current_task()` true.
    """
    loop, context = asyncio.get_running_loop(), contextvars.copy_context()
    rest = _Rest(coroutine)
    follow = _follow(rest)
    follow.send(None)  # parks it where a cancellation of its task reaches it
    parked = asyncio.Task(follow, loop=loop, context=context)  # no factory may begin it
    task = cast("asyncio.Task[T]", parked)
    caller = asyncio.current_task()
    if caller is not None:
        asyncio.tasks._leave_task(loop, caller)
    asyncio.tasks._enter_task(loop, task)
    try:
        rest.hold(context.run(coroutine.send, None))
    except StopIteration as end:
        return Came(end.value)
    finally:
        asyncio.tasks._leave_task(loop, task)
        if caller is not None:
            asyncio.tasks._enter_task(loop, caller)
    return task


async def _follow(rest: "_Rest[T]") -> T | None:
    return await rest


class _Rest(Generic[T]):
    """What is left of a begun coroutine, for its task to await; nothing if it came to its end."""

    __slots__ = ("_coroutine", "_left", "_waits_for")

    def __init__(self, coroutine: Coroutine[Any, Any, T]) -> None:
        self._coroutine = coroutine
        self._left = False
        self._waits_for: Any = None

    def hold(self, waits_for: Any) -> None:
        """Note what the first step waits for; others may wait for it until our task does."""
        self._left = True
        self._waits_for = waits_for
        if _is_future(waits_for):
            waits_for._asyncio_future_blocking = False

    def __await__(self) -> Generator[Any, Any, T | None]:
        error = yield from _parked()
        if not self._left:
            return None
        waits_for = self._taken_up()
        if error is not None and _is_future(waits_for) and waits_for.cancel():
            error = None  # it comes back through what is waited for
        try:
            if error is not None:
                waits_for = self._coroutine.throw(error)
            while True:
                try:
                    sent = yield waits_for
                except BaseException as thrown:
                    waits_for = self._coroutine.throw(thrown)
                else:
                    waits_for = self._coroutine.send(sent)
        except StopIteration as end:
            value: T = end.value
            return value

    def _taken_up(self) -> Any:
        waits_for, self._waits_for = self._waits_for, None
        if _is_future(waits_for):
            waits_for._asyncio_future_blocking = True  # as its own `__await__` left it
        return waits_for


def _is_future(waits_for: Any) -> bool:
    """Tell whether asyncio can wait for it; of anything else its own task tells the coroutine."""
    return getattr(waits_for, "_asyncio_future_blocking", None) is not None


def _parked() -> Generator[None, None, asyncio.CancelledError | None]:
    try:
        yield
    except asyncio.CancelledError as cancelled:
        return cancelled
    return None
