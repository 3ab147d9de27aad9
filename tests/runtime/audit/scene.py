"""Where a path is walked: a registry over a record that can go away, and odd dispatchers."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from comal_runtime.context import ToolContext
from comal_runtime.events import Event, EventDispatcher
from comal_runtime.record import memory_record
from comal_runtime.registry import ToolRegistry
from comal_runtime.tools import Tool
from tests.runtime.stations.arranging import (
    LosableRecord,
    Ran,
    in_code,
    made,
    registry_with,
)
from tests.runtime.stations.test_freezing import Lurching


class Raising(EventDispatcher):
    """A dispatcher that hears, and fails after the fact."""

    async def dispatch(self, event: Event) -> tuple[str, ...] | None:
        if getattr(event, "slot", None) is None:
            raise ConnectionError("the bus is gone")
        return await super().dispatch(event)


class Dropping(EventDispatcher):
    """A dispatcher that loses every event."""

    async def dispatch(self, event: Event) -> tuple[str, ...] | None:
        return None


class Scene:
    """A registry over a record that can go away; counts the calls that are made."""

    def __init__(self, dispatcher: EventDispatcher | None) -> None:
        self.clock = Lurching()
        self.record = LosableRecord(memory_record(clock=self.clock, hosted=True))
        self.dispatcher = dispatcher
        self.calls = 0
        self.ran = Ran()
        self.registry: ToolRegistry = registry_with(clock=self.clock)

    def with_tools(self, *tools: Tool, **wiring: Any) -> None:
        """Make the registry; with no tool there is `wipe`, which reads."""
        given = {"clock": self.clock, "record": self.record, "dispatcher": self.dispatcher}
        self.registry = registry_with(*(tools or (made(self.ran),)), **{**given, **wiring})

    async def call(
        self,
        ctx: ToolContext | None = None,
        name: str = "wipe",
        *,
        token: object = None,
        **args: Any,
    ) -> Any:
        self.calls += 1
        return await self.registry.call(name, args, ctx or in_code(), confirm_token=token)

    async def token(self, ctx: ToolContext | None = None, **args: Any) -> str:
        asked = await self.call(ctx, **args)
        assert asked.confirm_token is not None
        return str(asked.confirm_token)


Walk = Callable[[Scene], Awaitable[None]]


async def cancelled(calling: "asyncio.Future[Any]") -> None:
    calling.cancel()
    with suppress(asyncio.CancelledError):
        await calling
