"""What a thread does after its time limit is not lost."""

import threading
from collections.abc import Callable

from comal_runtime.errors import ToolError
from comal_runtime.record import ActState
from comal_runtime.registry import ToolRegistry
from comal_runtime.result import ErrorCode, ToolResult
from comal_runtime.testing import FakeClock

from .arranging import (
    decisions,
    eventually,
    in_code,
    key,
    made,
    only_act,
    registry_with,
)


class TestASyncCallback:
    """A thread cannot be stopped; what it does late is not lost."""

    @staticmethod
    async def timed_out(
        gives: Callable[[], object], clock: FakeClock
    ) -> tuple[ToolRegistry, ToolResult, threading.Event]:
        goes_on = threading.Event()

        def body() -> object:
            goes_on.wait(10)
            return gives()

        registry = registry_with(made(body, mutating=True, timeout=0.02), clock=clock)
        result = await registry.call("wipe", {}, in_code(call_key=key()))
        return registry, result, goes_on

    async def test_its_late_result_is_done_late_and_told(self) -> None:
        registry, result, goes_on = await self.timed_out(lambda: "wiped", FakeClock())
        before = (await only_act(registry)).state
        goes_on.set()
        await eventually(lambda: not registry._deps.late)

        act = await only_act(registry)
        assert result.code == ErrorCode.OUTCOME_UNKNOWN
        assert (result.meta["timeout_exceeded"], result.meta["still_running"]) == (True, True)
        assert (before, act.state) == (ActState.UNKNOWN, ActState.DONE_LATE)
        assert '"data": "wiped"' in str(act.result)
        assert await decisions(registry) == ["act_unknown"]
        async with registry.record.reading() as stored:
            assert await stored.jobs.count() == 2  # told as unknown, and told again

    async def test_its_late_refusal_settles_that_nothing_was_done(self) -> None:
        def refuses() -> None:
            raise ToolError("busy")

        registry, _, goes_on = await self.timed_out(refuses, FakeClock())
        goes_on.set()
        await eventually(lambda: not registry._deps.late)

        assert (await only_act(registry)).state is ActState.SETTLED_NOT_DONE

    async def test_a_resumed_call_is_answered_with_the_late_result(self) -> None:
        registry, _, goes_on = await self.timed_out(lambda: "wiped", FakeClock())
        goes_on.set()
        await eventually(lambda: not registry._deps.late)

        again = await registry.call("wipe", {}, in_code(call_key=key()))

        assert again.data == "wiped"
