"""Whether what an unknown act started may still be at work: as long as nothing saw it end."""

import asyncio
import threading

import pytest

from comal_runtime.consent.settling import may_still_run
from comal_runtime.record import ActState
from comal_runtime.registry import ToolRegistry
from comal_runtime.testing import FakeClock

from .arranging import eventually, in_code, made, only_act, registry_with

LEASE = 15.0


async def sign(registry: ToolRegistry, clock: FakeClock) -> None:
    act = await only_act(registry)
    boot, now = clock.boot() + LEASE, clock.now() + LEASE
    async with registry.record.transaction() as tx:
        await tx.leases.live(
            act.instance or "", boot_id=clock.boot_id(), lease_boot=boot, lease_at=now
        )


async def may_run(registry: ToolRegistry, clock: FakeClock) -> bool:
    async with registry.record.reading() as stored:
        return await may_still_run(stored, await only_act(registry), clock)


async def test_a_thread_past_its_limit_may_be_at_work_until_it_ends_or_its_process_is_gone() -> (
    None
):
    clock, hold, seen = FakeClock(), threading.Event(), []

    def body() -> None:
        hold.wait(10)
        raise ConnectionError("nobody knows")

    registry = registry_with(made(body, mutating=True, timeout=0.02), clock=clock)
    await registry.call("wipe", {}, in_code())
    await sign(registry, clock)

    seen.append(await may_run(registry, clock))
    clock.advance(LEASE + 1)
    seen.append(await may_run(registry, clock))
    await sign(registry, clock)
    seen.append(await may_run(registry, clock))
    hold.set()
    await eventually(lambda: not registry._deps.late)
    seen.append(await may_run(registry, clock))

    assert seen == [True, False, True, False]
    assert (await only_act(registry)).state is ActState.UNKNOWN


@pytest.mark.parametrize("slow", [True, False])
async def test_what_was_cut_or_raised_is_over_at_once(slow: bool) -> None:
    clock = FakeClock()

    async def body() -> None:
        await asyncio.sleep(10 if slow else 0)
        raise ConnectionError("nobody knows")

    registry = registry_with(made(body, mutating=True, timeout=0.02), clock=clock)
    await registry.call("wipe", {}, in_code())
    await sign(registry, clock)

    assert (await only_act(registry)).state is ActState.UNKNOWN
    assert not await may_run(registry, clock)
