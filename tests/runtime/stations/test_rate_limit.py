"""Budgets: one human-intended act is charged once, and probing is throttled."""

import pytest

from comal_runtime.clock import Clock
from comal_runtime.consent import Strangers
from comal_runtime.consent.question import digest_of
from comal_runtime.consent.verification import RESOLVE_VERIFICATION
from comal_runtime.context import Consent, ToolContext
from comal_runtime.rate_limit import (
    Budgets,
    GcraRateLimiter,
    Limit,
    Limits,
    RateLimiter,
    RecordRateLimiter,
    Shortage,
)
from comal_runtime.record import memory_record
from comal_runtime.result import ErrorCode
from comal_runtime.testing import FakeClock

from .arranging import (
    LosableRecord,
    Ran,
    answered,
    by_ana,
    consent_to,
    decisions,
    in_code,
    made,
    newest_question,
    registry_with,
    verifying,
)

KEY = "telegram:telegram:1:wipe"


def spent(limiter: GcraRateLimiter, key: str, clock: FakeClock, limit: int) -> int:
    """How much of a budget of `limit` is gone."""
    left = [cost for cost in range(limit + 1) if limiter.peek(key, cost, now=clock.boot()) == 0]
    return limit - max(left)


@pytest.mark.runtime_line(20)
@pytest.mark.original_fault("RC:rate-limit-confirm-costs-twice")
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


@pytest.mark.runtime_line(20)
@pytest.mark.original_fault("RC:rate-limit-plan-consumes")
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


@pytest.mark.runtime_line(20)
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


@pytest.mark.original_fault("RC:rate-limit-strands-token")
async def test_a_spent_budget_neither_burns_a_token_nor_keeps_it_from_being_redeemed() -> None:
    clock, ran = FakeClock(), Ran()
    limits = Limits(default=Limit(amount=5, per=60))
    registry = registry_with(made(ran, mutating=True), clock=clock, limits=limits)
    asked = await registry.call("wipe", {}, by_ana())

    refused = await registry.call("wipe", {}, by_ana())
    done = await registry.call("wipe", {}, by_ana(), confirm_token=asked.confirm_token)

    assert refused.code == ErrorCode.RATE_LIMITED
    assert done.success
    assert len(ran.calls) == 1


async def test_answering_a_verification_costs_the_approver_nothing() -> None:
    clock = FakeClock()
    registry = registry_with(clock=clock, limits=Limits(default=Limit(amount=5, per=3600)))
    verifying(registry, clock, Strangers())
    verdicts = []
    for person in range(3):
        clock.advance(1)
        asked = ToolContext.cli(principal=f"cli:{person}")
        await registry.call("request_verification", {"subject": f"report {person}"}, asked)
        question = await newest_question(registry.record)
        decision = {"request_id": question.id, "decision": "grant"}
        consent = Consent(
            question_id=question.id,
            tool=RESOLVE_VERIFICATION,
            args_digest=digest_of(decision),
            principal="cli:bo",
        )
        ctx = ToolContext(principal="cli:bo", channel="cli", consent=consent)
        arguments = {**decision, "principal": "cli:bo"}
        verdicts.append(await registry.call(RESOLVE_VERIFICATION, arguments, ctx))

    assert [one.error for one in verdicts] == [None] * 3


async def test_a_limit_below_the_cost_of_one_call_says_that_it_must_be_raised() -> None:
    limits = Limits(tools={"wi*": Limit(amount=4, per=60)})
    registry = registry_with(made(Ran(), mutating=True), limits=limits)

    refused = await registry.call("wipe", {}, in_code())

    assert refused.code == ErrorCode.RATE_LIMITED
    assert refused.error == (
        "Rate limit of cli:cli:ana:wipe is 4 per 60 s, below the cost of one call; "
        "raise it to 5 or more."
    )
    assert "retry_after_seconds" not in refused.meta


@pytest.mark.original_fault("RC:rate-limit-custom-denied")
async def test_what_one_caller_may_do_in_all_is_limited_over_all_tools() -> None:
    limits = Limits(principal=Limit(amount=3, per=60))
    registry = registry_with(*(made(Ran(), f"read_{n}") for n in range(4)), limits=limits)

    results = [await registry.call(f"read_{n}", {}, in_code()) for n in range(4)]
    others = await registry.call("read_3", {}, in_code(principal="cli:bo"))

    assert [one.success for one in results] == [True, True, True, False]
    assert "*:cli:ana:*" in str(results[3].error)
    assert others.success


async def test_a_limiter_of_the_users_own_is_asked_with_key_and_cost() -> None:
    asked: list[tuple[str, str, float]] = []

    class Own:
        def take(self, key: str, cost: float, *, now: float) -> float:
            asked.append(("take", key, cost))
            return 0

        def peek(self, key: str, cost: float, *, now: float) -> float:
            asked.append(("peek", key, cost))
            return 7 if key.endswith("mutate") else 0

    own: RateLimiter = Own()
    registry = registry_with(made(Ran()), made(Ran(), "mutate", mutating=True), limiter=own)

    passed = await registry.call("wipe", {}, in_code())
    refused = await registry.call("mutate", {}, in_code())

    assert passed.success
    assert refused.meta["retry_after_seconds"] == 7
    assert asked == [
        ("peek", "cli:cli:ana:wipe", 1),
        ("take", "cli:cli:ana:wipe", 1),
        ("peek", "cli:cli:ana:mutate", 5),
    ]


async def test_where_budgets_are_out_of_reach_reads_go_on_and_changes_do_not() -> None:
    clock, ran = FakeClock(), Ran()
    lost = LosableRecord(memory_record(clock=clock))
    registry = registry_with(
        made(ran, "read"),
        made(ran, "change", mutating=True),
        made(ran, "ask", confirm=True),
        clock=clock,
        limiter=RecordRateLimiter(lost),
    )
    lost.gone = True

    results = {name: await registry.call(name, {}, in_code()) for name in ("read", "change", "ask")}

    assert results["read"].success
    assert [results[name].code for name in ("change", "ask")] == [ErrorCode.INTERNAL_ERROR] * 2
    assert len(ran.calls) == 1
    assert await decisions(registry) == ["executed", "limiter_unavailable", "limiter_unavailable"]


@pytest.mark.original_fault("RL:clock-backwards")
async def test_a_wall_clock_that_jumps_ahead_gives_nobody_a_burst() -> None:
    class Jumping(FakeClock):
        def now(self) -> float:
            return super().now() + self.jumped

        jumped = 0.0

    clock = Jumping()
    registry = registry_with(
        made(Ran()),
        clock=clock,
        limiter=RecordRateLimiter(memory_record(clock=clock)),
        limits=Limits(default=Limit(amount=1, per=60)),
        probing=Limit(amount=1, per=60),
    )
    await registry.call("wipe", {}, in_code())
    await registry.call("nowhere", {}, by_ana())
    clock.jumped = 3600

    limited = await registry.call("wipe", {}, in_code())
    probing = await registry.call("nowhere", {}, by_ana())

    assert limited.meta["retry_after_seconds"] == pytest.approx(60)
    assert probing.meta["retry_after_seconds"] == pytest.approx(60)


@pytest.mark.runtime_line(20)
async def test_an_inspection_tells_every_budget_and_when_none_can_ever_hold() -> None:
    limits = Limits(principal=Limit(amount=200, per=3600), tools={"ne*": Limit(amount=1, per=1)})
    registry = registry_with(
        made(Ran()),
        made(Ran(), "never", mutating=True),
        limits=limits,
    )

    plan, never = registry.inspect("wipe", in_code()), registry.inspect("never", in_code())

    assert plan is not None
    assert never is not None
    assert plan.steps[4].source == (
        "costs 1 of 100 per 60 s of cli:cli:ana:wipe and 200 per 3600 s of *:cli:ana:*; "
        "a redeemed question costs nothing"
    )
    assert never.ends_at == "rate_limit"


def test_an_inspection_does_not_guess_what_a_limiter_of_the_users_own_allows() -> None:
    registry = registry_with(made(Ran(), mutating=True), limiter=GcraRateLimiter(7, 60))

    plan = registry.inspect("wipe", in_code())

    assert plan is not None
    assert plan.steps[4].source == (
        "costs 5 of the limiter's own limit for cli:cli:ana:wipe; a redeemed question costs nothing"
    )


async def test_a_budget_kept_anywhere_that_answers_later_is_waited_for() -> None:
    class Elsewhere:
        async def charge(self, charges: object, clock: Clock) -> Shortage | None:
            return None

        async def foretell(self, charges: object, clock: Clock) -> Shortage | None:
            return None

    assert isinstance(Elsewhere(), Budgets)
    registry = registry_with(made(Ran()), limiter=Elsewhere())

    assert (await registry.call("wipe", {}, in_code())).success
