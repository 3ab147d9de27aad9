"""What a confirm token is bound to, how long it lasts, and what uses it up."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from comal_runtime.context import ToolContext
from comal_runtime.errors import BadDeclaration, ToolError
from comal_runtime.events import EventDispatcher, InterceptionSlot, ToolExecuting
from comal_runtime.policy import ChannelPolicy
from comal_runtime.record import ActState, QuestionState, SqliteRecord
from comal_runtime.registry import ToolRegistry
from comal_runtime.result import ErrorCode
from comal_runtime.stations.resolve import UNUSABLE
from comal_runtime.testing import FakeClock

from ..stations.arranging import (
    ANY,
    Ran,
    act_at,
    by_ana,
    decisions,
    in_code,
    made,
    newest_question,
    only_act,
    registry_with,
)

STRICT: Mapping[str, Any] = {
    "type": "object",
    "properties": {"disk": {"type": "string"}},
    "required": ["disk"],
    "additionalProperties": False,
}


async def token_for(registry: ToolRegistry, ctx: ToolContext, **args: Any) -> str:
    asked = await registry.call("wipe", args, ctx)
    assert asked.type == "confirmation"
    assert asked.confirm_token is not None
    return asked.confirm_token


@pytest.mark.runtime_line(23, 25)
@pytest.mark.original_fault(
    "RC:confirm-strict-schema",
    "SV:addl-false-confirm-token",
    "RC:confirm-redeem-only-token",
    "RC:confirm-redeem-only-token-required",
)
async def test_a_strict_schema_with_required_fields_is_confirmed_by_the_token_alone() -> None:
    ran = Ran()
    registry = registry_with(made(ran, schema=STRICT, mutating=True))
    token = await token_for(registry, by_ana(), disk="a")

    result = await registry.call("wipe", {"confirm_token": token}, by_ana())

    assert result.data == "done"
    assert ran.calls == [{"disk": "a"}]


@pytest.mark.runtime_line(25)
@pytest.mark.original_fault(
    "RC:confirm-strict-schema-declared", "RC:confirm-null-token", "RC:confirm-token-when-not-needed"
)
@pytest.mark.parametrize("schema", [ANY, {**ANY, "properties": {"confirm_token": {}}}])
async def test_the_reserved_key_never_reaches_the_tool_nor_what_is_stored(
    schema: Mapping[str, Any],
) -> None:
    ran, read = Ran(), Ran()
    registry = registry_with(
        made(ran, schema=schema, mutating=True), made(read, "read", schema=schema)
    )

    token = await token_for(registry, by_ana(), confirm_token=None, disk="a")
    await registry.call("wipe", {"confirm_token": token}, by_ana())
    await registry.call("read", {"confirm_token": None, "disk": "b"}, by_ana())

    assert ran.calls == [{"disk": "a"}]
    assert read.calls == [{"disk": "b"}]
    assert (await newest_question(registry.record)).args == '{"disk":"a"}'


@pytest.mark.runtime_line(23, 24)
@pytest.mark.original_fault("RC:confirm-other-registry-instance")
async def test_a_token_is_redeemed_by_another_process_and_after_a_restart(tmp_path: Path) -> None:
    clock, ran = FakeClock(), Ran()
    first_record = SqliteRecord(tmp_path / "c.db", clock=clock)
    first = registry_with(made(ran, mutating=True), clock=clock, record=first_record)
    token = await token_for(first, by_ana(), disk="a")
    await first.audit.flush()
    await first_record.aclose()
    second_record = SqliteRecord(tmp_path / "c.db", clock=clock)
    second = registry_with(made(ran, mutating=True), clock=clock, record=second_record)

    result = await second.call("wipe", {}, by_ana(), confirm_token=token)

    await second.audit.flush()
    await second_record.aclose()
    assert result.data == "done"
    assert ran.calls == [{"disk": "a"}]


@pytest.mark.runtime_line(23)
@pytest.mark.original_fault("RC:confirm-at-ttl", "RC:confirm-expired")
@pytest.mark.parametrize(("after", "runs"), [(59.9, 1), (60.0, 0), (61.0, 0)])
async def test_a_token_is_good_until_the_moment_it_expires_and_not_at_it(
    after: float, runs: int
) -> None:
    clock, ran = FakeClock(), Ran()
    registry = registry_with(made(ran, mutating=True), clock=clock)
    token = await token_for(registry, by_ana())
    clock.advance(after)

    result = await registry.call("wipe", {}, by_ana(), confirm_token=token)

    assert len(ran.calls) == runs
    assert runs or result.error == UNUSABLE


@pytest.mark.original_fault("RC:confirm-ttl-zero")
@pytest.mark.parametrize("ttl", [0, -1, float("nan")])
def test_a_confirmation_that_could_never_be_given_is_refused_when_it_is_configured(
    ttl: float,
) -> None:
    with pytest.raises(BadDeclaration, match="confirmation_ttl"):
        ChannelPolicy(confirmation_ttl=ttl)


@pytest.mark.runtime_line(27)
@pytest.mark.original_fault("RC:veto-burns-token")
async def test_a_veto_after_the_yes_closes_the_question_says_why_and_offers_no_second_use() -> None:
    dispatcher, ran = EventDispatcher(), Ran()

    def veto(event: ToolExecuting) -> None:
        slot: InterceptionSlot = event.slot
        slot.stop("not on Fridays")

    dispatcher.subscribe("tool.executing", veto)
    registry = registry_with(made(ran, mutating=True), dispatcher=dispatcher)
    token = await token_for(registry, by_ana())

    refused = await registry.call("wipe", {}, by_ana(), confirm_token=token)
    again = await registry.call("wipe", {}, by_ana(), confirm_token=token)

    question = await newest_question(registry.record)
    act = await act_at(registry.record, question.id)
    assert (question.state, act.state) == (QuestionState.APPROVED, ActState.VOID)
    assert "not on Fridays" in str(act.reason)
    assert "not on Fridays" in str(refused.error)
    assert again.error == UNUSABLE
    assert ran.calls == []


@pytest.mark.runtime_line(23, 33)
@pytest.mark.original_fault("RC:confirm-exception-burns-token", "RC:confirm-reuse")
@pytest.mark.parametrize(
    ("fault", "state"),
    [(ToolError("busy"), ActState.FAILED), (ConnectionError("half way"), ActState.UNKNOWN)],
)
async def test_a_tool_that_raised_has_used_the_yes_up_and_its_act_says_how_it_ended(
    fault: Exception, state: ActState
) -> None:
    began: list[str] = []

    async def body() -> None:
        began.append("began")
        raise fault

    registry = registry_with(made(body, mutating=True))
    token = await token_for(registry, by_ana())

    first = await registry.call("wipe", {}, by_ana(), confirm_token=token)
    again = await registry.call("wipe", {}, by_ana(), confirm_token=token)

    assert began == ["began"]
    assert not first.success
    assert (await only_act(registry)).state is state
    assert (again.code, again.error) == (ErrorCode.FORBIDDEN, UNUSABLE)
    assert "used_token" in await decisions(registry)


@pytest.mark.runtime_line(22, 28)
@pytest.mark.original_fault("RC:confirm-summary-truncation")
async def test_the_summary_shows_every_argument_whole_and_no_secret() -> None:
    schema = {"type": "object", "properties": {"password": {"type": "string"}}}
    registry = registry_with(made(Ran(), schema=schema, mutating=True))
    args = {"password": "hunter2", "no": False, "n": None, "list": [1], "last": "x" * 500}

    asked = await registry.call("wipe", args, by_ana())

    summary = asked.data["action_summary"]
    for whole in ("no=false", "n=null", "list=[1]", f'last="{"x" * 500}"'):
        assert whole in summary
    assert "hunter2" not in str(asked.to_dict())


@pytest.mark.runtime_line(26)
@pytest.mark.original_fault("RC:confirm-self-confirm")
@pytest.mark.parametrize(("origin", "runs"), [("service", 1), ("model", 0)])
async def test_a_service_confirms_its_own_call_and_a_model_never_does(
    origin: Any, runs: int
) -> None:
    ran = Ran()
    registry = registry_with(made(ran, confirm=True))
    token = await token_for(registry, in_code(origin="service"))

    await registry.call("wipe", {}, in_code(origin=origin), confirm_token=token)

    assert len(ran.calls) == runs


@pytest.mark.runtime_line(26)
@pytest.mark.original_fault("RC:confirm-self-confirm")
async def test_a_model_that_asks_is_given_nothing_that_redeems() -> None:
    registry = registry_with(made(Ran(), mutating=True))

    asked = await registry.call("wipe", {}, by_ana(origin="model"))

    question = await newest_question(registry.record)
    assert asked.confirm_token is None
    assert question.id not in str(asked.to_dict())
