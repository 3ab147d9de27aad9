"""The law: eleven stations in one order, and one answer whatever happens."""

import asyncio
from typing import Any

import pytest

from comal_runtime.call import Request
from comal_runtime.clock import Clock
from comal_runtime.events import EventDispatcher
from comal_runtime.pipeline import STATIONS
from comal_runtime.rate_limit import GcraRateLimiter
from comal_runtime.record import ActState
from comal_runtime.registry import ToolRegistry
from comal_runtime.result import ErrorCode, ToolResult
from comal_runtime.testing import FakeClock

from .stations.arranging import (
    Ran,
    by_ana,
    decisions,
    in_code,
    made,
    newest_question,
    only_act,
    registry_with,
)

NEEDS_DISK = {
    "type": "object",
    "properties": {"disk": {"type": "integer"}},
    "required": ["disk"],
    "additionalProperties": False,
}


class Brittle:
    """A limiter that fails."""

    def charge(self, charges: object, clock: Clock) -> None:
        raise RuntimeError("secret of the limits")

    def foretell(self, charges: object, clock: Clock) -> None:
        raise RuntimeError("secret of the limits")


def vetoing(ran: list[str]) -> EventDispatcher:
    dispatcher = EventDispatcher()

    def veto(event: Any) -> None:
        ran.append("listener")
        event.slot.stop("not today")

    dispatcher.subscribe("tool.executing", veto)
    return dispatcher


@pytest.mark.runtime_line(11)
def test_the_law_is_these_eleven_stations_in_this_order() -> None:
    assert [station.name for station in STATIONS] == [
        "resolve",
        "validate",
        "clamp",
        "authorize",
        "rate_limit",
        "plan_mode",
        "confirm",
        "emit_executing",
        "execute",
        "contain_exception",
        "audit",
    ]


@pytest.mark.parametrize("case", ["resolve", "validate", "authorize", "rate_limit", "plan_mode"])
async def test_of_two_neighbouring_gates_the_earlier_answers(case: str) -> None:
    """Each case fails the gate it names and every later one."""
    ran, heard = Ran(), list[str]()
    registry = registry_with(
        made(ran, schema=NEEDS_DISK, scopes=("disk:write",), mutating=True, confirm=True),
        limiter=GcraRateLimiter(1, 60),
        dispatcher=vetoing(heard),
    )
    limited = case == "rate_limit"
    if case == "plan_mode":
        registry = registry_with(
            made(ran, schema=NEEDS_DISK, mutating=True, confirm=True), dispatcher=vetoing(heard)
        )
    ctx = by_ana(mode="plan", scopes=("disk:write",) if limited or case == "plan_mode" else ())
    name = "wip" if case == "resolve" else "wipe"
    args = {"disk": 1} if case not in ("resolve", "validate") else {}

    result = await registry.call(name, args, ctx)

    told = {
        "resolve": ErrorCode.TOOL_NOT_FOUND,
        "validate": ErrorCode.VALIDATION_ERROR,
        "authorize": ErrorCode.FORBIDDEN,
        "rate_limit": ErrorCode.RATE_LIMITED,
        "plan_mode": None,
    }
    assert result.code == told[case]
    assert ("plan" in (result.data or {})) is (case == "plan_mode")
    assert (ran.calls, heard) == ([], [])


async def test_confirming_comes_before_listeners() -> None:
    ran, heard = Ran(), list[str]()
    registry = registry_with(made(ran, confirm=True), dispatcher=vetoing(heard))

    result = await registry.call("wipe", {}, in_code())

    assert result.type == "confirmation"
    assert heard == []


async def test_listeners_come_before_the_tool() -> None:
    ran, heard = Ran(), list[str]()
    registry = registry_with(made(ran), dispatcher=vetoing(heard))

    result = await registry.call("wipe", {}, in_code())

    assert result.type == "blocked"
    assert "veto" in str(result.error)
    assert (heard, ran.calls) == (["listener"], [])


async def test_clamping_comes_before_authorizing_and_after_validating() -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer", "maximum": 1000}}}
    ran = Ran()
    registry = registry_with(made(ran, schema=schema, clamps={"n": {"max": 10}}))

    brought_in = await registry.call("wipe", {"n": 500}, in_code())
    refused = await registry.call("wipe", {"n": 5000}, in_code())

    assert ran.calls == [{"n": 10}]
    assert brought_in.meta["clamped"] == {"n": {"from": 500, "to": 10}}
    assert refused.code == ErrorCode.VALIDATION_ERROR


async def test_a_station_that_raises_refuses_and_its_text_stays_here() -> None:
    ran = Ran()
    registry = registry_with(made(ran), limiter=Brittle())

    result = await registry.call("wipe", {}, in_code())

    assert result.code == ErrorCode.INTERNAL_ERROR
    assert "r1" in str(result.error)
    assert "secret" not in result.to_json()
    assert ran.calls == []
    assert await decisions(registry) == ["host_fault"]


@pytest.mark.parametrize("args", [None, [], "text", 7])
async def test_arguments_that_are_no_object_are_told_so_and_not_raised(args: Any) -> None:
    registry = registry_with(made(Ran(), schema=NEEDS_DISK))

    result = await registry.call("wipe", args, in_code())

    assert result.code == ErrorCode.VALIDATION_ERROR
    assert "Expected object" in str(result.error)


@pytest.mark.runtime_line(32)
@pytest.mark.original_fault("RC:toolresult-meta-takeover")
async def test_a_tool_cannot_forge_what_the_runtime_says_of_a_call() -> None:
    forged = ToolResult.success(
        {"kept": 1},
        meta={
            "principal": "telegram:9",
            "request_id": "forged",
            "tool": "other",
            "took_ms": -1,
            "channel": "web",
            "cache_served": True,
            "clamped": {"n": 1},
            "mine": "kept",
        },
    )
    registry = registry_with(made(Ran(gives=forged)))

    result = await registry.call("wipe", {}, in_code())

    meta = dict(result.meta)
    assert meta.pop("took_ms") >= 0
    assert result.data == {"kept": 1}
    assert meta == {
        "mine": "kept",
        "tool": "wipe",
        "request_id": "r1",
        "channel": "cli",
        "principal": "cli:ana",
    }


@pytest.mark.runtime_line(11, 34)
async def test_cancelling_is_the_one_thing_a_call_raises() -> None:
    started = asyncio.Event()

    async def hang() -> None:
        started.set()
        await asyncio.Event().wait()

    registry = registry_with(made(hang))
    calling = asyncio.ensure_future(registry.call("wipe", {}, in_code()))
    await started.wait()
    calling.cancel()

    with pytest.raises(asyncio.CancelledError):
        await calling
    assert await decisions(registry) == ["cancelled"]


async def test_a_tool_that_cancels_itself_fails_and_cancels_nobody_else() -> None:
    async def cancels_itself() -> None:
        raise asyncio.CancelledError

    registry = registry_with(made(cancels_itself))

    result = await registry.call("wipe", {}, in_code())

    assert result.code == ErrorCode.INTERNAL_ERROR


class TestARefusedRedemption:
    """A redemption refused on the way closes its question with a void act."""

    @staticmethod
    async def asked(**options: Any) -> tuple[ToolRegistry, FakeClock, Ran, str]:
        clock, ran = FakeClock(), Ran()
        tool = made(ran, schema=NEEDS_DISK, mutating=True, **options)
        registry = registry_with(tool, clock=clock)
        asked = await registry.call("wipe", {"disk": 1}, by_ana(scopes=("disk:write",)))
        assert asked.confirm_token is not None
        return registry, clock, ran, asked.confirm_token

    @pytest.mark.runtime_line(24)
    async def test_a_right_taken_away_meanwhile_is_void_and_says_so(self) -> None:
        registry, _, ran, token = await self.asked(scopes=("disk:write",))

        result = await registry.call("wipe", {}, by_ana(), confirm_token=token)
        again = await registry.call("wipe", {}, by_ana(scopes=("disk:write",)), confirm_token=token)

        act = await only_act(registry)
        assert result.code == ErrorCode.FORBIDDEN
        assert "disk:write" in str(result.error)
        assert (act.state, act.reason) == (ActState.VOID, result.error)
        assert again.code == ErrorCode.FORBIDDEN
        assert ran.calls == []

    @pytest.mark.runtime_line(24)
    @pytest.mark.parametrize("changed", ["schema", "clamp", "description"])
    async def test_a_tool_that_changed_meanwhile_is_void(self, changed: str) -> None:
        registry, clock, ran, token = await self.asked()
        schema = NEEDS_DISK
        if changed == "schema":
            schema = {**NEEDS_DISK, "properties": {"disk": {"type": "integer", "minimum": 0}}}
        clamps = {"disk": {"max": 0}} if changed == "clamp" else {}
        newer = registry_with(record=registry.record, clock=clock)
        newer.register(
            "wipe",
            "Wipes more." if changed == "description" else "Wipe a disk.",
            schema,
            ran.as_callback(),
            made(ran, mutating=True, clamps=clamps).options,
        )

        result = await newer.call("wipe", {}, by_ana(), confirm_token=token)

        assert not result.success
        assert ("limits" in str(result.error)) is (changed == "clamp")
        assert (await only_act(newer)).state is ActState.VOID
        assert ran.calls == []

    async def test_a_veto_at_redemption_is_void(self) -> None:
        registry, clock, ran, token = await self.asked()
        newer = registry_with(
            made(ran, schema=NEEDS_DISK, mutating=True),
            record=registry.record,
            clock=clock,
            dispatcher=vetoing([]),
        )

        result = await newer.call("wipe", {}, by_ana(), confirm_token=token)

        assert result.type == "blocked"
        assert (await only_act(newer)).state is ActState.VOID
        assert (await newest_question(newer.record)).state == "approved"


def test_a_token_is_not_in_the_text_of_a_request() -> None:
    assert "s3cret" not in repr(Request("wipe", {}, in_code(), "s3cret"))
