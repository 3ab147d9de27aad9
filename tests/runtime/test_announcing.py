"""After the fact: listeners are told, and nothing of it comes back but who failed."""

import asyncio
from dataclasses import dataclass
from typing import Any

import pytest

from comal_runtime.events import EventDispatcher, announce


class Odd(BaseException):
    """What no `except Exception` catches."""


@dataclass(frozen=True)
class Named:
    """An event that is nothing but its name."""

    name: str


class TestAnnouncing:
    """After the fact: told to all, and nothing of it comes back but who failed."""

    async def test_names_the_listeners_that_failed_and_calls_the_others(self) -> None:
        dispatcher, calls = EventDispatcher(), list[Named]()

        def bad(event: Named) -> None:
            raise ValueError("mine")

        dispatcher.subscribe("a.b", bad)
        dispatcher.subscribe("a.b", calls.append)

        [failed] = await announce(Named("a.b"), dispatcher)

        assert failed.endswith("bad")
        assert calls == [Named("a.b")]

    async def test_survives_a_dispatcher_that_fails(self) -> None:
        class Broken(EventDispatcher):
            async def dispatch(self, event: Any) -> None:
                raise ConnectionError("gone")

        assert await announce(Named("a.b"), Broken()) == ("the dispatcher itself",)
        assert await announce(Named("a.b"), None) == ()

    @pytest.mark.parametrize("fault", [asyncio.CancelledError, SystemExit, GeneratorExit, Odd])
    async def test_a_listener_cancels_and_ends_nothing_but_itself(
        self, fault: type[BaseException]
    ) -> None:
        dispatcher = EventDispatcher()

        def ends(event: Named) -> None:
            raise fault

        dispatcher.subscribe("a.b", ends)

        assert len(await announce(Named("a.b"), dispatcher)) == 1

    async def test_a_caller_that_is_cancelled_meanwhile_is_cancelled(self) -> None:
        dispatcher, hearing = EventDispatcher(), asyncio.Event()

        async def endless(event: Named) -> None:
            hearing.set()
            await asyncio.Event().wait()

        dispatcher.subscribe("a.b", endless)
        task = asyncio.create_task(announce(Named("a.b"), dispatcher))
        await hearing.wait()

        task.cancel()

        with pytest.raises(asyncio.CancelledError):
            await task
