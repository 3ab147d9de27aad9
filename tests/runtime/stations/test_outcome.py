"""Whatever path ends a call, it leaves exactly one record."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from comal_runtime.errors import ToolError
from comal_runtime.events import EventDispatcher, ToolExecuting
from comal_runtime.rate_limit import GcraRateLimiter
from comal_runtime.registry import ToolRegistry

from .arranging import (
    Ran,
    decisions,
    in_code,
    made,
    records,
    registry_with,
    route,
    routes,
)

SCHEMA = {"type": "object", "properties": {"disk": {"type": "string"}}, "required": ["disk"]}
DISK = {"disk": "a"}


@dataclass(kw_only=True)
class House:
    """A registry whose tools end in every way there is."""

    dispatcher: EventDispatcher | None = None
    limiter: GcraRateLimiter | None = None
    ran: Ran = field(default_factory=Ran)

    def __post_init__(self) -> None:
        async def hangs(**_: Any) -> None:
            await asyncio.Event().wait()

        async def breaks(**_: Any) -> None:
            raise RuntimeError("secret of the host")

        async def refuses(**_: Any) -> None:
            raise ToolError("not now")

        def sleeps(**_: Any) -> None:
            time.sleep(0.05)

        self.registry = registry_with(
            made(self.ran, "read", SCHEMA),
            made(self.ran, "write", SCHEMA, mutating=True),
            made(self.ran, "asks", SCHEMA, confirm=True),
            made(self.ran, "routed", SCHEMA, mutating=True),
            made(self.ran, "scoped", SCHEMA, scopes=("root",)),
            made(breaks, "breaks", SCHEMA),
            made(breaks, "breaks_writing", SCHEMA, mutating=True),
            made(refuses, "refuses", SCHEMA),
            made(refuses, "refuses_writing", SCHEMA, mutating=True),
            made(hangs, "hangs", SCHEMA, timeout=0.01),
            made(hangs, "hangs_writing", SCHEMA, mutating=True, timeout=0.01),
            made(sleeps, "sleeps", SCHEMA, timeout=0.01),
            made(hangs, "endless", SCHEMA),
            made(hangs, "endless_writing", SCHEMA, mutating=True),
            dispatcher=self.dispatcher,
            limiter=self.limiter,
            routes=routes(route(tool="routed")),
        )


async def resolve_miss(house: House) -> None:
    await house.registry.call("rea", DISK, in_code())


async def invalid(house: House) -> None:
    await house.registry.call("read", {}, in_code())


async def denied(house: House) -> None:
    await house.registry.call("scoped", DISK, in_code())


async def limited(house: House) -> None:
    house = House(dispatcher=house.dispatcher, limiter=GcraRateLimiter(0, 1))
    await house.registry.call("read", DISK, in_code())
    raise Instead(house.registry)


async def planned(house: House) -> None:
    await house.registry.call("write", DISK, in_code(mode="plan"))


async def asked(house: House) -> None:
    await house.registry.call("asks", DISK, in_code())


async def asked_others(house: House) -> None:
    await house.registry.call("routed", DISK, in_code())


async def bad_token(house: House) -> None:
    await house.registry.call("asks", {}, in_code(), confirm_token="guess")


async def executed(house: House) -> None:
    await house.registry.call("read", DISK, in_code())


async def executed_act(house: House) -> None:
    await house.registry.call("write", DISK, in_code())


def calling(name: str) -> Callable[[House], Awaitable[None]]:
    async def call(house: House) -> None:
        await house.registry.call(name, DISK, in_code())

    return call


def cancelling(name: str) -> Callable[[House], Awaitable[None]]:
    async def call(house: House) -> None:
        calling = asyncio.ensure_future(house.registry.call(name, DISK, in_code()))
        await asyncio.sleep(0.01)
        calling.cancel()
        await asyncio.wait([calling])

    return call


class Instead(Exception):
    """The case needed a registry of its own."""

    def __init__(self, registry: ToolRegistry) -> None:
        self.registry = registry


PATHS: dict[str, tuple[Callable[[House], Awaitable[None]], str, str | None]] = {
    "resolve miss": (resolve_miss, "refused_at_resolve", "TOOL_NOT_FOUND"),
    "invalid": (invalid, "refused_at_validate", "VALIDATION_ERROR"),
    "denied": (denied, "refused_at_authorize", "FORBIDDEN"),
    "limited": (limited, "refused_at_rate_limit", "RATE_LIMITED"),
    "planned": (planned, "planned", None),
    "asked": (asked, "asked_confirmation", "CONFIRMATION_REQUIRED"),
    "asked others": (asked_others, "asked_pending", "CONFIRMATION_REQUIRED"),
    "bad token": (bad_token, "unknown_token", "FORBIDDEN"),
    "executed": (executed, "executed", None),
    "act done": (executed_act, "act_done", None),
    "failed": (calling("breaks"), "failed", "INTERNAL_ERROR"),
    "act unknown": (calling("breaks_writing"), "act_unknown", "OUTCOME_UNKNOWN"),
    "refused by its author": (calling("refuses"), "failed", None),
    "act failed": (calling("refuses_writing"), "act_failed", None),
    "timed out": (calling("hangs"), "timed_out", "TIMEOUT"),
    "thread timed out": (calling("sleeps"), "timed_out", "TIMEOUT"),
    "act timed out": (calling("hangs_writing"), "act_unknown", "OUTCOME_UNKNOWN"),
    "cancelled": (cancelling("endless"), "cancelled", "CANCELLED"),
    "act cancelled": (cancelling("endless_writing"), "act_unknown", "OUTCOME_UNKNOWN"),
}


def broken_dispatcher() -> EventDispatcher:
    """One whose every event after the fact fails."""

    class Broken(EventDispatcher):
        async def dispatch(self, event: Any) -> None:
            if not isinstance(event, ToolExecuting):
                raise ConnectionError("the bus is down")

    return Broken()


@pytest.mark.parametrize("dispatcher", [None, EventDispatcher, broken_dispatcher])
@pytest.mark.parametrize("path", PATHS)
async def test_every_path_leaves_exactly_one_record_with_and_without_a_dispatcher(
    path: str, dispatcher: Callable[[], EventDispatcher] | None
) -> None:
    walk, decision, code = PATHS[path]
    house = House(dispatcher=dispatcher and dispatcher())
    registry = house.registry

    try:
        await walk(house)
    except Instead as instead:
        registry = instead.registry
    await asyncio.sleep(0.07)

    found = await records(registry)
    assert [(one.decision, one.code) for one in found] == [(decision, code)]
    assert found[0].took_ms >= 0
    assert "secret of the host" not in repr(found)


async def test_vetoed_and_cache_served_calls_leave_one_record_each() -> None:
    dispatcher = EventDispatcher()
    dispatcher.subscribe("tool.executing", lambda event: event.slot.short_circuit("cached"))
    served = House(dispatcher=dispatcher)
    vetoing = EventDispatcher()
    vetoing.subscribe("tool.executing", lambda event: event.slot.stop())
    vetoed = House(dispatcher=vetoing)

    await served.registry.call("read", DISK, in_code())
    await served.registry.call("write", DISK, in_code())
    await vetoed.registry.call("write", DISK, in_code())

    assert await decisions(served.registry) == ["cache_served", "short_circuit_refused"]
    assert await decisions(vetoed.registry) == ["vetoed"]
