"""Budgets: one human-intended act is charged once, and probing is throttled."""

import pytest

from comal_runtime.rate_limit import GcraRateLimiter
from comal_runtime.result import ErrorCode
from comal_runtime.testing import FakeClock

from .arranging import Ran, answered, by_ana, consent_to, decisions, in_code, made, registry_with

KEY = "telegram:telegram:1:wipe"
NEEDS = {"type": "object", "properties": {}, "required": ["disk"]}


def spent(limiter: GcraRateLimiter, key: str, clock: FakeClock, limit: int) -> int:
    """How much of a budget of `limit` is gone."""
    left = [cost for cost in range(limit + 1) if limiter.peek(key, cost, now=clock.now()) == 0]
    return limit - max(left)


async def test_asking_is_charged_and_answering_is_not() -> None:
    clock, limiter, ran = FakeClock(), GcraRateLimiter(20, 60), Ran()
    registry = registry_with(made(ran, mutating=True), clock=clock, limiter=limiter)

    asked = await registry.call("wipe", {}, by_ana())
    after_asking = spent(limiter, KEY, clock, 20)
    await registry.call("wipe", {}, by_ana(), confirm_token=asked.confirm_token)
    after_token = spent(limiter, KEY, clock, 20)
    clock.advance(0.001)
    await registry.call("wipe", {}, by_ana())
    await answered(registry, clock, by="telegram:1")
    await registry.call("wipe", {}, by_ana(consent=await consent_to(registry)))

    assert (after_asking, after_token, spent(limiter, KEY, clock, 20)) == (5, 5, 10)
    assert len(ran.calls) == 2


async def test_planning_reads_the_budget_and_spends_nothing() -> None:
    clock, limiter = FakeClock(), GcraRateLimiter(5, 60)
    registry = registry_with(made(Ran(), mutating=True), clock=clock, limiter=limiter)

    for _ in range(20):
        plan = await registry.call("wipe", {}, by_ana(mode="plan"))
    before = spent(limiter, KEY, clock, 5)
    await registry.call("wipe", {}, by_ana())
    refused = await registry.call("wipe", {}, by_ana(mode="plan"))

    assert plan.success
    assert before == 0
    assert refused.code == ErrorCode.RATE_LIMITED


async def test_a_refusal_names_the_key_and_when_to_try_again() -> None:
    clock, limiter = FakeClock(), GcraRateLimiter(1, 60)
    registry = registry_with(made(Ran()), clock=clock, limiter=limiter)
    await registry.call("wipe", {}, by_ana())

    refused = await registry.call("wipe", {}, by_ana())
    clock.advance(refused.meta["retry_after_seconds"])
    again = await registry.call("wipe", {}, by_ana())

    assert KEY in str(refused.error)
    assert refused.meta["retry_after_seconds"] == pytest.approx(60)
    assert again.success


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
    clock.advance(61)
    later = await registry.call("ok", {}, by_ana())

    assert probing.code == ErrorCode.RATE_LIMITED
    assert probing.meta["retry_after_seconds"] > 0
    assert (other.success, later.success) == (True, True)
    assert spent(limiter, KEY, clock, 100) == 0
    assert "probing_limited" in await decisions(registry)


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
