"""Nobody holds more open confirmations than people could read."""

import pytest

from comal_runtime.consent.question import MOST_OPEN
from comal_runtime.context import ToolContext
from comal_runtime.registry import ToolRegistry
from comal_runtime.result import ErrorCode
from comal_runtime.testing import FakeClock

from ..stations.arranging import Ran, by_ana, decisions, key, made, registry_with


async def crowded(clock: FakeClock) -> tuple[ToolRegistry, str]:
    """Ana has as many confirmations open as she may; the first one's token."""
    registry = registry_with(made(Ran(), mutating=True), clock=clock)
    tokens = []
    for number in range(MOST_OPEN):
        asked = await registry.call("wipe", {"n": number}, by_ana(call_key=key(number)))
        tokens.append(asked.confirm_token)
    return registry, str(tokens[0])


async def questions(registry: ToolRegistry) -> int:
    async with registry.record.reading() as stored:
        return len(await stored.questions.recent(state=None, limit=MOST_OPEN * 2))


@pytest.mark.original_fault("RC:confirm-unbounded-tokens")
async def test_one_more_is_refused_says_when_to_come_back_and_stores_nothing() -> None:
    registry, _ = await crowded(FakeClock())

    result = await registry.call("wipe", {"n": "more"}, by_ana())

    assert result.code == ErrorCode.RATE_LIMITED
    assert result.meta["retry_after_seconds"] == 60
    assert "100 confirmations open" in str(result.error)
    assert await questions(registry) == MOST_OPEN
    assert (await decisions(registry))[-1] == "too_many_open"


@pytest.mark.parametrize("way", ["one is redeemed", "they expire", "somebody else asks"])
async def test_there_is_room_again_or_for_others(way: str) -> None:
    clock = FakeClock()
    registry, token = await crowded(clock)
    if way == "one is redeemed":
        await registry.call("wipe", {}, by_ana(), confirm_token=token)
    if way == "they expire":
        clock.advance(60)
    ctx = ToolContext.telegram(1, 2) if way == "somebody else asks" else by_ana()

    result = await registry.call("wipe", {"n": "more"}, ctx)

    assert result.type == "confirmation"


async def test_a_resumed_call_still_finds_its_question() -> None:
    registry, _ = await crowded(FakeClock())

    result = await registry.call("wipe", {"n": 5}, by_ana(call_key=key(5)))

    assert result.type == "confirmation"
    assert await questions(registry) == MOST_OPEN
