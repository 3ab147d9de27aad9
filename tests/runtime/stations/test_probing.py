"""The probing budget: refused requests are throttled, and nothing else is."""

import pytest

from comal_runtime.context import ToolContext
from comal_runtime.rate_limit import (
    GcraRateLimiter,
    Limit,
)
from comal_runtime.result import ErrorCode
from comal_runtime.testing import FakeClock

from .arranging import (
    Ran,
    by_ana,
    decisions,
    in_code,
    made,
    registry_with,
)

NEEDS = {"type": "object", "properties": {}, "required": ["disk"]}


@pytest.mark.runtime_line(20)
@pytest.mark.original_fault("RC:rate-limit-not-consumed-on-deny")
async def test_refused_probes_use_a_budget_of_their_own_up_and_no_other() -> None:
    clock, limiter = FakeClock(), GcraRateLimiter(100, 60)
    registry = registry_with(
        made(Ran(), schema=NEEDS), made(Ran(), "ok"), clock=clock, limiter=limiter
    )
    for number in range(30):
        name = ("nowhere", "wipe")[number % 2]
        await registry.call(name, {}, by_ana())

    probing = await registry.call("ok", {}, by_ana())
    other = await registry.call("ok", {}, by_ana(principal="telegram:2"))
    spent = len(limiter)
    clock.advance(61)
    later = await registry.call("ok", {}, by_ana())

    assert probing.code == ErrorCode.RATE_LIMITED
    assert probing.meta["retry_after_seconds"] > 0
    assert (other.success, later.success) == (True, True)
    assert spent == 1  # what the other one spent
    assert "probing_limited" in await decisions(registry)


@pytest.mark.runtime_line(20)
@pytest.mark.parametrize("station", ["resolve", "validate", "authorize"])
async def test_a_refusal_at_each_of_the_first_guards_is_a_probe(station: str) -> None:
    registry = registry_with(
        made(Ran(), "validate", schema=NEEDS), made(Ran(), "authorize", scopes=("root",))
    )

    codes = [(await registry.call(station, {}, by_ana())).code for _ in range(40)]

    assert ErrorCode.RATE_LIMITED not in codes[:10]
    assert codes[-1] == ErrorCode.RATE_LIMITED


@pytest.mark.runtime_line(27)
async def test_guessing_tokens_is_throttled() -> None:
    registry = registry_with(made(Ran(), mutating=True))
    asked = await registry.call("wipe", {}, by_ana())

    for number in range(40):
        last = await registry.call("wipe", {}, by_ana(), confirm_token=f"guess {number}")
    right = await registry.call("wipe", {}, by_ana(), confirm_token=asked.confirm_token)

    assert last.code == right.code == ErrorCode.RATE_LIMITED


async def test_calls_that_succeed_or_fail_in_the_tool_are_no_probes() -> None:
    async def breaks() -> None:
        raise RuntimeError

    registry = registry_with(made(breaks), made(Ran(), "ok"))
    for _ in range(50):
        await registry.call("wipe", {}, in_code())

    assert (await registry.call("ok", {}, in_code())).success


async def test_strangers_do_not_use_up_each_others_probing_budget() -> None:
    registry = registry_with(made(Ran()), probing=Limit(amount=3, per=60))
    for _ in range(4):
        last = await registry.call("nowhere", {}, ToolContext(channel="cli", ip="10.0.0.1"))

    other = await registry.call("nowhere", {}, ToolContext(channel="cli", ip="10.0.0.2"))

    assert last.code == ErrorCode.RATE_LIMITED
    assert other.code == ErrorCode.TOOL_NOT_FOUND
