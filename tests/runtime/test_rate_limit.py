"""The rate limiter: an even refill, honest waits, bounded memory."""

import math

import pytest

from comal_runtime.rate_limit import GcraRateLimiter

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
    with pytest.raises(ValueError, match="rate limiter"):
        GcraRateLimiter(limit, per)
