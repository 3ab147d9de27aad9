"""A dispatcher that fails: before a call it stops it, after it the result stands."""

from typing import Any

import pytest

from comal_runtime.errors import ToolError
from comal_runtime.events import EventDispatcher

from .arranging import Ran, decisions, in_code, made, registry_with


class Failing(EventDispatcher):
    """A dispatcher of the host's own that fails for some events."""

    def __init__(self, *names: str) -> None:
        super().__init__()
        self.names = names
        self.subscribe("tool.*", lambda event: None)

    async def dispatch(self, event: Any) -> tuple[str, ...] | None:
        if event.name in self.names:
            raise ConnectionError("no broker")
        return await super().dispatch(event)


@pytest.mark.runtime_line(31)
@pytest.mark.original_fault("RC:dispatcher-throws-executing")
async def test_a_dispatcher_that_fails_before_a_call_stops_it_and_nothing_escapes() -> None:
    ran = Ran()
    registry = registry_with(made(ran), dispatcher=Failing("tool.executing"))

    result = await registry.call("wipe", {}, in_code())

    assert result.type == "blocked"
    assert "the event dispatcher" in str(result.error)
    assert ran.calls == []
    assert await decisions(registry) == ["listener_failed"]


@pytest.mark.runtime_line(36)
@pytest.mark.original_fault("RC:dispatcher-throws-executed", "RC:dispatcher-throws-executed-failed")
@pytest.mark.parametrize("mutating", [False, True])
@pytest.mark.parametrize("raises", [False, True])
async def test_a_dispatcher_that_fails_after_a_call_changes_nothing_of_its_result(
    mutating: bool, raises: bool
) -> None:
    async def body() -> str:
        if raises:
            raise ToolError("no such disk")
        return "done"

    quiet = registry_with(made(body, mutating=mutating))
    registry = registry_with(
        made(body, mutating=mutating), dispatcher=Failing("tool.executed", "tool.failed")
    )

    result = await registry.call("wipe", {}, in_code())

    expected = await quiet.call("wipe", {}, in_code())
    assert (result.success, result.data, result.error, result.code) == (
        expected.success,
        expected.data,
        expected.error,
        expected.code,
    )
    assert await decisions(registry) == await decisions(quiet)
