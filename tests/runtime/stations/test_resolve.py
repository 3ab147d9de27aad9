"""Redeeming: a token is good for one call, by the one who asked, with what was shown."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from comal_runtime.context import ToolContext
from comal_runtime.record import ActState, QuestionState, SqliteRecord, memory_record
from comal_runtime.registry import ToolRegistry
from comal_runtime.result import ErrorCode, ToolResult
from comal_runtime.stations.resolve import UNUSABLE
from comal_runtime.testing import FakeClock

from .arranging import (
    Ran,
    act_at,
    by_ana,
    decisions,
    made,
    newest_question,
    records,
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


def in_memory(folder: Path, clock: FakeClock) -> list[ToolRegistry]:
    return [registry_with(clock=clock, record=memory_record(clock=clock))]


def in_file(folder: Path, clock: FakeClock) -> list[ToolRegistry]:
    return [registry_with(clock=clock, record=SqliteRecord(folder / "c.db", clock=clock))]


def two_workers(folder: Path, clock: FakeClock) -> list[ToolRegistry]:
    return [*in_file(folder, clock), *in_file(folder, clock)]


@pytest.mark.runtime_line(29)
@pytest.mark.parametrize("wired", [in_memory, in_file, two_workers])
async def test_of_fifty_simultaneous_redemptions_one_executes(
    wired: Callable[[Path, FakeClock], list[ToolRegistry]], tmp_path: Path
) -> None:
    clock, ran = FakeClock(), Ran()
    registries = wired(tmp_path, clock)
    for registry in registries:
        registry.add(made(ran, schema=SCHEMA, mutating=True))
    token = await token_for(registries[0], by_ana())

    results = await asyncio.gather(
        *(
            registries[n % len(registries)].call("wipe", {}, by_ana(), confirm_token=token)
            for n in range(50)
        )
    )

    executed = [
        one for registry in registries[:1] for one in await decisions(registry) if one == "act_done"
    ]
    for registry in registries:
        await registry.audit.flush()
        await registry.record.aclose()
    assert ran.calls == [{"disk": "a"}]
    assert executed == ["act_done"]
    assert any(one.success and one.data == "done" for one in results)


@pytest.mark.runtime_line(23)
@pytest.mark.original_fault("RC:confirm-redeem-different-args")
async def test_the_second_call_runs_the_arguments_of_the_first() -> None:
    registry, ran = arranged()
    token = await token_for(registry, by_ana(), disk="shown")

    await registry.call("wipe", {"disk": "swapped", "junk": 1}, by_ana(), confirm_token=token)

    assert ran.calls == [{"disk": "shown"}]


@pytest.mark.runtime_line(25)
async def test_a_token_beside_the_arguments_redeems_like_the_keyword() -> None:
    registry, ran = arranged()
    token = await token_for(registry, by_ana())

    result = await registry.call("wipe", {"confirm_token": token}, by_ana())

    assert result.data == "done"
    assert ran.calls == [{"disk": "a"}]


def as_bo(ctx: ToolContext) -> ToolContext:
    return replace(ctx, principal="telegram:2")


def elsewhere(ctx: ToolContext) -> ToolContext:
    return replace(ctx, conversation="telegram:-100")


def on_console(ctx: ToolContext) -> ToolContext:
    return replace(ctx, channel="console")


@pytest.mark.runtime_line(24)
@pytest.mark.original_fault("RC:confirm-other-principal", "RC:confirm-other-channel")
@pytest.mark.parametrize("foreign", [as_bo, elsewhere, on_console])
async def test_a_foreign_redemption_is_refused_and_uses_nothing_up(
    foreign: Callable[[ToolContext], ToolContext],
) -> None:
    registry, ran = arranged()
    token = await token_for(registry, by_ana())

    refused = await registry.call("wipe", {}, foreign(by_ana()), confirm_token=token)
    between = list(ran.calls)
    own = await registry.call("wipe", {}, by_ana(), confirm_token=token)

    assert (refused.code, refused.error) == (ErrorCode.FORBIDDEN, UNUSABLE)
    assert (between, own.data) == ([], "done")
    assert "foreign_token" in await decisions(registry)


@pytest.mark.runtime_line(23)
@pytest.mark.original_fault("RC:confirm-wrong-tool")
async def test_a_token_of_one_tool_redeems_no_other_and_is_not_used_up() -> None:
    registry, ran = arranged()
    token = await token_for(registry, by_ana())

    refused = await registry.call("other", {}, by_ana(), confirm_token=token)
    own = await registry.call("wipe", {}, by_ana(), confirm_token=token)

    assert (refused.code, refused.error) == (ErrorCode.FORBIDDEN, UNUSABLE)
    assert own.data == "done"
    assert len(ran.calls) == 1
    assert "wrong_tool_token" in await decisions(registry)


@pytest.mark.runtime_line(27)
@pytest.mark.original_fault("RC:confirm-unknown-token", "RC:confirm-reuse", "RC:confirm-expired")
async def test_unusable_tokens_are_one_sentence_to_the_caller_and_distinct_in_the_audit() -> None:
    clock = FakeClock()
    registry, ran = arranged(clock)
    used = await token_for(registry, by_ana(), "used")
    await registry.call("wipe", {}, by_ana(), confirm_token=used)
    expired = await token_for(registry, by_ana(), "expired")
    swept = await token_for(registry, by_ana(), "swept")
    clock.advance(61)
    [one, two] = [
        await registry.call("wipe", {}, by_ana(), confirm_token=token)
        for token in (expired, "guess" * 5)
    ]
    await registry.sweep()
    three = await registry.call("wipe", {}, by_ana(), confirm_token=swept)
    four = await registry.call("wipe", {}, by_ana(), confirm_token=used)

    assert {(r.error, r.code) for r in (one, two, three, four)} == {(UNUSABLE, ErrorCode.FORBIDDEN)}
    assert (await decisions(registry))[-4:] == [
        "expired_token",
        "unknown_token",
        "expired_token",
        "used_token",
    ]
    assert ran.calls == [{"disk": "used"}]


@pytest.mark.runtime_line(25, 26)
@pytest.mark.original_fault("RC:confirm-self-confirm")
async def test_a_model_gets_no_token_and_cannot_redeem_one() -> None:
    registry, ran = arranged()
    asked = await registry.call("wipe", {"disk": "a"}, by_ana(origin="model"))
    token = await token_for(registry, by_ana())

    by_keyword = await registry.call("wipe", {}, by_ana(origin="model"), confirm_token=token)
    inside = await registry.call("wipe", {"confirm_token": token}, by_ana(origin="model"))
    own = await registry.call("wipe", {}, by_ana(), confirm_token=token)

    assert asked.type == "confirmation"
    assert asked.confirm_token is None
    assert set(asked.data) == {"action_summary", "expires_at"}
    assert {by_keyword.error, inside.error} == {UNUSABLE}
    assert (await decisions(registry)).count("model_token") == 2
    assert own.data == "done"
    assert len(ran.calls) == 1


@pytest.mark.runtime_line(25)
@pytest.mark.original_fault("RC:confirm-int-token", "RC:confirm-array-token")
@pytest.mark.parametrize("token", [7, ["t"], {"a": 1}, True, b"bytes"])
async def test_a_token_that_is_no_text_is_a_validation_error(token: object) -> None:
    registry, ran = arranged()

    result = await registry.call("wipe", {"disk": "a"}, by_ana(), confirm_token=token)

    assert result.code == ErrorCode.VALIDATION_ERROR
    assert "confirm_token" in str(result.error)
    assert ran.calls == []


async def test_a_token_is_in_no_audit_row_no_log_and_no_text(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    registry, _ = arranged()
    token = await token_for(registry, by_ana())
    asked = ToolResult.confirmation("?", {"confirm_token": token})

    await registry.call("other", {}, by_ana(), confirm_token=token)
    await registry.call("wipe", {"confirm_token": token}, by_ana(origin="model"))
    await registry.call("wipe", {"confirm_token": token}, by_ana())

    rows = await records(registry)
    question = await newest_question(registry.record)
    seen = [repr(rows), *(row.args for row in rows), caplog.text, repr(asked), repr(question)]
    assert not [text for text in seen if token in text]
    assert [vars(one) for one in caplog.records if token in str(vars(one))] == []


async def test_a_redeemed_question_and_its_act_are_the_same_record() -> None:
    registry, _ = arranged()
    token = await token_for(registry, by_ana())
    await registry.call("wipe", {}, by_ana(), confirm_token=token)

    question = await newest_question(registry.record)
    act = await act_at(registry.record, question.id)
    assert (question.state, question.decided_by) == (QuestionState.APPROVED, "telegram:1")
    assert (act.state, act.question, act.args) == (ActState.DONE, question.id, '{"disk":"a"}')
    assert [row.question for row in await records(registry)] == [question.id, question.id]
