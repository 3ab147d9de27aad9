"""What everybody who keeps budgets promises."""

import asyncio
import math

import pytest

from comal_runtime.rate_limit import Budgets, Limit

from .steps import SteppingClock, charge, charged, foretold, waited

HOUR = Limit(amount=3, per=3600)


class BudgetsContract:
    """Inherit it and give `budgets`."""

    @pytest.fixture
    def clock(self) -> SteppingClock:
        return SteppingClock()

    @pytest.mark.runtime_line(20)
    @pytest.mark.original_fault("RL:fixed-window-burst")
    async def test_no_edge_of_a_window_lets_twice_the_limit_through(
        self, budgets: Budgets, clock: SteppingClock
    ) -> None:
        passed = 0
        for pause in (0, 59, 1, 0, 1):
            clock.advance(pause)
            passed += await charged(budgets, clock) is None

        assert passed == 3

    @pytest.mark.original_fault("RL:usage-window-hardcoded-60", "RL:usage-short-window")
    @pytest.mark.parametrize(("amount", "per"), [(1, 60), (3, 7), (100, 3600), (0.5, 1)])
    async def test_waiting_as_told_is_enough_for_any_limit(
        self, budgets: Budgets, clock: SteppingClock, amount: float, per: float
    ) -> None:
        limit = Limit(amount=amount, per=per)
        await charged(budgets, clock, charge(cost=amount, limit=limit))
        wait = await waited(budgets, clock, charge(cost=amount, limit=limit))
        clock.advance(wait)

        assert wait == pytest.approx(per)
        assert await waited(budgets, clock, charge(cost=amount, limit=limit)) == 0

    async def test_a_refusal_spends_nothing(self, budgets: Budgets, clock: SteppingClock) -> None:
        await charged(budgets, clock, charge(cost=2))
        waits = []
        for _ in range(29):
            clock.advance(1)
            waits.append(await waited(budgets, clock))
        clock.advance(1)

        assert waits == pytest.approx([30 - second for second in range(1, 30)])
        assert await waited(budgets, clock) == 0

    async def test_foretelling_spends_nothing_and_tells_the_same(
        self, budgets: Budgets, clock: SteppingClock
    ) -> None:
        before = [await foretold(budgets, clock) for _ in range(5)]
        await charged(budgets, clock, charge(cost=2))

        assert before == [None] * 5
        assert await foretold(budgets, clock) == await charged(budgets, clock)

    async def test_all_charges_are_spent_or_none_is(
        self, budgets: Budgets, clock: SteppingClock
    ) -> None:
        await charged(budgets, clock, charge("total", cost=3, limit=HOUR))
        short = await charged(budgets, clock, charge("use"), charge("total", limit=HOUR))

        assert short is not None
        assert short.charge.key == "total"
        assert await waited(budgets, clock, charge("use", cost=2)) == 0

    async def test_of_two_short_budgets_the_longer_wait_is_told(
        self, budgets: Budgets, clock: SteppingClock
    ) -> None:
        await charged(budgets, clock, charge("use", cost=2), charge("total", cost=3, limit=HOUR))
        short = await charged(budgets, clock, charge("use"), charge("total", limit=HOUR))

        assert short is not None
        assert short.charge.key == "total"
        assert short.wait == pytest.approx(1200)

    async def test_keys_do_not_share_a_budget(self, budgets: Budgets, clock: SteppingClock) -> None:
        await charged(budgets, clock, charge("a", cost=2))

        assert await waited(budgets, clock, charge("b", cost=2)) == 0

    @pytest.mark.original_fault("RL:cost-over-max")
    async def test_a_cost_above_the_limit_never_passes_and_spends_nothing(
        self, budgets: Budgets, clock: SteppingClock
    ) -> None:
        never = await waited(budgets, clock, charge(cost=3))

        assert never == math.inf
        assert await waited(budgets, clock, charge(cost=2)) == 0

    async def test_a_cost_of_nothing_passes_even_when_the_budget_is_spent(
        self, budgets: Budgets, clock: SteppingClock
    ) -> None:
        await charged(budgets, clock, charge(cost=2))

        assert await waited(budgets, clock, charge(cost=0)) == 0
        assert await waited(budgets, clock) == pytest.approx(30)

    @pytest.mark.original_fault("RL:cost-negative")
    @pytest.mark.parametrize("cost", [-1, math.nan])
    async def test_a_cost_that_would_refund_is_refused(
        self, budgets: Budgets, clock: SteppingClock, cost: float
    ) -> None:
        with pytest.raises(ValueError, match="cost"):
            await charged(budgets, clock, charge(cost=cost))

    @pytest.mark.original_fault("RL:clock-backwards")
    @pytest.mark.parametrize("step", [3600, -3600, 1e9, -1e9])
    async def test_a_wall_clock_that_steps_changes_neither_budget_nor_wait(
        self, budgets: Budgets, clock: SteppingClock, step: float
    ) -> None:
        await charged(budgets, clock, charge(cost=2))
        before = await waited(budgets, clock)
        clock.set_wall(step)
        after = await waited(budgets, clock)
        clock.advance(after)

        assert after == pytest.approx(before)
        assert await waited(budgets, clock) == 0

    async def test_a_lowered_limit_holds_nobody_up_for_longer_than_its_own_time(
        self, budgets: Budgets, clock: SteppingClock
    ) -> None:
        await charged(budgets, clock, charge(cost=3, limit=HOUR))
        wait = await waited(budgets, clock)
        clock.advance(wait)

        assert wait == pytest.approx(30)
        assert await waited(budgets, clock) == 0

    async def test_of_many_charges_at_once_as_many_pass_as_the_limit_allows(
        self, budgets: Budgets, clock: SteppingClock
    ) -> None:
        limit = Limit(amount=7, per=60)
        total = Limit(amount=5, per=60)
        found = await asyncio.gather(
            *(
                charged(budgets, clock, charge("use", limit=limit), charge("total", limit=total))
                for _ in range(30)
            )
        )

        assert found.count(None) == 5
        assert await waited(budgets, clock, charge("use", cost=2, limit=limit)) == 0
