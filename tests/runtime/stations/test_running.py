"""What a tool tells on the way goes beside it, never back into it."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from comal_runtime.call import Call
from comal_runtime.progress import Progress
from comal_runtime.record import ActState

from .arranging import in_code, made, only_act, registry_with


async def pays() -> AsyncIterator[object]:
    for step in range(3):
        yield Progress(text=str(step), done=step, total=3)
        await asyncio.sleep(0)
    yield "all paid"


async def test_progress_that_cannot_be_passed_on_is_no_fault_of_the_tool() -> None:
    async def fails(call: Call, part: Progress) -> None:
        raise ConnectionError

    registry = registry_with(made(pays, mutating=True), on_progress=fails)

    result = await registry.call("wipe", {}, in_code())

    assert result.data == "all paid"
    assert (await only_act(registry)).state is ActState.DONE


async def test_the_time_that_passing_progress_on_takes_is_not_the_tools(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("comal_runtime.stations.running._LAST_PART", 0.01)
    cut: list[str] = []

    async def never_ends(call: Call, part: Progress) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cut.append(part.text)

    registry = registry_with(made(pays, mutating=True, timeout=0.5), on_progress=never_ends)

    result = await registry.call("wipe", {}, in_code())

    assert result.data == "all paid"
    assert cut == ["0"]


async def test_a_slow_listener_hears_the_newest_part_only() -> None:
    heard: list[str] = []
    first_is_told = asyncio.Event()

    async def slow(call: Call, part: Progress) -> None:
        heard.append(part.text)
        await first_is_told.wait()

    async def body() -> AsyncIterator[object]:
        async for part in pays():
            yield part
        first_is_told.set()

    registry = registry_with(made(body), on_progress=slow)

    await registry.call("wipe", {}, in_code())

    assert heard == ["0", "2"]
