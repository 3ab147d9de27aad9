"""Execute and contain: what a call answers when its tool is late, is cut, or raises."""

import asyncio
import logging
import threading
from collections.abc import Callable
from contextlib import suppress

import pytest

from comal_runtime import ErrorCode, ToolError, ToolResult
from comal_runtime.record import ActState

from .arranging import decisions, in_code, made, only_act, registry_with

SOON = 0.02  # seconds a tool gets here
RELEASED = threading.Event()


async def waits() -> None:
    await asyncio.Event().wait()


def blocks() -> None:
    RELEASED.wait(5)


@pytest.fixture(autouse=True)
def _release() -> object:
    RELEASED.clear()
    yield
    RELEASED.set()


@pytest.mark.runtime_line(32)
@pytest.mark.original_fault("RC:timeout-exceeded")
@pytest.mark.parametrize(("body", "still_running"), [(waits, False), (blocks, True)])
async def test_a_read_past_its_limit_is_a_timeout_that_says_whether_it_still_runs(
    body: Callable[[], object], still_running: bool
) -> None:
    registry = registry_with(made(body, timeout=SOON))

    result = await registry.call("wipe", {}, in_code())

    assert result.code == ErrorCode.TIMEOUT
    assert result.meta["timeout_exceeded"] is True
    assert result.meta["still_running"] is still_running
    assert await decisions(registry) == ["timed_out"]


@pytest.mark.runtime_line(32, 37)
@pytest.mark.original_fault("RC:timeout-exceeded")
@pytest.mark.parametrize(("body", "still_running"), [(waits, False), (blocks, True)])
async def test_a_change_past_its_limit_is_unknown_and_not_merely_late(
    body: Callable[[], object], still_running: bool
) -> None:
    registry = registry_with(made(body, mutating=True, timeout=SOON))

    result = await registry.call("wipe", {}, in_code())

    assert result.code == ErrorCode.OUTCOME_UNKNOWN
    assert result.meta["still_running"] is still_running
    assert str(result.error).endswith("; whether it was done is not known.")
    assert (await only_act(registry)).state is ActState.UNKNOWN


async def raises_late() -> None:
    try:
        await asyncio.Event().wait()
    finally:
        raise RuntimeError("late, with a secret")


async def declares_late() -> None:
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        raise ToolError("rolled back", code=ErrorCode.NOT_FOUND) from None


async def returns_late() -> str:
    with suppress(asyncio.CancelledError):
        await asyncio.Event().wait()
    return "all the same"


@pytest.mark.runtime_line(32)
@pytest.mark.original_fault("RC:timeout-throwing")
@pytest.mark.parametrize(
    ("body", "mutating", "code", "state"),
    [
        (raises_late, False, ErrorCode.TIMEOUT, None),
        (declares_late, False, ErrorCode.NOT_FOUND, None),
        (returns_late, False, None, None),
        (raises_late, True, ErrorCode.OUTCOME_UNKNOWN, ActState.UNKNOWN),
        (declares_late, True, ErrorCode.NOT_FOUND, ActState.FAILED),
        (returns_late, True, None, ActState.DONE),
    ],
)
async def test_what_a_tool_does_when_told_to_stop_is_told_as_late(
    body: Callable[[], object], mutating: bool, code: str | None, state: ActState | None
) -> None:
    registry = registry_with(made(body, mutating=mutating, timeout=SOON))

    result = await registry.call("wipe", {}, in_code())

    assert result.code == code
    assert result.meta["timeout_exceeded"] is True
    assert "secret" not in result.to_json()
    if state is not None:
        assert (await only_act(registry)).state is state


@pytest.mark.runtime_line(32)
async def test_a_change_cancelled_after_it_started_is_unknown() -> None:
    begun = asyncio.Event()

    async def body() -> None:
        begun.set()
        await asyncio.Event().wait()

    registry = registry_with(made(body, mutating=True))
    calling = asyncio.ensure_future(registry.call("wipe", {}, in_code()))
    await begun.wait()
    calling.cancel()

    with pytest.raises(asyncio.CancelledError):
        await calling
    assert (await only_act(registry)).state is ActState.UNKNOWN


@pytest.mark.runtime_line(32)
@pytest.mark.parametrize("value", [None, 0, "", [], {"a": 1}])
async def test_a_bare_value_is_wrapped_in_a_success(value: object) -> None:
    async def body() -> object:
        return value

    result = await registry_with(made(body)).call("wipe", {}, in_code())

    assert (result.success, result.data) == (True, value)


@pytest.mark.runtime_line(33)
@pytest.mark.original_fault("RC:callback-throws", "GW:agent-tool-throws")
@pytest.mark.parametrize("mutating", [False, True])
async def test_the_text_of_an_exception_goes_to_the_log_and_to_nobody_else(
    mutating: bool, caplog: pytest.LogCaptureFixture
) -> None:
    async def body() -> None:
        raise RuntimeError("db-host-17 refused")

    registry = registry_with(made(body, mutating=mutating))
    with caplog.at_level(logging.ERROR):
        result = await registry.call("wipe", {}, in_code())

    assert result.code == (ErrorCode.OUTCOME_UNKNOWN if mutating else ErrorCode.INTERNAL_ERROR)
    assert "db-host-17" not in result.to_json()
    [said] = [one for one in caplog.records if one.message == "tool.raised"]
    assert said.__dict__["request_id"] == "r1"
    assert "db-host-17 refused" in str(said.__dict__["trace"])


@pytest.mark.runtime_line(33)
@pytest.mark.parametrize("mutating", [False, True])
async def test_what_an_author_declares_is_told_as_written_and_means_not_applied(
    mutating: bool,
) -> None:
    async def body() -> None:
        raise ToolError("the disk is busy", code="BUSY", data={"disk": 1})

    registry = registry_with(made(body, mutating=mutating))

    result = await registry.call("wipe", {}, in_code())

    assert (result.error, result.code, result.data) == ("the disk is busy", "BUSY", {"disk": 1})
    if mutating:
        assert (await only_act(registry)).state is ActState.FAILED


@pytest.mark.runtime_line(32)
@pytest.mark.original_fault("RC:success-toolresult", "RC:timeout-toolresult")
async def test_a_tools_own_result_keeps_its_data_and_gets_the_runtimes_meta() -> None:
    async def body() -> ToolResult:
        return ToolResult.success({"a": 1}, message="Done.", meta={"mine": 1})

    result = await registry_with(made(body)).call("wipe", {}, in_code())

    assert (result.data, result.message, result.meta["mine"]) == ({"a": 1}, "Done.", 1)
    assert result.meta["tool"] == "wipe"
    assert result.meta["took_ms"] >= 0
