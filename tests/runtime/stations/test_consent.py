"""A Consent in a context: the host's word, checked against the record, good for one run."""

from dataclasses import replace

import pytest

from comal_runtime.context import ToolContext
from comal_runtime.record import ActState
from comal_runtime.registry import ToolRegistry
from comal_runtime.result import ErrorCode
from comal_runtime.stations.resolve import UNUSABLE
from comal_runtime.testing import FakeClock

from .arranging import (
    Ran,
    answered,
    by_ana,
    consent_to,
    decisions,
    made,
    only_act,
    registry_with,
)

SCHEMA = {"type": "object", "properties": {"disk": {"type": "string"}}, "required": ["disk"]}


def arranged(clock: FakeClock | None = None) -> tuple[ToolRegistry, Ran]:
    ran = Ran()
    tools = [made(ran, schema=SCHEMA, mutating=True), made(ran, "other", mutating=True)]
    return registry_with(*tools, clock=clock or FakeClock()), ran


async def token_for(registry: ToolRegistry, ctx: ToolContext, disk: str = "a") -> str:
    asked = await registry.call("wipe", {"disk": disk}, ctx)
    assert asked.type == "confirmation"
    assert asked.confirm_token is not None
    return asked.confirm_token


@pytest.mark.runtime_line("22a")
async def test_a_consent_runs_the_approved_call_once() -> None:
    clock = FakeClock()
    registry, ran = arranged(clock)
    await token_for(registry, by_ana())
    await answered(registry, clock, by="telegram:1")
    ctx = by_ana(consent=await consent_to(registry))

    first = await registry.call("wipe", {}, ctx)
    second = await registry.call("wipe", {"disk": "other"}, ctx)

    assert first.data == second.data == "done"
    assert ran.calls == [{"disk": "a"}]
    told = ["act_done", "act_not_claimed", "asked_confirmation"]
    assert sorted(await decisions(registry)) == told


@pytest.mark.runtime_line("22a")
@pytest.mark.parametrize("yes", [None, False])
async def test_a_consent_without_a_stored_yes_is_refused(yes: bool | None) -> None:
    clock = FakeClock()
    registry, ran = arranged(clock)
    await token_for(registry, by_ana())
    if yes is not None:
        await answered(registry, clock, by="telegram:1", yes=yes)

    result = await registry.call("wipe", {}, by_ana(consent=await consent_to(registry)))

    assert (result.code, result.error) == (ErrorCode.FORBIDDEN, UNUSABLE)
    assert ran.calls == []


@pytest.mark.runtime_line("22a", 24)
@pytest.mark.parametrize("field", ["question_id", "tool", "args_digest", "principal"])
async def test_a_consent_that_differs_from_its_question_is_refused(field: str) -> None:
    clock = FakeClock()
    registry, ran = arranged(clock)
    await token_for(registry, by_ana())
    await answered(registry, clock, by="telegram:1")
    forged = replace(await consent_to(registry), **{field: "forged"})

    result = await registry.call("wipe", {}, by_ana(consent=forged))

    assert result.code == ErrorCode.FORBIDDEN
    assert ran.calls == []
    assert (await decisions(registry))[-1] == "foreign_consent"


@pytest.mark.runtime_line("22a", 24)
@pytest.mark.parametrize("field", ["principal", "channel", "conversation"])
async def test_a_true_consent_in_another_callers_context_is_refused_and_not_used_up(
    field: str,
) -> None:
    clock = FakeClock()
    registry, ran = arranged(clock)
    await token_for(registry, by_ana())
    await answered(registry, clock, by="telegram:1")
    own = by_ana(consent=await consent_to(registry))
    other = "console" if field == "channel" else "telegram:2"

    foreign = await registry.call("wipe", {}, replace(own, **{field: other}))
    before = list(ran.calls)
    by_ana_herself = await registry.call("wipe", {}, own)

    assert (foreign.code, foreign.error, before) == (ErrorCode.FORBIDDEN, UNUSABLE, [])
    assert by_ana_herself.success


@pytest.mark.runtime_line("22a")
async def test_arguments_that_were_changed_in_the_record_after_the_yes_do_not_run() -> None:
    clock = FakeClock()
    registry, ran = arranged(clock)
    await token_for(registry, by_ana())
    await answered(registry, clock, by="telegram:1")
    consent = await consent_to(registry)
    async with registry.record.transaction() as tx:
        await tx.questions._sql.execute(
            "UPDATE questions SET args = :args", {"args": '{"disk":"all"}'}
        )

    result = await registry.call("wipe", {}, by_ana(consent=consent))

    assert (result.code, ran.calls) == (ErrorCode.FORBIDDEN, [])
    assert (await only_act(registry)).state is ActState.VOID


@pytest.mark.runtime_line("22a")
async def test_an_approval_by_a_route_that_is_not_there_is_refused_and_asks_nobody() -> None:
    ran = Ran()
    registry = registry_with(made(ran, mutating=True, approval="owners"))

    result = await registry.call("wipe", {}, by_ana())

    assert (result.code, ran.calls) == (ErrorCode.FORBIDDEN, [])
    assert "route 'owners', which is not configured" in str(result.error)
    async with registry.record.reading() as stored:
        assert await stored.questions.recent(state=None, limit=1) == []


@pytest.mark.runtime_line(26)
async def test_a_model_redeems_nothing_not_even_with_a_true_consent() -> None:
    clock = FakeClock()
    registry, ran = arranged(clock)
    await token_for(registry, by_ana())
    await answered(registry, clock, by="telegram:1")
    consent = await consent_to(registry)

    by_model = await registry.call("wipe", {}, by_ana(consent=consent, origin="model"))
    before = list(ran.calls)
    by_host = await registry.call("wipe", {}, by_ana(consent=consent))

    assert (by_model.code, before) == (ErrorCode.FORBIDDEN, [])
    assert (by_host.success, len(ran.calls)) == (True, 1)


@pytest.mark.runtime_line(37)
async def test_an_approval_that_waited_too_long_runs_nothing_and_the_sweep_voids_it() -> None:
    clock = FakeClock()
    registry, ran = arranged(clock)
    await token_for(registry, by_ana())
    await answered(registry, clock, by="telegram:1")
    clock.advance(3601)

    result = await registry.call("wipe", {}, by_ana(consent=await consent_to(registry)))
    swept = await registry.sweep()

    assert result.code == ErrorCode.EXPIRED
    assert swept.void == 1
    assert (await only_act(registry)).state is ActState.VOID
    assert ran.calls == []
