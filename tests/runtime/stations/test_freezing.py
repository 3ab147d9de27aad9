"""A host that was frozen between the claim and the callback starts nothing by surprise."""

from typing import Any

from comal_runtime.record import ActState, memory_record
from comal_runtime.registry import ToolRegistry
from comal_runtime.testing import FakeClock

from .arranging import (
    LosableRecord,
    Ran,
    answered,
    by_ana,
    consent_to,
    in_code,
    made,
    only_act,
    registry_with,
)


class Lurching(FakeClock):
    """A clock that jumps by `by` seconds after each of the next `times` looks at boot time."""

    def __init__(self) -> None:
        super().__init__()
        self.times = 0
        self.by = 2.0

    def boot(self) -> float:
        seen = super().boot()
        if self.times > 0:
            self.times -= 1
            self.advance(self.by)
        return seen


async def test_a_host_frozen_before_the_callback_gives_the_act_back_and_claims_it_again() -> None:
    clock, ran = Lurching(), Ran()
    registry = registry_with(made(ran, mutating=True), clock=clock)
    clock.times = 1

    result = await registry.call("wipe", {}, in_code())

    act = await only_act(registry)
    assert result.data == "done"
    assert (act.state, act.attempt, len(ran.calls)) == (ActState.DONE, 2, 1)


async def test_a_host_that_stays_too_slow_does_nothing_and_says_so() -> None:
    clock, ran = Lurching(), Ran()
    registry = registry_with(made(ran, mutating=True), clock=clock)
    clock.times = 99

    result = await registry.call("wipe", {}, in_code())

    assert "Nothing was done" in str(result.error)
    assert (await only_act(registry)).state is ActState.VOID
    assert ran.calls == []


async def test_what_people_approved_is_tried_again_by_its_job_on_a_slow_host() -> None:
    clock, ran = Lurching(), Ran()
    registry = registry_with(made(ran, mutating=True), clock=clock)
    await registry.call("wipe", {}, by_ana())
    await answered(registry, clock, by="telegram:1")
    ctx = by_ana(consent=await consent_to(registry))
    async with registry.record.reading() as stored:
        jobs = await stored.jobs.count()
    clock.times = 99

    slow = await registry.call("wipe", {}, ctx)

    clock.times = 0
    async with registry.record.reading() as stored:
        assert await stored.jobs.count() == jobs + 1
    assert slow.type == "pending"
    assert (await registry.call("wipe", {}, ctx)).data == "done"
    assert len(ran.calls) == 1


class FrozenThenSwept(Lurching):
    """A clock under which the host freezes past its deadline right after the claim."""

    def __init__(self) -> None:
        super().__init__()
        self.by = 100.0


async def test_an_act_swept_while_its_host_was_frozen_is_settled_as_not_done() -> None:
    clock, ran = FrozenThenSwept(), Ran()
    record = SweptBeforeGivingBack(clock)
    registry = registry_with(made(ran, mutating=True), clock=clock, record=record)
    record.registry = registry
    clock.times = 1

    result = await registry.call("wipe", {}, in_code())

    assert "Not done" in str(result.error)
    assert (await only_act(registry)).state is ActState.SETTLED_NOT_DONE
    assert ran.calls == []


class SweptBeforeGivingBack(LosableRecord):
    """A record on which a sweep of another worker gets in before the second transaction."""

    registry: ToolRegistry | None = None

    def __init__(self, clock: FakeClock) -> None:
        super().__init__(memory_record(clock=clock))
        self.opened = 0

    def transaction(self, *, durable: bool = True) -> Any:
        self.opened += 1
        return self._with_sweep() if self.opened == 2 else super().transaction(durable=durable)

    def _with_sweep(self) -> Any:
        registry = self.registry
        inner = super().transaction()

        class Opening:
            async def __aenter__(self) -> Any:
                assert registry is not None
                await registry.sweep()
                return await inner.__aenter__()

            async def __aexit__(self, *error: Any) -> Any:
                return await inner.__aexit__(*error)

        return Opening()
