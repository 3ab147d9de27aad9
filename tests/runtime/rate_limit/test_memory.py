"""The rate limiter: an even refill, honest waits, bounded memory."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from comal_runtime.errors import BadDeclaration
from comal_runtime.rate_limit import (
    GcraBudgets,
    GcraRateLimiter,
    Limit,
    Limits,
    OneByOne,
    budgets_of,
)

from .contract import BudgetsContract
from .steps import SteppingClock, charge, charged, foretold, waited

NOW = 1_700_000_000.0


def test_a_burst_up_to_the_limit_passes_and_the_next_is_told_how_long_to_wait() -> None:
    limiter = GcraRateLimiter(2, 60)

    waits = [limiter.take("k", 1, now=NOW) for _ in range(3)]

    assert waits[:2] == [0, 0]
    assert waits[2] == pytest.approx(30)


def test_waiting_as_told_is_enough_for_any_limit() -> None:
    for limit in (1, 3, 7, 100):
        limiter = GcraRateLimiter(limit, 60)
        limiter.take("k", limit, now=NOW)
        wait = limiter.take("k", 1, now=NOW)

        assert limiter.take("k", 1, now=NOW + wait) == 0


def test_a_refusal_spends_nothing() -> None:
    limiter = GcraRateLimiter(1, 60)
    limiter.take("k", 1, now=NOW)

    for second in range(1, 60):
        assert limiter.take("k", 1, now=NOW + second) == pytest.approx(60 - second)

    assert limiter.take("k", 1, now=NOW + 60) == 0


def test_no_edge_of_a_window_lets_twice_the_limit_through() -> None:
    limiter = GcraRateLimiter(2, 60)

    passed = sum(limiter.take("k", 1, now=NOW + at) == 0 for at in (0, 59, 60, 60, 61))

    assert passed == 3


def test_peeking_spends_nothing_and_tells_the_same() -> None:
    limiter = GcraRateLimiter(1, 60)

    assert [limiter.peek("k", 1, now=NOW) for _ in range(3)] == [0, 0, 0]
    limiter.take("k", 1, now=NOW)
    assert limiter.peek("k", 1, now=NOW) == limiter.take("k", 1, now=NOW) == pytest.approx(60)
    assert len(limiter) == 1


def test_keys_do_not_share_a_budget() -> None:
    limiter = GcraRateLimiter(1, 60)

    assert limiter.take("a", 1, now=NOW) == 0
    assert limiter.take("b", 1, now=NOW) == 0
    assert limiter.take("a", 1, now=NOW) > 0


def test_a_cost_above_the_limit_never_passes_and_says_so() -> None:
    assert GcraRateLimiter(100, 60).take("k", 101, now=NOW) == math.inf
    assert GcraRateLimiter(0, 60).take("k", 1, now=NOW) == math.inf


def test_a_cost_of_nothing_passes_even_when_the_budget_is_spent() -> None:
    limiter = GcraRateLimiter(1, 60)
    limiter.take("k", 1, now=NOW)

    assert limiter.take("k", 0, now=NOW) == 0


@pytest.mark.parametrize("cost", [-1, math.nan])
def test_a_cost_that_would_refund_is_refused(cost: float) -> None:
    with pytest.raises(ValueError, match="cost"):
        GcraRateLimiter(1, 60).take("k", cost, now=NOW)


def test_a_clock_set_back_holds_nobody_up_for_longer_than_told() -> None:
    limiter = GcraRateLimiter(1, 60)
    limiter.take("k", 1, now=NOW + 1_000_000)
    wait = limiter.take("k", 1, now=NOW)

    assert limiter.take("k", 1, now=NOW + wait) == 0


def test_a_clock_set_back_never_asks_for_more_than_the_period() -> None:
    limiter = GcraRateLimiter(1, 60)
    limiter.take("k", 1, now=NOW + 1_000_000)

    assert limiter.take("k", 1, now=NOW) <= 60


def test_memory_is_bounded_and_the_key_used_longest_ago_is_forgotten() -> None:
    limiter = GcraRateLimiter(1, 60, max_keys=3)

    for at, key in enumerate("abacd"):
        limiter.take(key, 1 if key != "a" or at == 0 else 0, now=NOW + at)

    assert len(limiter) == 3
    assert limiter.peek("a", 1, now=NOW + 5) == 0
    assert limiter.peek("d", 1, now=NOW + 5) > 0


def test_a_flood_of_keys_leaves_no_more_than_the_bound() -> None:
    limiter = GcraRateLimiter(1, 60, max_keys=100)

    for number in range(5_000):
        limiter.take(str(number), 1, now=NOW)

    assert len(limiter) == 100


@pytest.mark.parametrize(("limit", "per"), [(-1, 60), (1, 0), (1, -5)])
def test_a_limiter_that_makes_no_sense_is_refused(limit: float, per: float) -> None:
    with pytest.raises(ValueError, match="rate limit"):
        GcraRateLimiter(limit, per)


class TestBudgets(BudgetsContract):
    @pytest.fixture
    def budgets(self) -> GcraBudgets:
        return GcraBudgets()


@pytest.mark.original_fault("RL:cleanup")
async def test_a_flood_of_strangers_is_forgotten_without_anybody_cleaning_up() -> None:
    budgets, clock = GcraBudgets(max_keys=100), SteppingClock()
    for number in range(1_000):
        await charged(budgets, clock, charge(f"stranger {number}"))
    kept = len(budgets)
    clock.advance(3600)
    for _ in range(150):
        await charged(budgets, clock, charge("ana", limit=Limit(amount=1e6, per=1)))

    assert kept == 100
    assert len(budgets) <= 1


async def test_a_limiter_of_its_own_limit_is_asked_for_all_keys_before_any_is_spent() -> None:
    limiter, clock = GcraRateLimiter(2, 60), SteppingClock()
    budgets = OneByOne(limiter)
    await charged(budgets, clock, charge("b", cost=2))

    short = await charged(budgets, clock, charge("a"), charge("b"))

    assert short is not None
    assert short.charge.key == "b"
    assert short.wait == pytest.approx(30)
    assert await foretold(budgets, clock, charge("a", cost=2)) is None


async def test_a_limiter_that_promises_more_than_it_keeps_refuses() -> None:
    class Boastful(GcraRateLimiter):
        def peek(self, key: str, cost: float, *, now: float) -> float:
            return 0

    budgets, clock = OneByOne(Boastful(1, 60)), SteppingClock()

    assert await waited(budgets, clock) == 0
    assert await waited(budgets, clock) == pytest.approx(60)


def test_limits_without_a_limiter_are_kept_in_memory_and_nothing_limits_nothing() -> None:
    kept = GcraBudgets()

    assert budgets_of(None, None) is None
    assert isinstance(budgets_of(None, Limits()), GcraBudgets)
    assert budgets_of(kept, Limits()) is kept


def test_limits_beside_a_limiter_that_would_ignore_them_are_refused() -> None:
    with pytest.raises(BadDeclaration, match="GcraRateLimiter has one limit of its own"):
        budgets_of(GcraRateLimiter(1, 60), Limits())


@settings(max_examples=100, deadline=None)
@given(
    amount=st.sampled_from([1, 3, 10]),
    per=st.sampled_from([1.0, 60.0, 3600.0]),
    pauses=st.lists(st.floats(0, 1), min_size=1, max_size=60),
)
def test_in_no_stretch_of_time_does_more_pass_than_the_limit_and_what_it_refilled(
    amount: int, per: float, pauses: list[float]
) -> None:
    limiter, now, passed = GcraRateLimiter(amount, per), NOW, list[float]()
    for pause in pauses:
        now += pause * per / amount
        if limiter.take("k", 1, now=now) == 0:
            passed.append(now)

    for place, first in enumerate(passed):
        for count, last in enumerate(passed[place:], start=1):
            assert count <= amount + amount * (last - first) / per + 1e-3
